// <order-list>: orders that were given, the latest first, each with who, when and why, and a form to undo it. Fires `undo`.

import { css, html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { Localized } from '../localized'
import { settings } from '../settings'
import { controls } from '../style/shared'
import { orderWords, reasonWords } from './order-words'
import type { Ordered } from './ordered'
import { consoleStrings } from './strings'

/** One order of the list. */
export interface ListedOrder {
  /** Names it within the list. */
  readonly key: string
  readonly at: number
  readonly order: Ordered
  /** Where it was given, if the list speaks of several boards. */
  readonly where: string
  readonly board: string
  readonly game: string
  /** Whether another order has undone it. */
  readonly undone: boolean
}

/** An order is to be undone. */
export class UndoEvent extends CustomEvent<{ readonly entry: ListedOrder; readonly reason: string }> {
  constructor(entry: ListedOrder, reason: string) {
    super('undo', { detail: { entry, reason } })
  }
}

@customElement('order-list')
export class OrderList extends Localized {
  @property({ attribute: false }) orders: readonly ListedOrder[] = []
  /** Whether orders can be given here. */
  @property({ type: Boolean }) able = false
  @state() private undoing = ''

  static override styles = [
    controls,
    css`
      :host { display: block; }
      ol { list-style: none; margin: 0; padding: 0; }
      li { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: 0.2rem 0.75rem; padding: 0.35rem 0; border-bottom: 1px solid var(--line); align-items: baseline; }
      form { grid-column: 1 / -1; display: flex; gap: 0.4rem; }
      input { flex: 1; font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--quiet); border-radius: 0.375rem; padding: 0.2rem 0.5rem; min-width: 0; }
      .gone { text-decoration: line-through; color: var(--quiet); }
      .refused { color: var(--warn); }
      time, small { color: var(--quiet); }
      time { font-variant-numeric: tabular-nums; }
      small { display: block; }
      button { min-height: 2rem; padding-block: 0; }
    `,
  ]

  override render() {
    return html`<ol>${this.orders.map((entry) => this.entry(entry))}</ol>`
  }

  private entry(entry: ListedOrder) {
    const words = consoleStrings()
    const { order, at, where, undone, key } = entry
    const refused = order.number === null
    const may = this.able && !refused && !undone && order.undoes === null && entry.game !== ''
    return html`<li>
      <time datetime=${new Date(at).toISOString()}>${new Date(at).toLocaleTimeString(settings.language, { hour12: false })}</time>
      <span class=${undone ? 'gone' : ''}>${where ? html`${where} · ` : nothing}${refused ? html`<span class="refused">${words.refused}</span> ` : `${String(order.number)}. `}${orderWords(order)}
        <small>${[who(order.name), reasonWords(order)].filter(Boolean).join(' · ')}</small></span>
      ${undone ? html`<small>${words.undone}</small>` : may ? html`<button aria-expanded=${this.undoing === key} @click=${() => (this.undoing = this.undoing === key ? '' : key)}>${words.undo}</button>` : html`<span></span>`}
      ${this.undoing === key ? this.form(entry) : nothing}
    </li>`
  }

  private form(entry: ListedOrder) {
    const words = consoleStrings()
    return html`<form @submit=${(event: SubmitEvent) => {
      event.preventDefault()
      const reason = new FormData(event.target as HTMLFormElement).get('reason')
      this.undoing = ''
      this.dispatchEvent(new UndoEvent(entry, typeof reason === 'string' ? reason : ''))
    }}><input name="reason" required maxlength="500" aria-label=${words.undoReason} placeholder=${words.undoReason} /><button>${words.give}</button></form>`
  }
}

/** Players who were refused are named by their side. */
function who(name: string): string {
  return name === 'red' || name === 'black' ? settings.strings[name] : name
}

declare global {
  interface HTMLElementTagNameMap {
    'order-list': OrderList
  }
}

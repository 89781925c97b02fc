// <audit-view>: what was ordered at all boards and what became of it, the latest first; filtered by board and person, and undone
// from here.

import { css, html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { Localized } from '../localized'
import { settings } from '../settings'
import { controls } from '../style/shared'
import { Refused, type AuditEntry, type BoardView, type Client } from './client'
import { orderOfLine } from './evidence'
import './order-list'
import type { ListedOrder, UndoEvent } from './order-list'
import { orderId } from './orders'
import { consoleStrings } from './strings'

/** How often the venue is asked. */
const ASK_MS = 2_000

@customElement('audit-view')
export class AuditView extends Localized {
  @property({ attribute: false }) client!: Client
  @property({ attribute: false }) boards: readonly BoardView[] = []
  /** Whether orders can be given here. */
  @property({ type: Boolean }) able = false
  @state() private entries: readonly AuditEntry[] | null = null
  @state() private board = ''
  @state() private person = ''
  @state() private said = ''
  @state() private fault = ''
  private timer = 0
  /** The undoing that was sent last and has no answer: sent again under its id it is not carried out twice. */
  private unanswered: { readonly text: string; readonly id: string } | null = null

  static override styles = [
    controls,
    css`
      :host { display: block; max-width: 64rem; }
      .filters { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: end; margin-bottom: 0.75rem; }
      label { display: grid; gap: 0.2rem; color: var(--quiet); flex: 0 1 14rem; }
      .count { color: var(--quiet); margin: 0 0 0.5rem auto; }
      .fault { color: var(--red); }
      .said { color: var(--good); }
      p { margin: 0.4rem 0; }
    `,
  ]

  override connectedCallback(): void {
    super.connectedCallback()
    void this.ask()
    this.timer = window.setInterval(() => void this.ask(), ASK_MS)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.clearInterval(this.timer)
  }

  override render() {
    const words = consoleStrings()
    if (!this.entries) return html`<p>${settings.strings.connecting}</p>`
    const all = this.listed(this.entries)
    const shown = all.filter(({ board, order }) => (!this.board || board === this.board) && (!this.person || order.name === this.person))
    const boards = [...new Map(all.map(({ board, where }) => [board, where]))]
    const people = [...new Set(all.map(({ order }) => order.name))].filter(Boolean).map((name) => [name, name] as const)
    return html`<section aria-label=${words.allOrders}>
      <div class="filters">
        ${this.filter(words.board, words.allBoards, boards, this.board, (value) => (this.board = value))}
        ${this.filter(words.person, words.everybody, people, this.person, (value) => (this.person = value))}
        <p class="count" role="status">${words.shownOrders(shown.length, all.length)}</p>
      </div>
      <p class=${this.fault ? 'fault' : 'said'} role="status">${this.fault || this.said}</p>
      ${shown.length ? nothing : html`<p>${words.noOrders}</p>`}
      <order-list .orders=${shown} ?able=${this.able} @undo=${this.onUndo}></order-list>
    </section>`
  }

  private filter(label: string, every: string, options: readonly (readonly [string, string])[], value: string, choose: (value: string) => void) {
    return html`<label>${label}<select @change=${(event: Event) => {
      choose((event.target as HTMLSelectElement).value)
    }}>${[['', every] as const, ...options].map(([one, words]) => html`<option value=${one} .selected=${one === value}>${words}</option>`)}</select></label>`
  }

  private listed(entries: readonly AuditEntry[]): readonly ListedOrder[] {
    const orders = entries.flatMap(({ board, game, line }) => {
      const found = orderOfLine(line)
      return found ? [{ ...found, board, game, key: `${board} ${line.seq}` }] : []
    })
    const undone = new Set(orders.map(({ board, game, order }) => `${board} ${game} ${order.undoes ?? ''}`))
    return orders.map((one) => ({ ...one, where: this.where(one.board), undone: one.order.number !== null && undone.has(`${one.board} ${one.game} ${one.order.number}`) }))
  }

  private where(board: string): string {
    const table = this.boards.find((view) => view.board === board)?.game?.table
    return table ? settings.strings.table(table) : board
  }

  private readonly onUndo = ({ detail: { entry, reason } }: UndoEvent) => {
    void this.undo(entry, reason)
  }

  private async undo({ board, game, order }: ListedOrder, reason: string): Promise<void> {
    const text = JSON.stringify([board, game, order.number, reason])
    const id = this.unanswered?.text === text ? this.unanswered.id : orderId()
    this.unanswered = { text, id }
    this.fault = this.said = ''
    try {
      await this.client.order(board, game, id, reason, { command: 'undo', undo: order.number ?? 0 })
      this.unanswered = null
      this.said = consoleStrings().carriedOut
      await this.ask()
    } catch (error) {
      if (error instanceof Refused && error.status < 500) this.unanswered = null
      this.fault = error instanceof Refused ? error.message : consoleStrings().unreachable
    }
  }

  private async ask(): Promise<void> {
    try {
      this.entries = await this.client.audit()
    } catch {
      // The page around this one says when the venue is away or the session has ended.
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'audit-view': AuditView
  }
}

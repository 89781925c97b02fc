// <move-list>: the moves in two columns, as on a score sheet. Fires `step` with the chosen ply.

import { css, html, nothing, type PropertyValues } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import type { Side } from '../board/position'
import { formatUsed } from '../clock'
import type { Ply } from '../feed/wire'
import { Localized } from '../localized'
import { settings } from '../settings'
import { controls } from '../style/shared'

/** Asks the page to show the position after a ply; nought is the starting position. */
export class StepEvent extends CustomEvent<number> {
  constructor(ply: number) {
    super('step', { detail: ply, bubbles: true, composed: true })
  }
}

@customElement('move-list')
export class MoveList extends Localized {
  @property({ attribute: false }) plies: readonly Ply[] = []
  /** Who made the first move. */
  @property() first: Side = 'red'
  /** The ply whose position is shown. */
  @property({ type: Number }) shown = 0

  static override styles = [
    controls,
    css`
      :host { display: block; overflow-y: auto; position: relative; scrollbar-width: thin; }
      ol { list-style: none; margin: 0; padding: 0; }
      li { display: grid; grid-template-columns: 2.2em 1fr 1fr; align-items: center; }
      li:nth-child(even) { background: color-mix(in srgb, var(--line) 24%, transparent); }
      .number { color: var(--quiet); text-align: right; padding-right: 0.5em; font-variant-numeric: tabular-nums; }
      button {
        display: flex; justify-content: space-between; align-items: baseline; gap: 0.4em; min-height: 2rem; text-align: left;
        border: 0; background: none; border-radius: 0.25rem; padding: 0.1rem 0.5rem; white-space: nowrap;
      }
      button[aria-current] { background: var(--focus); color: var(--sheet); }
      button:hover:not([aria-current]) { background: color-mix(in srgb, var(--line) 70%, transparent); }
      small { color: var(--quiet); font-size: 0.75em; }
      button[aria-current] small { color: inherit; }
      .check { color: var(--red); }
      button[aria-current] .check { color: inherit; }
    `,
  ]

  override render() {
    const lead = this.first === 'black' ? 1 : 0
    const rows = Math.ceil((this.plies.length + lead) / 2)
    return html`<ol>
      ${Array.from({ length: rows }, (_, row) => {
        const red = row * 2 - lead
        return html`<li><span class="number">${row + 1}.</span>${this.cell(red)}${this.cell(red + 1)}</li>`
      })}
    </ol>`
  }

  private cell(at: number) {
    const ply = this.plies[at]
    if (!ply) return html`<span></span>`
    const current = at + 1 === this.shown
    return html`<button
      aria-current=${current ? 'step' : nothing}
      @click=${() => this.dispatchEvent(new StepEvent(at + 1))}
    >
      <span>${settings.text(ply)}${ply.check ? html`<span class="check" title=${settings.strings.check}>+</span>` : nothing}</span>
      ${ply.used_ms === null ? nothing : html`<small>${formatUsed(ply.used_ms)}</small>`}
    </button>`
  }

  // Keeps the current move in sight without ever moving the page itself.
  override updated(changed: PropertyValues<this>): void {
    if (!changed.has('shown') && !changed.has('plies')) return
    // The list gets its height from the page around it, which is laid out only after this.
    requestAnimationFrame(() => {
      this.showCurrent()
    })
  }

  private showCurrent(): void {
    const current = this.renderRoot.querySelector<HTMLElement>('[aria-current]')
    if (!current) {
      this.scrollTop = 0
      return
    }
    const row = current.parentElement ?? current
    const top = row.offsetTop
    if (top < this.scrollTop || top + row.offsetHeight > this.scrollTop + this.clientHeight) {
      this.scrollTop = top - this.clientHeight / 2
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'move-list': MoveList
  }
}

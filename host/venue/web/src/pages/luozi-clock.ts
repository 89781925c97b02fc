// <luozi-clock>: one side's time. It writes its own text ten times a second, so that nothing else is drawn again.

import { LitElement, css, html } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import type { Side } from '../board/position'
import { formatClock, remaining } from '../clock'
import type { Clock } from '../feed/wire'
import { settings } from '../settings'
import { everyTenth } from '../ticker'

/** Below this much time the clock warns. */
const SHORT_MS = 60_000

@customElement('luozi-clock')
export class LuoziClock extends LitElement {
  @property({ attribute: false }) clock: Clock | null = null
  @property() side: Side = 'red'
  /** The server's time. */
  @property({ attribute: false }) now: () => number = Date.now
  /** True while the board is out of reach, so that the time is carried on without its word. */
  @property({ type: Boolean, reflect: true }) stale = false
  @property({ type: Boolean, reflect: true }) running = false
  @property({ type: Boolean, reflect: true }) short = false
  private stop: (() => void) | null = null

  static override styles = css`
    :host {
      display: inline-block; contain: content; white-space: nowrap; font-variant-numeric: tabular-nums lining-nums;
      border-radius: 0.16em; padding: 0 0.22em; line-height: 1.2; color: var(--ink);
    }
    :host([running][side='red']) { background: var(--red-fill); color: var(--red-on); }
    :host([running][side='black']) { background: var(--black); color: var(--black-on); }
    :host([stale]) { opacity: 0.75; outline: 0.06em dashed var(--quiet); }
    :host([short][running]) { font-weight: bold; }
    span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  `

  override connectedCallback(): void {
    super.connectedCallback()
    this.stop = everyTenth(() => {
      if (this.clock?.running === this.side) this.write()
    })
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.stop?.()
  }

  override willUpdate(): void {
    this.running = this.clock?.running === this.side
  }

  // The text node is ours: Lit renders the frame once, and ticks touch only the text.
  override render() {
    return html`<time role="timer"></time>`
  }

  override updated(): void {
    this.write()
  }

  private write(): void {
    const time = this.renderRoot.querySelector('time')
    if (!time) return
    const { strings } = settings
    const left = this.clock ? remaining(this.clock, this.side, this.now()) : null
    const text = left === null ? '–' : `${this.stale && this.running ? '≈' : ''}${formatClock(left)}`
    if (time.textContent !== text) time.textContent = text
    this.short = left !== null && left < SHORT_MS
    const side = this.side === 'red' ? strings.red : strings.black
    const label = left === null ? strings.noClock : strings.clockOf(side, text) + (this.stale ? ` (${strings.estimate})` : '')
    if (time.ariaLabel !== label) time.ariaLabel = label
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'luozi-clock': LuoziClock
  }
}

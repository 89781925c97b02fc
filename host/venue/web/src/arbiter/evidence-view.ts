// <evidence-view>: what one board sensed and what the referee made of it, in time. The diagram follows the moment.

import { css, html, nothing, svg } from 'lit'
import { customElement, property, query, state } from 'lit/decorators.js'
import { guard } from 'lit/directives/guard.js'
import { FILES, RANKS, place } from '../board/geometry'
import '../board/xiangqi-board'
import { Localized } from '../localized'
import { moveNumber } from '../pages/game-view'
import { settings } from '../settings'
import { controls } from '../style/shared'
import './board-desk'
import type { GiveEvent } from './board-desk'
import type { BoardView, Client, Role } from './client'
import { Evidence, disagreements, type Moment } from './evidence'
import './order-panel'
import { orderWords, reasonWords } from './order-words'
import type { OrderPanel } from './order-panel'
import { consoleStrings, noteWords } from './strings'

const WINDOWS_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000] as const
/** How fast it is played back: slow enough to see a hand, fast enough for an afternoon. */
const SPEEDS = [0.25, 1, 4, 16, 64] as const
/** Between lines that tell the time. */
const STEPS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 60_000, 120_000, 300_000, 600_000, 1_800_000] as const
const ASK_MS = 1_000
/** The venue sends this many lines at most; an answer as long as this has a sequel. */
const FULL_ANSWER = 2_000
/** Rows of reeds that are shown at once: those that changed last. */
const ROWS = 24
/** Pixels on a desk, more on a large screen: beside the rows, of a row, and before the first of them. */
const LEFT = 34
const RIGHT = 10
const ROW = 18
const HEAD = 44
/** A click this near to a mark means it. */
const NEAR = 7

@customElement('evidence-view')
export class EvidenceView extends Localized {
  @property({ attribute: false }) client!: Client
  @property() board = ''
  @property({ attribute: false }) view: BoardView | null = null
  @property() powers: Role = 'table_arbiter'
  /** Whether this venue can give orders. */
  @property({ type: Boolean }) able = false
  @state() private window: number = WINDOWS_MS[1]
  /** The moment that is shown; null follows the present. */
  @state() private moment: number | null = null
  /** How fast it is being played back; 0 is not at all. */
  @state() private speed = 0
  private playing = 0
  /** The event that was chosen. */
  @state() private chosen: Moment | null = null
  /** How wide the course of time is drawn, in pixels. */
  @state() private wide = 800
  @query('.events') private readonly list!: HTMLElement | null
  @query('order-panel') private readonly panel!: OrderPanel | null
  private evidence = new Evidence()
  /** Whether the venue has said which lines it holds, if any. */
  @state() private answered = false
  private readonly observer = new ResizeObserver(() => {
    const course = this.renderRoot.querySelector('svg.course')
    // What is drawn grows with the letters of the page.
    const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
    if (course?.clientWidth) this.wide = Math.round(course.clientWidth / scale)
  })
  private timer = 0

  static override styles = [
    controls,
    css`
      :host { display: grid; gap: 1rem 1.5rem; grid-template-columns: minmax(0, 1fr); align-content: start; }
      @media (min-width: 64rem) {
        :host { grid-template: 'course evidence' auto 'orders evidence' 1fr / minmax(0, 1fr) minmax(22rem, 30rem); }
        .in-course { grid-area: course; }
        .in-evidence { grid-area: evidence; }
        .in-orders { grid-area: orders; }
      }
      .tools { display: flex; flex-wrap: wrap; gap: 0.4rem 0.6rem; align-items: center; }
      .tools [role='group'] { display: flex; }
      .tools [role='group'] button { border-radius: 0; margin-left: -1px; padding-inline: 0.55rem; min-width: 2.25rem; white-space: nowrap; }
      .tools [role='group'] button:first-child { border-radius: 0.375rem 0 0 0.375rem; }
      .tools [role='group'] button:last-child { border-radius: 0 0.375rem 0.375rem 0; }
      .tools input { flex: 1 1 8rem; accent-color: var(--focus); }
      .tools output { font-variant-numeric: tabular-nums; min-width: 7.5em; }
      button[aria-pressed='true'] { background: var(--focus); color: var(--sheet); border-color: var(--focus); }
      svg.course { display: block; width: 100%; height: auto; background: var(--sheet); border: 1px solid var(--line); border-radius: 0.375rem; margin-top: 0.6rem; }
      text { fill: var(--quiet); font: 13px var(--kai); }
      .hour { stroke: var(--line); stroke-width: 1; stroke-dasharray: 2 4; }
      .open { stroke: var(--line); stroke-width: 1; }
      .closed { fill: var(--quiet); opacity: 0.75; }
      .now { stroke: var(--focus); stroke-width: 2; }
      .press.red, .tick.red { fill: var(--red); }
      .press.black, .tick.black { fill: var(--black); }
      .tick { fill: var(--quiet); cursor: pointer; }
      .tick.incident { fill: var(--seal); }
      .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0.75rem; }
      figure { margin: 0; }
      figcaption { color: var(--quiet); margin-bottom: 0.25rem; }
      .sensed { background: var(--wood-light); border-radius: 0.3rem; }
      .grid { stroke: #4b2c12; stroke-width: 2; opacity: 0.5; fill: none; }
      .reed { fill: #4b2c12; }
      .differs { fill: none; stroke: #b3261a; stroke-width: 9; }
      .events { list-style: none; margin: 0; padding: 0; max-height: 26rem; overflow-y: auto; border-block: 1px solid var(--line); }
      .events button { display: grid; grid-template-columns: 6.2em 1fr; gap: 0.5rem; width: 100%; text-align: left; border: 0; border-radius: 0; background: none; min-height: 1.9rem; padding: 0.15rem 0.4rem; }
      .events button[aria-current] { background: color-mix(in srgb, var(--focus) 22%, transparent); }
      .events button[aria-current] :is(time, small) { color: var(--ink); }
      .events .incident { color: var(--red); }
      time { color: var(--quiet); font-variant-numeric: tabular-nums; }
      small { color: var(--quiet); display: block; }
      .quiet { color: var(--quiet); margin: 0.5rem 0 0; }
      board-desk, order-panel { margin-top: 1rem; }
    `,
  ]

  override connectedCallback(): void {
    super.connectedCallback()
    void this.ask()
    this.timer = window.setInterval(() => void this.ask(), ASK_MS)
    this.observer.observe(this)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.clearInterval(this.timer)
    window.clearInterval(this.playing)
    this.observer.disconnect()
  }

  override render() {
    const words = consoleStrings()
    const span = this.evidence.span
    if (!span) return html`<p class="quiet" role="status">${this.answered ? words.noEvidence : settings.strings.connecting}</p>`
    const at = Math.min(this.moment ?? span[1], span[1])
    const listed = this.evidence.moments.filter(({ kind }) => kind !== 'clock')
    const latest = listed.findLast((one) => one.at <= at)
    return html`<section class="in-course" aria-label=${words.timeline}>
        ${this.tools(span, at)} ${this.course(at, span)}
        ${this.view?.missing ? html`<p class="quiet" role="status">${words.incomplete}</p>` : nothing}
        <ol class="events" aria-label=${words.events} tabindex="0">${
          // While time runs most moments change nothing in it.
          guard([listed.length, latest, settings.language, settings.script], () => listed.map((one) => this.entry(one, latest)))
        }</ol>
      </section>
      <section class="in-evidence" aria-label=${words.evidence}>${this.pair(at)}<p class="quiet">${words.differ}</p>${this.desk()}</section>
      <section class="in-orders" aria-label=${words.orders}>${this.ordering()}</section>`
  }

  private tools([first, last]: readonly [number, number], at: number) {
    const words = consoleStrings()
    return html`<div class="tools">
      <span role="group" aria-label=${words.window}>
        ${WINDOWS_MS.map((ms) => html`<button aria-pressed=${this.window === ms} @click=${() => (this.window = ms)}>${duration(ms)}</button>`)}
      </span>
      <input type="range" aria-label=${words.moment} min=${first} max=${last} step="10" .value=${String(at)} @input=${this.scrub} />
      <output>${clockTime(at)}</output>
      <span role="group" aria-label=${words.play}>${SPEEDS.map((speed) => html`<button aria-pressed=${this.speed === speed} @click=${() => {
        this.play(speed)
      }}>▸ ${speed < 1 ? '¼' : speed}×</button>`)}</span>
      <button ?disabled=${!this.speed} @click=${this.halt}>${words.stop}</button>
      <button aria-pressed=${this.moment === null} @click=${this.followPresent}>${words.follow}</button>
    </div>`
  }

  // Time runs to the right; the moment stands at three quarters, unless the beginning or the present is nearer.
  private course(at: number, [first, last]: readonly [number, number]) {
    const to = Math.max(Math.min(at + this.window / 4, Math.max(last, at)), first + this.window)
    const from = to - this.window
    const x = (time: number) => LEFT + ((Math.max(from, Math.min(to, time)) - from) / this.window) * (this.wide - LEFT - RIGHT)
    const changed = [...this.evidence.changes(from, to)].sort((a, b) => (b[1].at(-1)?.at ?? 0) - (a[1].at(-1)?.at ?? 0))
    const rows = changed.slice(0, ROWS).sort((a, b) => a[0] - b[0])
    const height = HEAD + Math.max(rows.length, 4) * ROW + 26
    const moments = this.evidence.moments.filter((one) => one.at >= from && one.at <= to)
    return html`<svg class="course" viewBox="0 0 ${this.wide} ${height}" role="img" aria-label=${consoleStrings().timeline} @click=${(event: MouseEvent) => {
      this.pick(event, from)
    }}>
      ${this.hours(from, to, height, x)}
      ${moments.map((one) => this.mark(one, x(one.at)))}
      ${rows.map(([point, changes], row) => this.bars(point, changes, HEAD + row * ROW, { from, to }, x))}
      <line class="now" x1=${x(at)} x2=${x(at)} y1="0" y2=${height} />
    </svg>`
  }

  /** Lines at round times. */
  private hours(from: number, to: number, height: number, x: (time: number) => number) {
    const most = Math.max(2, Math.floor(this.wide / 110))
    const step = STEPS_MS.find((ms) => this.window / ms <= most) ?? this.window
    const times = Array.from({ length: most + 1 }, (_, at) => (Math.ceil(from / step) + at) * step).filter((time) => time <= to)
    return times.map((time) => svg`<line class="hour" x1=${x(time)} x2=${x(time)} y1="0" y2=${height - 20} />
      <text x=${x(time)} y=${height - 6} text-anchor=${x(time) > this.wide - 40 ? 'end' : x(time) < 40 ? 'start' : 'middle'}>${clockTime(time, false)}</text>`)
  }

  private bars(
    point: number,
    changes: readonly { at: number; closed: boolean }[],
    y: number,
    { from, to }: { from: number; to: number },
    x: (time: number) => number,
  ) {
    const first = changes[0]
    const ends = [{ at: from, closed: !first?.closed }, ...changes, { at: to, closed: false }]
    return svg`<text x="8" y=${y + 10}>${squareName(point)}</text>
      <line class="open" x1=${LEFT} x2=${this.wide - RIGHT} y1=${y + 6} y2=${y + 6} />
      ${ends.slice(0, -1).map((change, i) => {
        const end = ends[i + 1]?.at ?? to
        return change.closed ? svg`<rect class="closed" x=${x(change.at)} y=${y + 2} width=${Math.max(1, x(end) - x(change.at))} height="9" rx="2" />` : nothing
      })}`
  }

  private mark(one: Moment, x: number) {
    const title = svg`<title>${this.words(one)}</title>`
    if (one.kind === 'press') return svg`<path class="press ${one.side ?? ''}" d="M${x} 22l-5-9h10z">${title}</path>`
    if (one.kind === 'incident') return svg`<path class="tick incident" d="M${x} 23l6 7l-6 7l-6-7z">${title}</path>`
    if (one.kind === 'clock') return nothing
    return svg`<circle class="tick ${one.side ?? ''}" cx=${x} cy="30" r="4">${title}</circle>`
  }

  private pair(at: number) {
    const words = consoleStrings()
    const believed = this.evidence.believedAt(at)
    return html`<div class="pair">
      <figure><figcaption>${words.sensed}</figcaption>${this.sensed(at)}</figure>
      <figure>
        <figcaption>${words.believed}</figcaption>
        <xiangqi-board bold still .position=${believed.position} .lastMove=${believed.move} script=${settings.script} .label=${words.believed}></xiangqi-board>
      </figure>
    </div>`
  }

  private desk() {
    const { view } = this
    if (!view?.game) return nothing
    return html`<board-desk .client=${this.client} .view=${view} .moment=${this.chosen} .orders=${this.evidence.orders} ?able=${this.able} @give=${(event: GiveEvent) => {
      void this.panel?.give(event.detail.command, event.detail.reason)
    }}></board-desk>`
  }

  private ordering() {
    const { view } = this
    if (!view?.game) return nothing
    return html`${this.able ? html`<order-panel .client=${this.client} .view=${view} powers=${this.powers} @ordered=${() => void this.ask()}></order-panel>` : html`<p class="quiet">${consoleStrings().noKey}</p>`}`
  }

  private sensed(at: number) {
    const reading = this.evidence.readingAt(at)
    const differs = reading ? disagreements(reading, this.evidence.believedAt(at).position) : []
    const lines = [
      ...Array.from({ length: RANKS }, (_, rank) => `M0 ${rank * 100}H800`),
      ...Array.from({ length: FILES }, (_, file) => `M${file * 100} 0V900`),
    ]
    return html`<svg class="sensed" viewBox="-66 -66 932 1032" role="img" aria-label=${consoleStrings().sensed}>
      <path class="grid" d=${lines.join('')} />
      ${Array.from({ length: FILES * RANKS }, (_, point) => {
        const { x, y } = place({ file: point % FILES, rank: Math.floor(point / FILES) }, false)
        return svg`${reading?.[point] ? svg`<circle class="reed" cx=${x} cy=${y} r="30" />` : nothing}
          ${differs[point] ? svg`<circle class="differs" cx=${x} cy=${y} r="45" />` : nothing}`
      })}
    </svg>`
  }

  private entry(one: Moment, latest: Moment | undefined) {
    const { strings } = settings
    const ordered = one.order && [orderWords(one.order), one.order.name, reasonWords(one.order)].filter(Boolean).join(' · ')
    const details = [one.article && strings.article(one.article), one.squares.join(' '), noteWords(one.note), ordered].filter(Boolean)
    return html`<li><button aria-current=${one === latest ? 'true' : nothing} @click=${() => {
      this.go(one.at)
      this.chosen = one
    }}>
      <time>${clockTime(one.at)}</time>
      <span class=${one.kind === 'incident' ? 'incident' : ''}>${this.words(one)}${details.length ? html`<small>${details.join(' · ')}</small>` : nothing}</span>
    </button></li>`
  }

  private words(one: Moment): string {
    const { strings } = settings
    const words = consoleStrings()
    const named = one.kind === 'press' ? words.press : (words.incidents[one.name] ?? words.happenings[one.name] ?? one.name.replaceAll('_', ' '))
    const side = one.side ? strings[one.side] : ''
    return [side, named, one.move ?? '', one.ply === null ? '' : `(${moveNumber(one.ply)})`].filter(Boolean).join(' ')
  }

  private readonly followPresent = () => {
    this.halt()
    this.moment = null
    this.chosen = null
  }

  private scrub(event: Event): void {
    this.go(Number((event.target as HTMLInputElement).value))
  }

  private pick(event: MouseEvent, from: number): void {
    const { left, width } = (event.currentTarget as SVGElement).getBoundingClientRect()
    const along = ((event.clientX - left) / width) * this.wide
    const perPixel = this.window / (this.wide - LEFT - RIGHT)
    const at = from + Math.max(0, along - LEFT) * perPixel
    const near = this.evidence.moments.filter((one) => one.kind !== 'clock' && Math.abs(one.at - at) <= NEAR * perPixel)
    const nearest = near.sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0]
    this.go(nearest?.at ?? at)
    this.chosen = nearest ?? null
  }

  private go(at: number): void {
    this.halt()
    this.moment = at
    this.chosen = null
  }

  private play(speed: number): void {
    this.halt()
    const span = this.evidence.span
    if (!span) return
    let at = this.moment ?? span[0]
    let before = performance.now()
    this.speed = speed
    this.playing = window.setInterval(() => {
      const now = performance.now()
      at += (now - before) * speed
      before = now
      this.moment = at
      if (at >= (this.evidence.span?.[1] ?? 0)) this.followPresent()
    }, 50)
  }

  private readonly halt = () => {
    window.clearInterval(this.playing)
    this.speed = 0
  }

  private async ask(): Promise<void> {
    try {
      for (;;) {
        const lines = await this.client.journal(this.board, this.evidence.last)
        this.answered = true
        this.evidence.add(lines)
        if (lines.length) this.requestUpdate()
        if (lines.length < FULL_ANSWER) break
      }
    } catch {
      // The next question comes in a second; the page around this one notices an ended session.
    }
  }

  override updated(): void {
    const { list } = this
    const current = this.moment === null ? list?.lastElementChild : list?.querySelector('[aria-current]')
    if (!list || !(current instanceof HTMLElement)) return
    const top = current.offsetTop - list.offsetTop
    if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2
    }
  }
}

function squareName(point: number): string {
  return `${'abcdefghi'[point % FILES] ?? ''}${Math.floor(point / FILES)}`
}

function duration(ms: number): string {
  return ms < 60_000 ? `${ms / 1000}″` : `${ms / 60_000}′`
}

/** Making a format is what takes time, and a game has thousands of moments. */
const formats = new Map<string, Intl.DateTimeFormat>()

function clockTime(at: number, tenths = true): string {
  const key = `${settings.language} ${String(tenths)}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(settings.language, { hour12: false, hour: '2-digit', minute: '2-digit', second: '2-digit', ...(tenths ? { fractionalSecondDigits: 1 } : {}) })
    formats.set(key, format)
  }
  return format.format(at)
}

declare global {
  interface HTMLElementTagNameMap {
    'evidence-view': EvidenceView
  }
}

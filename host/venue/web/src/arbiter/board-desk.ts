// <board-desk>: what waits for the arbiter at a board, why the referee read what it read, what the laws say, and what
// was ordered. Fires `give` with an order for the panel beside it.

import { css, html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { Localized } from '../localized'
import { moveNumber } from '../pages/game-view'
import { settings } from '../settings'
import { controls } from '../style/shared'
import { articleText } from './article-text'
import { Refused, type BoardView, type Client, type Command, type Laws, type Weighing } from './client'
import type { Moment } from './evidence'
import './order-list'
import type { ListedOrder, UndoEvent } from './order-list'
import { scoreWords } from './order-words'
import { alarmWords, consoleStrings, noteWords } from './strings'

/** How often the laws and open readings are asked for. */
const ASK_MS = 2_000
/** Tenths of a natural logarithm from which the referee is certain. */
const CERTAIN = 60

/** An order with its reason, to be given. */
export class GiveEvent extends CustomEvent<{ readonly command: Command; readonly reason: string }> {
  constructor(command: Command, reason: string) {
    super('give', { detail: { command, reason }, bubbles: true, composed: true })
  }
}

@customElement('board-desk')
export class BoardDesk extends Localized {
  @property({ attribute: false }) client!: Client
  @property({ attribute: false }) view!: BoardView
  /** The moment that is looked at; null is the present. */
  @property({ attribute: false }) moment: Moment | null = null
  @property({ attribute: false }) orders: readonly Moment[] = []
  /** Whether orders can be given here. */
  @property({ type: Boolean }) able = false
  @state() private laws: Laws | null = null
  @state() private weighing: Weighing | null = null
  /** Why the readings of the chosen moment cannot be told, in the venue's words. */
  @state() private unknown = ''
  private asked = ''
  private timer = 0

  static override styles = [
    controls,
    css`
      :host { display: grid; gap: 1rem; align-content: start; }
      h2 { font-size: 1.15rem; margin-bottom: 0.35rem; }
      ul, ol { list-style: none; margin: 0; padding: 0; }
      .waits { border: 1px solid var(--line); border-left: 0.4rem solid var(--red); border-radius: 0.375rem; background: var(--sheet); padding: 0.6rem 0.9rem; }
      .waits li + li { border-top: 1px solid var(--line); margin-top: 0.5rem; padding-top: 0.5rem; }
      .waits b { font-weight: inherit; color: var(--red); }
      .choices { display: flex; flex-wrap: wrap; gap: 0.4rem; margin-top: 0.35rem; }
      .choices button { font-size: 1.15rem; border-color: var(--focus); }
      small { color: var(--quiet); display: block; }
      table { border-collapse: collapse; width: 100%; }
      td, th { text-align: left; font-weight: inherit; padding: 0.2rem 0.5rem 0.2rem 0; border-bottom: 1px solid var(--line); vertical-align: baseline; }
      td.odds { color: var(--quiet); font-variant-numeric: tabular-nums; }
      tr.chosen { color: var(--good); }
      meter { width: 100%; min-width: 4rem; height: 0.6rem; }
      pre { white-space: pre-wrap; font: inherit; margin: 0.3rem 0 0; }
      p { margin: 0.2rem 0; }
      .gone { text-decoration: line-through; color: var(--quiet); }
      blockquote { margin: 0.3rem 0 0; padding-left: 0.7rem; border-left: 0.2rem solid var(--line); color: var(--quiet); }
    `,
  ]

  override connectedCallback(): void {
    super.connectedCallback()
    this.timer = window.setInterval(() => void this.ask(), ASK_MS)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.clearInterval(this.timer)
  }

  override updated(): void {
    const key = `${this.view.board} ${this.moment?.seq ?? ''} ${this.view.game?.ply_count ?? ''} ${this.view.attention.length} ${settings.language}`
    if (key === this.asked) return
    this.asked = key
    void this.ask()
  }

  override render() {
    return html`${this.waiting()} ${this.rule()} ${this.weighed()} ${this.law()} ${this.fouls()} ${this.audit()}`
  }

  private get ambiguous(): boolean {
    return this.view.attention.some(({ incident }) => incident === 'ambiguous')
  }

  private waiting() {
    const words = consoleStrings()
    const { strings } = settings
    const { claim, due, called, attention, rules } = this.view
    const items = [
      ...alarmWords(this.view).map((what) => html`<b>${words.alarmOf(what)}</b>`),
      due && html`<b>${words.dueResult(scoreWords(due.score), strings.reasons[due.ending] ?? due.ending)}</b>
        ${this.article(due.article, due.note)}
        ${this.able ? html`<div class="choices"><button @click=${() => { this.give({ command: 'declare', score: due.score, ending: due.ending }, strings.article(due.article)); }}>${words.declareIt}</button></div>` : nothing}`,
      claim && html`<b>${words.claimOf(strings[claim.side], words.claims[claim.claim] ?? claim.claim)}</b>
        <small>${claim.holds === undefined ? '' : claim.holds ? words.claimHolds : words.claimFails}${claim.note ? `: ${noteWords(claim.note)}` : ''}</small>`,
      called && html`<b>${words.callOf(called.side ? strings[called.side] : '')}</b>`,
      ...attention.map((one) => html`<b>${words.incidents[one.incident] ?? one.incident.replaceAll('_', ' ')}</b>
        <small>${[one.side ? strings[one.side] : '', `(${moveNumber(one.ply)})`, one.squares.join(' '), noteWords(one.note ?? '')].filter(Boolean).join(' · ')}</small>
        ${one.article ? this.article(one.article, '', rules) : nothing}
        ${one.incident === 'ambiguous' ? this.choices() : nothing}`),
    ].filter(Boolean)
    return items.length ? html`<section class="waits" aria-label=${words.waitsFor}><h2>${words.waitsFor}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>` : nothing
  }

  private article(number: string, note = '', rules = this.view.rules) {
    const text = articleText(number, rules)
    return html`${note ? html`<small>${noteWords(note)}</small>` : nothing}${text ? html`<blockquote>${settings.strings.article(number)} ${text}</blockquote>` : nothing}`
  }

  // One click settles it: the reason says that it was chosen, and by whom is in the record anyway.
  private choices() {
    const words = consoleStrings()
    const open = this.moment ? null : this.weighing
    if (!open) return nothing
    const possible = open.readings.flatMap(({ moves: [move], cost, hans, hant }) => (move !== undefined && cost < CERTAIN ? [{ move, hans, hant }] : []))
    return html`<p>${words.choose}</p><div class="choices">${possible.map((one) => html`<button ?disabled=${!this.able} @click=${() => { this.give({ command: 'choose', ply: open.ply, move: one.move }, words.chosenReason); }}>${settings.script === 'hans' ? one.hans : one.hant} <span dir="ltr">${one.move}</span></button>`)}</div>`
  }

  private rule() {
    const { moment } = this
    if (!moment?.article) return nothing
    const text = articleText(moment.article, this.view.rules)
    return text ? html`<section><h2>${settings.strings.article(moment.article)}</h2><blockquote>${text}</blockquote></section>` : nothing
  }

  private weighed() {
    const words = consoleStrings()
    const { unknown, weighing } = this
    if (unknown) return html`<section aria-label=${words.weighing}><h2>${words.weighing}</h2><p role="status">${unknown}</p></section>`
    if (!weighing?.readings.length) return nothing
    return html`<section aria-label=${words.weighing}>
      <h2>${words.weighing} (${moveNumber(weighing.ply)})</h2>
      <table>
        ${weighing.readings.map(({ moves, hans, hant, cost }) => html`<tr class=${moves[0] !== undefined && moves[0] === weighing.chosen ? 'chosen' : ''}>
          <td>${moves.length ? (settings.script === 'hans' ? hans : hant) : words.nothing}<small>${moves.join(' ')}</small></td>
          <td><meter min="0" max="1" value=${Math.exp(-cost / 40)} aria-label=${words.weighing}></meter></td>
          <td class="odds">${cost ? words.lessLikely(odds(cost)) : words.likeliest}</td>
        </tr>`)}
      </table>
      ${weighing.by ? html`<p>${words.sealedBy[weighing.by]}</p>` : nothing}
    </section>`
  }

  private law() {
    const words = consoleStrings()
    const { strings } = settings
    const { laws } = this
    if (!laws) return nothing
    const { repetition } = laws
    return html`<section aria-label=${words.limit}>
        <h2>${words.limit}</h2>
        ${laws.natural_limit.map((one) => html`<p>${words.limitOf(strings[one.side], one.rounds, one.needed)}${one.checks_left_out ? html` <small>${words.checksLeftOut(one.checks_left_out)}</small>` : nothing}</p>`)}
      </section>
      ${
        laws.repeated > 1
          ? html`<section aria-label=${words.repetition}>
              <h2>${words.repetition}</h2>
              <p>${words.repeated(laws.repeated)}</p>
              ${repetition ? html`<pre class="repetition">${repetitionWords(repetition)}</pre>${repetition.certain ? nothing : html`<small>${words.uncertain}</small>`}
                ${repetition.articles.map((article) => this.article(article))}` : nothing}
            </section>`
          : nothing
      }`
  }

  private fouls() {
    const words = consoleStrings()
    const { strings } = settings
    const { fouls } = this.view
    if (!fouls.length) return nothing
    return html`<section aria-label=${words.fouls}><h2>${words.fouls}</h2><ul>
      ${fouls.map((one) => html`<li class=${one.withdrawn === undefined ? '' : 'gone'}>${one.foul}. ${strings[one.side]} ${words.offences[one.offence] ?? one.offence} (${strings.article(one.article)})
        ${one.withdrawn === undefined ? nothing : html`<small>${words.withdrawnFoul}: ${one.withdrawn}</small>`}</li>`)}
    </ul></section>`
  }

  private audit() {
    const words = consoleStrings()
    const undone = new Set(this.orders.map(({ order }) => order?.undoes))
    const listed = this.orders.flatMap(({ order, at, seq }): ListedOrder[] =>
      order ? [{ key: String(seq), at, order, where: '', board: this.view.board, game: this.view.game?.id ?? '', undone: order.number !== null && undone.has(order.number) }] : [],
    )
    return html`<section class="audit" aria-label=${words.audit}><h2>${words.audit}</h2>
      ${listed.length ? nothing : html`<p>${words.noOrders}</p>`}
      <order-list .orders=${listed} ?able=${this.able} @undo=${({ detail: { entry, reason } }: UndoEvent) => {
        this.give({ command: 'undo', undo: entry.order.number ?? 0 }, reason)
      }}></order-list>
    </section>`
  }

  private give(command: Command, reason: string): void {
    this.dispatchEvent(new GiveEvent(command, reason))
  }

  private async ask(): Promise<void> {
    const { board, game } = this.view
    if (!game) return
    const { moment } = this
    const asked = moment ? moment.name === 'moved' || moment.name === 'resolved' : this.ambiguous
    const [weighed, laws] = await Promise.allSettled([
      asked ? this.client.readings(board, moment?.seq ?? null) : null,
      this.client.laws(board),
    ])
    // Whoever has gone on to another moment meanwhile is not told about this one.
    if (moment !== this.moment) return
    this.weighing = weighed.status === 'fulfilled' ? weighed.value : null
    this.unknown = weighed.status === 'rejected' ? refusalOf(weighed.reason) : ''
    if (laws.status === 'fulfilled') this.laws = laws.value
  }
}

/** What the venue said when it refused; nothing when it is away or the session has ended: the page around this one says so. */
function refusalOf(reason: unknown): string {
  return reason instanceof Refused && reason.status !== 401 ? reason.message : ''
}

function repetitionWords({ zh, zh_hant, en }: NonNullable<Laws['repetition']>): string {
  if (settings.language === 'en') return en
  return settings.script === 'hans' ? zh : zh_hant
}

/** How many times less likely, in round numbers. */
function odds(cost: number): string {
  const times = Math.exp(cost / 10)
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(times)) - 1)
  return (Math.round(times / digits) * digits).toLocaleString(settings.language)
}

declare global {
  interface HTMLElementTagNameMap {
    'board-desk': BoardDesk
  }
}

// <arbiter-page>: the console. Boards that need somebody come first; a board opens its evidence.

import { css, html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import type { Feed } from '../feed/stream'
import { Localized } from '../localized'
import { clockOf, moveNumber, playerName, stateOf } from '../pages/game-view'
import '../pages/luozi-clock'
import { pdf } from '../print/pdf'
import { settings } from '../settings'
import { controls } from '../style/shared'
import './account-list'
import './audit-view'
import { Client, Refused, type Attention, type BoardView, type Standing } from './client'
import './evidence-view'
import './sign-in'
import '../style/console-font.css'
import { byUrgency, urgency } from './urgency'
import { alarmWords, consoleStrings } from './strings'

/** How often the console asks what needs attention. */
const ASK_MS = 1_000

@customElement('arbiter-page')
export class ArbiterPage extends Localized {
  @property({ attribute: false }) feed!: Feed
  /** The board whose evidence is shown. */
  @property() board = ''
  /** Whether the orders of all boards are shown. */
  @property({ type: Boolean }) audit = false
  @state() private standing: Standing | null = null
  @state() private boards: readonly BoardView[] = []
  @state() private missing = false
  private readonly client = new Client()
  private timer = 0

  static override styles = [
    controls,
    css`
      :host { display: block; }
      .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.25rem; margin-bottom: 1rem; }
      .bar h1 { font-size: 1.5rem; margin-right: auto; }
      .quiet { color: var(--quiet); }
      ul { list-style: none; margin: 0; padding: 0; }
      .boards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 0.75rem; }
      .card { display: block; height: 100%; text-decoration: none; background: var(--sheet); border: 1px solid var(--line); border-left: 0.4rem solid var(--line); border-radius: 0.375rem; padding: 0.6rem 0.9rem; }
      .card.urgent { border-left-color: var(--red); }
      .card.offline { border-left-color: var(--warn); }
      .head { display: flex; align-items: baseline; gap: 0.75rem; }
      .head b { font-weight: inherit; font-size: 1.25rem; }
      .head .state { margin-left: auto; }
      .names { display: flex; justify-content: space-between; gap: 1rem; }
      .names > span { display: flex; align-items: center; gap: 0.5rem; min-width: 0; }
      .names luozi-clock { font-size: 1.1em; }
      .attention { margin-top: 0.4rem; border-top: 1px solid var(--line); padding-top: 0.4rem; }
      .attention li { color: var(--red); }
      .attention small { color: var(--quiet); }
      .offline .state { color: var(--warn); }
    `,
  ]

  override connectedCallback(): void {
    super.connectedCallback()
    void this.begin()
    this.timer = window.setInterval(() => void this.ask(), ASK_MS)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.clearInterval(this.timer)
  }

  override render() {
    const words = consoleStrings()
    const { standing } = this
    if (this.missing) return html`<p class="quiet">${words.none}</p>`
    if (!standing) return html`<p class="quiet">${settings.strings.connecting}</p>`
    if (standing.state !== 'signed_in') {
      return html`<sign-in .client=${this.client} ?first=${standing.state === 'setup'} @standing=${this.onStanding}></sign-in>`
    }
    return html`<div class="bar">
        <h1>${this.heading()}</h1>
        ${this.audit ? nothing : html`<a href="/arbiter/audit">${words.allOrders}</a>`} ${this.papers()}
        <span class="quiet">${standing.name} · ${words.roles[standing.role]}</span>
        <button @click=${this.signOut}>${words.signOut}</button>
      </div>
      ${this.content(standing)}`
  }

  private heading() {
    const words = consoleStrings()
    if (!this.board && !this.audit) return words.title
    return html`<a href="/arbiter">${words.title}</a> · ${this.audit ? words.allOrders : this.tableOf(this.board)}`
  }

  /** What a board is called in the hall. */
  private tableOf(board: string): string {
    const table = this.boards.find((view) => view.board === board)?.game?.table
    return table && table !== board ? `${settings.strings.table(table)} (${board})` : board
  }

  /** What can be printed here, as it stands now and not as late as the public sees it. */
  private papers() {
    const { strings } = settings
    const paper = (file: string, name: string) => html`<a href=${pdf(`/api/v1/arbiter/${file}`)} target="_blank">${name} PDF</a>`
    if (this.audit) return nothing
    if (!this.board) return html`${paper('pairings.pdf', strings.pairings)} ${paper('results.pdf', strings.results)}`
    const game = this.boards.find(({ board }) => board === this.board)?.game
    return game ? paper(`games/${encodeURIComponent(game.id)}/score-sheet.pdf`, strings.sheet) : nothing
  }

  private content({ role, orders }: Extract<Standing, { readonly state: 'signed_in' }>) {
    if (this.audit) return html`<audit-view .client=${this.client} .boards=${this.boards} ?able=${orders}></audit-view>`
    if (this.board) {
      const view = this.boards.find(({ board }) => board === this.board) ?? null
      return html`<evidence-view .client=${this.client} board=${this.board} powers=${role} ?able=${orders} .view=${view}></evidence-view>`
    }
    return html`${this.list()}${role === 'organiser' ? html`<account-list .client=${this.client}></account-list>` : nothing}`
  }

  private list() {
    return html`<ul class="boards">
      ${repeat(
        byUrgency(this.boards),
        ({ board }) => board,
        (view) => html`<li>${this.card(view)}</li>`,
      )}
    </ul>`
  }

  private card(view: BoardView) {
    const { strings } = settings
    const { game } = view
    const kind = !view.online ? 'offline' : urgency(view) < 500 ? 'urgent' : ''
    return html`<a class="card ${kind}" href="/arbiter/board/${encodeURIComponent(view.board)}">
      <span class="head">
        <b>${game?.table ? strings.table(game.table) : view.board}</b>
        ${game?.last ? html`<span>${moveNumber(game.ply_count)}. ${settings.text(game.last)}</span>` : nothing}
        <span class="state">${game ? stateOf(game, strings) : view.online ? strings.setup : strings.boardOffline}</span>
      </span>
      ${game ? html`<span class="names">${this.side(view, 'red')}${this.side(view, 'black')}</span>` : nothing}
      ${this.waits(view)}
      ${view.attention.length ? html`<ul class="attention">${view.attention.slice(-3).map((one) => html`<li>${this.incident(one)}</li>`)}</ul>` : nothing}
    </a>`
  }

  private side({ game, online }: BoardView, side: 'red' | 'black') {
    if (!game) return nothing
    return html`<span>${playerName(game, side, settings.strings)}
      ${game.clock ? html`<luozi-clock .clock=${clockOf(game)} side=${side} .now=${this.now} ?stale=${!online}></luozi-clock>` : nothing}</span>`
  }

  private waits(view: BoardView) {
    const { claim, due, called } = view
    const words = consoleStrings()
    const { strings } = settings
    const items = [
      ...alarmWords(view).map((what) => words.alarmOf(what)),
      due && words.dueResult(strings.reasons[due.ending] ?? due.ending, strings.article(due.article)),
      claim && words.claimOf(strings[claim.side], words.claims[claim.claim] ?? claim.claim),
      called && words.callOf(called.side ? strings[called.side] : ''),
    ].filter((item) => item !== null)
    return items.length ? html`<ul class="attention">${items.map((item) => html`<li>${item}</li>`)}</ul>` : nothing
  }

  private incident(one: Attention) {
    const { strings } = settings
    const words = consoleStrings().incidents[one.incident] ?? one.incident.replaceAll('_', ' ')
    const side = one.side ? strings[one.side] : ''
    return html`${words} <small>${[side, moveNumber(one.ply), one.article && strings.article(one.article)].filter(Boolean).join(' · ')}</small>`
  }

  private readonly now = () => this.feed.now()

  private async begin(): Promise<void> {
    try {
      this.standing = await this.client.standing()
      await this.ask()
    } catch (error) {
      this.missing = error instanceof Refused && error.status === 404
    }
  }

  private async ask(): Promise<void> {
    if (this.standing?.state !== 'signed_in') return
    try {
      this.boards = await this.client.boards()
    } catch (error) {
      // The session has ended, or the venue was started again: sign in once more.
      if (error instanceof Refused && error.status === 401) this.standing = { state: 'signed_out' }
    }
  }

  private readonly onStanding = (event: CustomEvent<Standing>) => {
    this.standing = event.detail
    void this.ask()
  }

  private async signOut(): Promise<void> {
    this.standing = await this.client.signOut()
    this.boards = []
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'arbiter-page': ArbiterPage
  }
}

// <game-page>: one game, followed live or stepped through.

import { html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { parseMove } from '../board/geometry'
import { kingOf, parseFen, placement, sideToMove, steps, type Side, type Step } from '../board/position'
import '../board/xiangqi-board'
import type { Feed } from '../feed/stream'
import type { Clock, Game, Ply } from '../feed/wire'
import { plyOf } from '../router'
import { Localized } from '../localized'
import { settings } from '../settings'
import { icon, type Icon } from '../style/icons'
import { controls } from '../style/shared'
import './captured-row'
import { gameStyle } from './game-style'
import { behindOf, clockOf, moveNumber, outcome, playerName, reason, stateOf, winner } from './game-view'
import './luozi-clock'
import './move-list'
import type { StepEvent } from './move-list'
import './share-bar'
import './time-chart'

@customElement('game-page')
export class GamePage extends Localized {
  @property({ attribute: false }) feed!: Feed
  @property() gameId = ''
  /** Only the diagram, the names and the clocks, for other people's pages. */
  @property({ type: Boolean, reflect: true }) embedded = false
  /** The ply that is shown; null follows the game. */
  @state() private shown: number | null = plyOf(location.hash)
  @state() private flipped = false
  private cache: { plies: readonly Ply[]; fen: string; steps: readonly Step[] } = { plies: [], fen: '', steps: [] }

  static override styles = [controls, gameStyle]

  override connectedCallback(): void {
    super.connectedCallback()
    window.addEventListener('keydown', this.onKey)
    window.addEventListener('hashchange', this.onHash)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener('keydown', this.onKey)
    window.removeEventListener('hashchange', this.onHash)
  }

  override render() {
    const { strings } = settings
    const game = this.feed.replica.game(this.gameId)
    if (!game) {
      const known = this.feed.replica.revision >= 0
      return html`<div class="empty">
        <p>${known ? strings.noSuchGame : strings.connecting}</p>
        ${known ? html`<p><a href="/">${strings.backToWall}</a></p>` : nothing}
      </div>`
    }
    const at = this.at(game)
    const far: Side = this.flipped ? 'red' : 'black'
    const near: Side = this.flipped ? 'black' : 'red'
    const step = this.stepAt(game, at)
    return html`<article @step=${this.onStep}>
      <section class="table" aria-label=${strings.boardLabel(this.where(game, at), '', '')}>
        ${this.player(game, far, step, at)} ${this.diagram(game, step, at)} ${this.player(game, near, step, at)}
      </section>
      ${this.embedded ? nothing : this.record(game, at, step)}
    </article>`
  }

  private diagram(game: Game, step: Step, at: number) {
    const { strings } = settings
    const live = this.shown === null
    const checked = (at > 0 ? game.plies[at - 1]?.check : false) === true
    return html`<div class="board ${game.online ? '' : 'away'}">
      <xiangqi-board
        numbers
        .position=${step.position}
        .lastMove=${step.move}
        .provisional=${live && game.provisional ? parseMove(game.provisional.move) : null}
        .check=${checked ? kingOf(step.position, this.toMove(game, at)) : -1}
        ?flipped=${this.flipped}
        script=${settings.script}
        .label=${strings.boardLabel(this.where(game, at), playerName(game, 'red', strings), playerName(game, 'black', strings))}
      ></xiangqi-board>
    </div>`
  }

  private player(game: Game, side: Side, step: Step, at: number) {
    const { strings } = settings
    const turn = !game.result && this.toMove(game, at) === side
    return html`<div class="player ${side} ${turn ? 'turn' : ''}">
      <span class="dot"></span>
      <div class="who">
        <span class="name">${playerName(game, side, strings)}</span>
        <captured-row .taken=${step.taken} by=${side}></captured-row>
      </div>
      ${game.clock ? html`<luozi-clock .clock=${this.clockAt(game, at)} side=${side} .now=${this.now} ?stale=${this.stale(game)}></luozi-clock>` : nothing}
    </div>`
  }

  private record(game: Game, at: number, step: Step) {
    const { strings } = settings
    const facts = [game.event, game.round && strings.roundOf(game.round), game.table && strings.table(game.table)]
    return html`<section class="record">
      <header>
        <h1>${playerName(game, 'red', strings)} <span class="versus">—</span> ${playerName(game, 'black', strings)}</h1>
        <p class="facts">${facts.filter(Boolean).join(' · ')}</p>
        <p class="news" role="status">${this.news(game)}</p>
      </header>
      <move-list .plies=${game.plies} first=${this.firstSide(game)} .shown=${at} tabindex="0" role="region" aria-label=${strings.moves}></move-list>
      ${this.steppers(game, at)}
      ${
        game.plies.some((ply) => ply.used_ms !== null)
          ? html`<time-chart .plies=${game.plies} first=${this.firstSide(game)} .shown=${at}></time-chart>`
          : nothing
      }
      <share-bar .game=${game} .fen=${this.fenAt(game, step, at)} .shown=${this.shown}></share-bar>
    </section>`
  }

  private news(game: Game) {
    const { strings } = settings
    if (game.result) return html`<b class="seal ${winner(game.result.score)}">${outcome(game.result, strings)}</b> ${reason(game.result, strings)}`
    if (!game.online) return html`<span class="warn">${strings.boardOffline}</span>`
    if (game.provisional) return html`<span class="pending">${strings.provisional}</span>`
    const side = this.toMove(game, game.ply_count) === 'red' ? strings.red : strings.black
    return game.phase === 'playing' ? strings.toMove(side) : stateOf(game, strings)
  }

  private steppers(game: Game, at: number) {
    const { strings } = settings
    const last = game.plies.length
    const button = (sign: Icon, label: string, to: number, off: boolean) =>
      html`<button aria-label=${label} title=${label} ?disabled=${off} @click=${() => {
        this.show(to)
      }}>${icon(sign)}</button>`
    const unseen = this.shown === null ? 0 : last - at
    return html`<nav class="steppers" title=${strings.keys}>
      ${button('first', strings.first, 0, at === 0)} ${button('previous', strings.previous, at - 1, at === 0)}
      ${button('next', strings.next, at + 1, at >= last)} ${button('latest', strings.latest, last, at >= last && this.shown === null)}
      <button aria-label=${strings.flip} title=${strings.flip} aria-pressed=${this.flipped} @click=${this.flip}>${icon('flip')}</button>
      ${
        this.shown === null
          ? html`<span class="live">${behindOf(game.behind, strings) || (game.result ? strings.over : strings.live)}</span>`
          : html`<button class="back" @click=${this.goLive}>${strings.backToLive}${unseen ? html` <small>${strings.newMoves(unseen)}</small>` : nothing}</button>`
      }
    </nav>`
  }

  private stepsOf(game: Game): readonly Step[] {
    if (game.plies !== this.cache.plies || game.start_fen !== this.cache.fen) {
      const moves = game.plies.map((ply) => ply.move)
      this.cache = { plies: game.plies, fen: game.start_fen, steps: steps(game.start_fen, moves) }
    }
    return this.cache.steps
  }

  // What stands now is what the board says: an arbiter may have set it, and then the moves do not lead there.
  private stepAt(game: Game, at: number): Step {
    const step = this.stepsOf(game)[at] ?? { position: [], move: null, taken: [] }
    if (at < game.plies.length || placement(step.position) === game.fen.split(' ')[0]) return step
    return { ...step, position: parseFen(game.fen) ?? step.position }
  }

  private at(game: Game): number {
    return Math.min(this.shown ?? game.plies.length, game.plies.length)
  }

  private firstSide(game: Game): Side {
    return sideToMove(game.start_fen)
  }

  private toMove(game: Game, at: number): Side {
    const first = this.firstSide(game)
    if (at % 2 === 0) return first
    return first === 'red' ? 'black' : 'red'
  }

  private fenAt(game: Game, step: Step, at: number): string {
    if (at === game.plies.length) return game.fen
    return `${placement(step.position)} ${this.toMove(game, at) === 'red' ? 'w' : 'b'} - - 0 ${moveNumber(at + 1)}`
  }

  // Looking back, the clocks show what they showed then, and stand still.
  private clockAt(game: Game, at: number): Clock | null {
    if (this.shown === null || at === game.plies.length) return clockOf(game)
    const ply = game.plies[at - 1]
    if (ply?.red_ms == null || ply.black_ms === null) return null
    return { red_ms: ply.red_ms, black_ms: ply.black_ms, running: null, at_utc_ms: 0 }
  }

  private where(game: Game, at: number): string {
    const { strings } = settings
    const ply = game.plies[at - 1]
    return ply ? strings.afterMove(moveNumber(at), settings.text(ply)) : strings.startPosition
  }

  private stale(game: Game): boolean {
    return !game.online || this.feed.connection !== 'live' || this.feed.replica.relay !== 'connected'
  }

  private readonly now = () => this.feed.now()

  private show(ply: number): void {
    const game = this.feed.replica.game(this.gameId)
    if (!game) return
    this.shown = Math.max(0, Math.min(ply, game.plies.length))
    history.replaceState(null, '', `#${this.shown}`)
  }

  private readonly goLive = () => {
    this.shown = null
    history.replaceState(null, '', location.pathname + location.search)
  }

  private readonly flip = () => {
    this.flipped = !this.flipped
  }

  private onStep(event: StepEvent): void {
    this.show(event.detail)
  }

  private readonly onHash = () => {
    this.shown = plyOf(location.hash)
  }

  private readonly onKey = (event: KeyboardEvent) => {
    const typing = event.composedPath().some((one) => one instanceof HTMLSelectElement || one instanceof HTMLInputElement)
    const game = this.feed.replica.game(this.gameId)
    if (typing || !game || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const at = this.at(game)
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => {
        this.show(at - 1)
      },
      ArrowRight: () => {
        if (at < game.plies.length) this.show(at + 1)
        else this.goLive()
      },
      Home: () => {
        this.show(0)
      },
      End: this.goLive,
      f: this.flip,
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'game-page': GamePage
  }
}

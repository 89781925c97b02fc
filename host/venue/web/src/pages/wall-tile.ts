// <wall-tile>: one board on the wall.

import { css, html, nothing } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import '../board/xiangqi-board'
import { parseMove } from '../board/geometry'
import { kingOf, parseFen, sideToMove, type Position, type Side } from '../board/position'
import type { Summary } from '../feed/wire'
import { Localized } from '../localized'
import { settings } from '../settings'
import { cause, clockOf, moveNumber, outcome, playerName, stateOf, winner } from './game-view'
import './luozi-clock'
import type { Layout } from './arrange'

@customElement('wall-tile')
export class WallTile extends Localized {
  @property({ attribute: false }) game!: Summary
  @property({ attribute: false }) now: () => number = Date.now
  /** True while what is shown may be out of date. */
  @property({ type: Boolean }) stale = false
  /** Pieces jump instead of gliding. */
  @property({ type: Boolean }) still = false
  @property({ reflect: true }) layout: Layout = 'tall'
  private standing: { position: Position; fen: string; id: string } = { position: [], fen: '', id: '' }

  static override styles = css`
    :host { display: block; container-type: inline-size; contain: content; min-width: 0; }
    a { display: grid; color: inherit; text-decoration: none; height: 100%; border-radius: 0.4rem; }
    a:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
    .board { position: relative; }
    .player { display: flex; align-items: center; gap: 2cqi; min-width: 0; }
    .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .dot { flex: none; width: 0.62em; height: 0.62em; border-radius: 50%; background: var(--black); }
    .red .dot { background: var(--red); }
    .news { display: flex; align-items: baseline; gap: 2.5cqi; min-width: 0; color: var(--quiet); }
    .news b { font-weight: inherit; color: var(--ink); white-space: nowrap; }
    .state { color: var(--quiet); white-space: nowrap; }
    .state.check, .state.red-won { color: var(--red); }
    .state.black-won { color: var(--ink); }
    .state.offline { color: var(--warn); }
    .table { white-space: nowrap; }

    :host([layout='tall']) a { grid-template: 'black' auto 'board' auto 'red' auto 'news' auto / 100%; align-content: start; }
    :host([layout='tall']) .player { font-size: 8.6cqi; height: 13cqi; }
    :host([layout='tall']) luozi-clock { margin-left: auto; font-size: 10cqi; }
    :host([layout='tall']) .news { font-size: 7.4cqi; height: 10.5cqi; }
    :host([layout='tall']) .state { margin-left: auto; }

    :host([layout='wide']) a { grid-template: 'board black' 1fr 'board news' auto 'board red' 1fr / 64.1% minmax(0, 1fr); column-gap: 2.6cqi; }
    :host([layout='wide']) .player { flex-direction: column; align-items: flex-start; justify-content: flex-start; gap: 0.6cqi; font-size: 5.6cqi; }
    :host([layout='wide']) .player.red { flex-direction: column-reverse; }
    :host([layout='wide']) .player .who { display: flex; align-items: center; gap: 1.5cqi; max-width: 100%; }
    :host([layout='wide']) luozi-clock { font-size: 8.4cqi; }
    :host([layout='wide']) luozi-clock[stale] { font-size: 7.4cqi; }
    :host([layout='wide']) .news { flex-flow: row wrap; font-size: 4.8cqi; gap: 0.2cqi 2cqi; border-block: 1px solid var(--line); padding-block: 1.4cqi; }
    :host([layout='wide']) .news b, :host([layout='wide']) .state { flex-basis: 100%; }
    :host([layout='wide']) .news b { font-size: 6.8cqi; line-height: 1.25; }

    .who { display: flex; align-items: center; gap: 2cqi; min-width: 0; }
    .seal {
      position: absolute; inset: 0; display: grid; place-items: center; pointer-events: none;
    }
    .seal span {
      font-size: 13cqi; line-height: 1.1; padding: 1.6cqi 4cqi; color: #fff5e6; background: #5d4a26;
      border-radius: 1.6cqi; box-shadow: 0 0 0 0.7cqi #fff5e6 inset, 0 1cqi 3cqi #0005; border: 0.8cqi solid #5d4a26;
      transform: rotate(-3deg); opacity: 0.95;
    }
    .seal .red-won { background: var(--seal); border-color: var(--seal); }
    .seal .black-won { background: #22292b; border-color: #22292b; }
    :host([layout='wide']) .seal span { font-size: 8cqi; }
    .settled xiangqi-board { filter: saturate(0.55) brightness(0.97); }
    .away xiangqi-board { filter: grayscale(0.8); }
  `

  override render() {
    const { game } = this
    const { strings } = settings
    const result = game.result
    const settled = result ? 'settled' : game.online ? '' : 'away'
    return html`<a href="/game/${encodeURIComponent(game.id)}">
      ${this.player('black')}
      <div class="board ${settled}" style="grid-area: board">
        <xiangqi-board
          bold
          ?still=${this.still}
          .position=${this.position()}
          .lastMove=${game.last ? parseMove(game.last.move) : null}
          .provisional=${game.provisional ? parseMove(game.provisional.move) : null}
          .check=${this.checkedKing()}
          script=${settings.script}
          .label=${strings.boardLabel(this.where(), playerName(game, 'red', strings), playerName(game, 'black', strings))}
        ></xiangqi-board>
        ${result ? html`<div class="seal" aria-hidden="true"><span class=${this.stateClass()}>${outcome(result, strings)}</span></div>` : nothing}
      </div>
      ${this.player('red')}
      <div class="news" style="grid-area: news">
        <span class="table">${game.table ? strings.table(game.table) : game.board}</span>
        ${game.last ? html`<span>· ${moveNumber(game.ply_count)}</span> <b>${settings.text(game.last)}</b>` : nothing}
        <span class="state ${this.stateClass()}">${this.state()}</span>
      </div>
    </a>`
  }

  private player(side: Side) {
    const { game } = this
    return html`<div class="player ${side}" style="grid-area: ${side}">
      <span class="who"><span class="dot"></span><span class="name">${playerName(game, side, settings.strings)}</span></span>
      ${game.clock ? html`<luozi-clock .clock=${clockOf(game)} side=${side} .now=${this.now} ?stale=${this.stale || !game.online}></luozi-clock>` : nothing}
    </div>`
  }

  // The pieces keep their numbers from one position to the next, so that the one that moved glides.
  private position(): Position {
    const { fen, id, last } = this.game
    if (fen === this.standing.fen && id === this.standing.id) return this.standing.position
    const fresh = parseFen(fen) ?? []
    const position = id === this.standing.id ? carryIds(this.standing.position, fresh, last?.move) : fresh
    this.standing = { position, fen, id }
    return position
  }

  private checkedKing(): number {
    const { last, fen, result } = this.game
    return last?.check && !result ? kingOf(this.position(), sideToMove(fen)) : -1
  }

  private where(): string {
    const { game } = this
    const { strings } = settings
    return game.last ? strings.afterMove(moveNumber(game.ply_count), settings.text(game.last)) : strings.startPosition
  }

  // That a game is being played needs no word, and who won stands on the seal.
  private state(): string {
    const { game } = this
    if (game.result) return cause(game.result, settings.strings)
    const quiet = game.phase === 'playing' && game.online && !game.last?.check
    return quiet ? '' : stateOf(game, settings.strings)
  }

  private stateClass(): string {
    const { game } = this
    if (game.result) return winner(game.result.score)
    if (!game.online) return 'offline'
    return game.last?.check ? 'check' : ''
  }
}

// Gives the pieces of a fresh position the numbers of those that stood there before. A piece that has moved
// takes its number along; whatever cannot be matched gets a new one and simply appears.
function carryIds(before: Position, fresh: Position, lastMove: string | undefined): Position {
  const move = lastMove ? parseMove(lastMove) : null
  const from = move ? move.from.rank * 9 + move.from.file : -1
  const to = move ? move.to.rank * 9 + move.to.file : -1
  let free = Math.max(-1, ...before.map((piece) => piece?.id ?? -1)) + 1
  return fresh.map((piece, point) => {
    if (!piece) return null
    const old = before[point === to ? from : point]
    const same = old?.kind === piece.kind && old.side === piece.side
    return { ...piece, id: same ? old.id : free++ }
  })
}

declare global {
  interface HTMLElementTagNameMap {
    'wall-tile': WallTile
  }
}

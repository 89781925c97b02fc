// <xiangqi-board>: the diagram. It shows a position that it is handed and knows no rules.

import { LitElement, css, html, nothing, svg, type SVGTemplateResult } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import { FILES, index, place, type Move, type Square } from './geometry'
import { START_FEN, parseFen, play, type Kind, type Piece, type Position, type Side } from './position'
import { board, glyph, viewBox, woodStyle } from './wood'

type Script = 'hans' | 'hant'

/** The characters that pieces carry, by side and script. */
export const FACES: Record<Side, Record<Script, Record<Kind, string>>> = {
  red: {
    hans: { k: '帅', a: '仕', b: '相', n: '马', r: '车', c: '炮', p: '兵' },
    hant: { k: '帥', a: '仕', b: '相', n: '傌', r: '俥', c: '炮', p: '兵' },
  },
  black: {
    hans: { k: '将', a: '士', b: '象', n: '马', r: '车', c: '炮', p: '卒' },
    hant: { k: '將', a: '士', b: '象', n: '馬', r: '車', c: '砲', p: '卒' },
  },
}

/** One disc around the origin. A bold one, for small boards, has a larger character and no groove. */
export function disc(side: Side, kind: Kind, script: Script, bold = false): SVGTemplateResult {
  const face = FACES[side][script][kind]
  return svg`
    <circle class="rim" r=${bold ? 47 : 45} />
    <circle class="face" r=${bold ? 44 : 42.5} fill="url(#face)" />
    <g class="${side} ${bold ? 'bold' : ''}">
      ${bold ? nothing : svg`<circle class="groove" r="36.5" />`}
      ${glyph(face, 0, 0, bold ? 0.74 : 0.6)}
    </g>`
}

/** Colours of the pieces. */
export const discStyle = css`
  .rim { fill: #9a6a34; }
  .groove { fill: none; stroke-width: 2.2; }
  .red { fill: #a5140f; }
  .red .groove { stroke: #a5140f; }
  .black { fill: #16211f; }
  .bold { stroke-width: 2.5; stroke-linejoin: round; }
  .bold.red { stroke: #a5140f; }
  .bold.black { stroke: #16211f; }
  .black .groove { stroke: #16211f; }
`

/** The diagram of a position: Red at the bottom unless flipped. */
@customElement('xiangqi-board')
export class XiangqiBoard extends LitElement {
  /** The ninety points. */
  @property({ attribute: false }) position: Position = parseFen(START_FEN) ?? []
  /** The move that led here; both its ends are marked. */
  @property({ attribute: false }) lastMove: Move | null = null
  /** A move that hands have made and that is not yet committed. */
  @property({ attribute: false }) provisional: Move | null = null
  /** The number of the point of a king that stands in check, or -1. */
  @property({ type: Number }) check = -1
  /** Puts Black at the bottom. */
  @property({ type: Boolean }) flipped = false
  /** Shows the numbers of the files on both edges. */
  @property({ type: Boolean }) numbers = false
  /** Draws for a small size: larger characters, stronger marks. */
  @property({ type: Boolean, reflect: true }) bold = false
  /** One of many: pieces jump instead of gliding and are drawn plainly, because all of it together costs too much. */
  @property({ type: Boolean, reflect: true }) still = false
  /** The script of the characters. */
  @property() script: Script = 'hans'
  /** What a screen reader says. */
  @property() label = ''

  static override styles = [
    woodStyle,
    discStyle,
    css`
      :host { display: block; contain: content; }
      /* A layer of its own: a move on one board must not paint the others again. */
      svg { display: block; width: 100%; height: 100%; will-change: transform; }
      .piece { transition: transform 280ms cubic-bezier(0.3, 0.1, 0.2, 1); }
      .shade { fill: url(#shadow); }
      :host([still]) .piece { transition: none; }
      :host([still]) .face { fill: #f0dab0; }
      :host([still]) .shade { fill: #1c0f04; fill-opacity: 0.25; r: 46px; }
      :host([still]) .grain { display: none; }
      .corner { fill: none; stroke: #0f5f8a; stroke-width: 6; stroke-linecap: round; }
      :host([bold]) .corner { stroke-width: 9; }
      .origin { fill: #0f5f8a; fill-opacity: 0.16; stroke: #0f5f8a; stroke-width: 3.5; }
      .pending { opacity: 0.62; }
      .pending-ring { fill: none; stroke: #0f5f8a; stroke-width: 5; stroke-dasharray: 11 9; }
      .leaving { opacity: 0.3; }
      .check { fill: none; stroke: #c8281c; stroke-width: 7; }
      @media (prefers-reduced-motion: reduce) { .piece { transition: none; } }
      @media (forced-colors: active) { svg { forced-color-adjust: none; } }
    `,
  ]

  override render() {
    return html`<svg viewBox=${viewBox(this.numbers)} role="img" aria-label=${this.label}>
      ${board(this.script, this.flipped, this.numbers)} ${this.originOf(this.lastMove)} ${this.pieces()}
      ${this.marks()}
    </svg>`
  }

  private at(square: Square) {
    return place(square, this.flipped)
  }

  // The point that the last move left: empty now, so a ring lies on the wood.
  private originOf(move: Move | null) {
    if (!move || this.provisional) return nothing
    const { x, y } = this.at(move.from)
    return svg`<circle class="origin" cx=${x} cy=${y} r="30" />`
  }

  private pieces() {
    const pending = this.provisional
    const shown = pending ? play(this.position, pending).position : this.position
    const standing: { piece: Piece; square: Square; pending: boolean }[] = []
    for (const [point, piece] of shown.entries()) {
      if (!piece) continue
      const square = { file: point % FILES, rank: Math.floor(point / FILES) }
      standing.push({ piece, square, pending: pending !== null && index(pending.to) === point })
    }
    standing.sort((a, b) => a.piece.id - b.piece.id)
    return repeat(
      standing,
      ({ piece }) => piece.id,
      ({ piece, square, pending: unsettled }) => {
        const { x, y } = this.at(square)
        return svg`<g class="piece ${unsettled ? 'pending' : ''}" style="transform: translate(${x}px, ${y}px)">
          <circle class="shade" cx="2" cy="6" r="50" />${disc(piece.side, piece.kind, this.script, this.bold)}</g>`
      },
    )
  }

  private marks() {
    const pending = this.provisional
    if (pending) {
      const from = this.at(pending.from)
      const to = this.at(pending.to)
      const mover = this.position[index(pending.from)]
      return svg`
        ${mover ? svg`<g class="leaving" transform="translate(${from.x} ${from.y})">${disc(mover.side, mover.kind, this.script, this.bold)}</g>` : nothing}
        <circle class="pending-ring" cx=${from.x} cy=${from.y} r="47" />
        <circle class="pending-ring" cx=${to.x} cy=${to.y} r="47" />`
    }
    const check = this.check >= 0 ? this.at({ file: this.check % FILES, rank: Math.floor(this.check / FILES) }) : null
    const to = this.lastMove ? this.at(this.lastMove.to) : null
    return svg`
      ${check ? svg`<circle class="check" cx=${check.x} cy=${check.y} r="48" />` : nothing}
      ${to ? svg`<path class="corner" transform="translate(${to.x} ${to.y})" d="M-47-30V-47H-30M30-47H47V-30M47 30V47H30M-30 47H-47V30" />` : nothing}`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'xiangqi-board': XiangqiBoard
  }
}

// <captured-row>: the pieces that one side has taken, as small discs.

import { css, html, svg } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import type { Piece, Side } from '../board/position'
import { disc, discStyle } from '../board/xiangqi-board'
import { Localized } from '../localized'
import { settings } from '../settings'

const ORDER = 'rncabpk'

@customElement('captured-row')
export class CapturedRow extends Localized {
  /** Everything that has left the board. */
  @property({ attribute: false }) taken: readonly Piece[] = []
  /** The side that took. */
  @property() by: Side = 'red'

  static override styles = [
    discStyle,
    css`
      :host { display: block; min-height: 1.4em; }
      .face { fill: #f3deb2; }
      .row { display: flex; flex-wrap: wrap; }
      svg { width: 1.4em; height: 1.4em; margin-right: -0.25em; }
    `,
  ]

  override render() {
    const { strings, script } = settings
    const pieces = this.taken
      .filter((piece) => piece.side !== this.by)
      .sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
    const side = this.by === 'red' ? strings.red : strings.black
    return html`<div class="row" role="img" aria-label="${strings.captured(side)}: ${pieces.length}">
      ${pieces.map(({ side: own, kind }) => html`<svg viewBox="-48 -48 96 96" aria-hidden="true">${svg`${disc(own, kind, script)}`}</svg>`)}
    </div>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'captured-row': CapturedRow
  }
}

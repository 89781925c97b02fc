// <time-chart>: how long each move took; Red's bars rise, Black's hang. Fires `step` with the chosen ply.

import { css, html, nothing, svg } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import type { Side } from '../board/position'
import { formatUsed } from '../clock'
import type { Ply } from '../feed/wire'
import { Localized } from '../localized'
import { settings } from '../settings'
import { StepEvent } from './move-list'

const HEIGHT = 72
const BAR = 6
/** The chart keeps this many bars' width even for a short game, so that it does not jump as it grows. */
const LEAST_BARS = 60

@customElement('time-chart')
export class TimeChart extends Localized {
  @property({ attribute: false }) plies: readonly Ply[] = []
  @property() first: Side = 'red'
  @property({ type: Number }) shown = 0

  static override styles = css`
    :host { display: block; }
    svg { display: block; width: 100%; height: 5rem; }
    .red { fill: var(--red); }
    .black { fill: var(--black); }
    .axis { stroke: var(--quiet); stroke-width: 1; vector-effect: non-scaling-stroke; }
    .shown { fill: var(--focus); opacity: 0.25; }
    .hit { fill: transparent; cursor: pointer; }
  `

  override render() {
    const { strings } = settings
    const longest = Math.max(1000, ...this.plies.map((ply) => ply.used_ms ?? 0))
    const width = Math.max(LEAST_BARS, this.plies.length) * BAR
    const middle = HEIGHT / 2
    return html`<svg
      viewBox="0 0 ${width} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${strings.timeChart}, ≤ ${formatUsed(longest)}"
      @click=${this.choose}
    >
      ${this.shown > 0 ? svg`<rect class="shown" x=${(this.shown - 1) * BAR - 1} y="0" width=${BAR} height=${HEIGHT} />` : nothing}
      ${this.plies.map((ply, at) => {
        if (ply.used_ms === null) return nothing
        const red = (at % 2 === 0) === (this.first === 'red')
        // A square root keeps short moves visible beside a long think.
        const tall = Math.sqrt(ply.used_ms / longest) * (middle - 2)
        return svg`<rect class=${red ? 'red' : 'black'} x=${at * BAR} y=${red ? middle - tall : middle} width=${BAR - 2} height=${tall}><title>${strings.timeOf(settings.text(ply), formatUsed(ply.used_ms))}</title></rect>`
      })}
      <line class="axis" x1="0" x2=${width} y1=${middle} y2=${middle} />
    </svg>`
  }

  private choose(event: MouseEvent): void {
    const chart = event.currentTarget as SVGElement
    const { left, width } = chart.getBoundingClientRect()
    const bars = Math.max(LEAST_BARS, this.plies.length)
    const ply = Math.floor(((event.clientX - left) / width) * bars) + 1
    if (ply >= 1 && ply <= this.plies.length) this.dispatchEvent(new StepEvent(ply))
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'time-chart': TimeChart
  }
}

// The still part of the drawing: wood, lines, palace, river, point marks and file numbers.

import { css, svg, type SVGTemplateResult } from 'lit'
import { FILES, PITCH, RANKS } from './geometry'
import { OUTLINES } from './glyphs'

const WIDTH = (FILES - 1) * PITCH
const HEIGHT = (RANKS - 1) * PITCH
/** Room around the outermost lines: half a piece, and the frame. */
const MARGIN = 66
/** Room for the file numbers, where they are shown. */
const NUMBERS = 34

/** The part of the plane that the board fills. */
export function viewBox(numbers: boolean): string {
  const rim = MARGIN + (numbers ? NUMBERS : 0)
  return `${-MARGIN} ${-rim} ${WIDTH + 2 * MARGIN} ${HEIGHT + 2 * rim}`
}

/** Width over height of the board, for layouts that must fit many. */
export function aspect(numbers: boolean): number {
  return (WIDTH + 2 * MARGIN) / (HEIGHT + 2 * (MARGIN + (numbers ? NUMBERS : 0)))
}

/** A character whose middle is at a point. */
export function glyph(character: string, x: number, y: number, scale: number, turn = 0): SVGTemplateResult {
  return svg`<path transform="translate(${x} ${y}) rotate(${turn}) scale(${scale})" d=${OUTLINES[character] ?? ''} />`
}

// Year rings that were cut lengthwise: long, slightly uneven lines. A fixed recurrence stands for
// chance, so that every board is the same piece of wood and is drawn the same in every browser.
function grain(): string {
  let seed = 20_17
  const next = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  let path = ''
  for (let y = -MARGIN - NUMBERS; y < HEIGHT + MARGIN + NUMBERS; y += 9 + next() * 30) {
    const bend = (next() - 0.5) * 46
    path += `M${-MARGIN} ${y.toFixed(0)}C${WIDTH * 0.3} ${(y + bend).toFixed(0)} ${WIDTH * 0.7} ${(y - bend).toFixed(0)} ${WIDTH + MARGIN} ${(y + bend * 0.3).toFixed(0)}`
  }
  return path
}

function lines(): string {
  let path = ''
  for (let rank = 0; rank < RANKS; rank++) path += `M0 ${rank * PITCH}H${WIDTH}`
  for (let file = 0; file < FILES; file++) {
    const x = file * PITCH
    const edge = file === 0 || file === FILES - 1
    path += edge ? `M${x} 0V${HEIGHT}` : `M${x} 0V${4 * PITCH}M${x} ${5 * PITCH}V${HEIGHT}`
  }
  for (const top of [0, 7 * PITCH]) path += `M300 ${top}L500 ${top + 200}M500 ${top}L300 ${top + 200}`
  return path
}

// The small angles at the points where cannons and pawns start.
function marks(): string {
  const points = [1, 7].flatMap((file) => [2, 7].map((row) => [file, row] as const))
  for (const file of [0, 2, 4, 6, 8]) points.push([file, 3], [file, 6])
  let path = ''
  for (const [file, row] of points) {
    for (const across of [-1, 1]) {
      if ((file === 0 && across < 0) || (file === FILES - 1 && across > 0)) continue
      for (const down of [-1, 1]) {
        const x = file * PITCH + across * 9
        const y = row * PITCH + down * 9
        path += `M${x + across * 15} ${y}H${x}V${y + down * 15}`
      }
    }
  }
  return path
}

const GRAIN = grain()
const LINES = lines()
const MARKS = marks()

const RED_NUMBERS = '一二三四五六七八九'
const BLACK_NUMBERS = '123456789'

// Each side counts the files from its own right hand; the numbers stand on that side's edge.
function fileNumbers(flipped: boolean): SVGTemplateResult[] {
  const edge = MARGIN + NUMBERS / 2 - 8
  return Array.from({ length: FILES }, (_, column) => {
    const fromRight = FILES - 1 - column
    const near = flipped ? BLACK_NUMBERS : RED_NUMBERS
    const far = flipped ? RED_NUMBERS : BLACK_NUMBERS
    return svg`
      ${glyph(far[column] ?? '', column * PITCH, -edge, 0.26)}
      ${glyph(near[fromRight] ?? '', column * PITCH, HEIGHT + edge, 0.26)}`
  })
}

/** The board without its pieces. */
export function board(script: 'hans' | 'hant', flipped: boolean, numbers: boolean): SVGTemplateResult {
  const rim = MARGIN + (numbers ? NUMBERS : 0)
  const river = script === 'hans' ? '楚河汉界' : '楚河漢界'
  // The two halves of the river are read by the players across it, so each faces its own side.
  const middle = 4.5 * PITCH
  return svg`
    <defs>
      <linearGradient id="wood" x1="0" y1="0" x2="0.25" y2="1">
        <stop offset="0" class="wood-light" /><stop offset="1" class="wood-deep" />
      </linearGradient>
      <radialGradient id="face" cx="0.4" cy="0.32" r="0.8">
        <stop offset="0" class="face-light" /><stop offset="0.65" class="face-middle" /><stop offset="1" class="face-deep" />
      </radialGradient>
      <radialGradient id="shadow" cx="0.5" cy="0.5" r="0.5">
        <stop offset="0.72" stop-color="#1c0f04" stop-opacity="0.5" /><stop offset="1" stop-color="#1c0f04" stop-opacity="0" />
      </radialGradient>
    </defs>
    <rect class="slab" x=${-MARGIN} y=${-rim} width=${WIDTH + 2 * MARGIN} height=${HEIGHT + 2 * rim} rx="10" fill="url(#wood)" />
    <path class="grain" d=${GRAIN} />
    <rect class="bevel" x=${-MARGIN + 5} y=${-rim + 5} width=${WIDTH + 2 * MARGIN - 10} height=${HEIGHT + 2 * rim - 10} rx="7" />
    <rect class="border" x="-9" y="-9" width=${WIDTH + 18} height=${HEIGHT + 18} />
    <path class="line" d=${LINES} />
    <path class="mark" d=${MARKS} />
    <g class="ink">
      ${glyph(river[0] ?? '', 1.4 * PITCH, middle, 0.62, 0)}
      ${glyph(river[1] ?? '', 2.6 * PITCH, middle, 0.62, 0)}
      ${glyph(river[2] ?? '', 5.4 * PITCH, middle, 0.62, 0)}
      ${glyph(river[3] ?? '', 6.6 * PITCH, middle, 0.62, 0)}
      ${numbers ? fileNumbers(flipped) : ''}
    </g>`
}

/** Colours of the wood and the ink. */
export const woodStyle = css`
  .wood-light { stop-color: var(--wood-light, #e9c88f); }
  .wood-deep { stop-color: var(--wood-deep, #d3a462); }
  .face-light { stop-color: #fdf0d2; }
  .face-middle { stop-color: #f0d6a4; }
  .face-deep { stop-color: #cfa264; }
  .slab { stroke: #7a4b22; stroke-width: 6; }
  .grain { fill: none; stroke: #8a5523; stroke-width: 2.4; opacity: 0.16; }
  .bevel { fill: none; stroke: #fbe3b4; stroke-width: 2; opacity: 0.45; }
  .border { fill: none; stroke: #4b2c12; stroke-width: 5; }
  .line { fill: none; stroke: #4b2c12; stroke-width: 2.6; }
  .mark { fill: none; stroke: #4b2c12; stroke-width: 2.6; }
  .ink { fill: #4b2c12; opacity: 0.82; }
`

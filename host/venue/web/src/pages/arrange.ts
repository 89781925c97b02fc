// How many boards fit on a screen, and how large.

/** `tall`: names and clocks above and below the board. `wide`: beside it. */
export type Layout = 'tall' | 'wide'

export interface Arrangement {
  readonly layout: Layout
  readonly columns: number
  readonly rows: number
  /** The width of a board, in the unit in which the room was given. */
  readonly board: number
  /** The width of a tile. */
  readonly tile: number
}

/** Width over height of a board. */
const BOARD = 932 / 1032
/** Height of a tall tile over its board's width: the board, two lines of names, one line of news. */
export const TALL = 1 / BOARD + 0.4
/** Width of a wide tile over its board's width: the board and a column for names and clocks. */
export const WIDE = 1.56
/** A board narrower than this many pixels cannot be read across a hall. */
const SMALLEST = 128

function fit(layout: Layout, count: number, columns: number, width: number, height: number, gap: number): Arrangement {
  const rows = Math.ceil(count / columns)
  const cellWidth = (width - gap * (columns - 1)) / columns
  const cellHeight = (height - gap * (rows - 1)) / rows
  const board = layout === 'tall' ? Math.min(cellWidth, cellHeight / TALL) : Math.min(cellWidth / WIDE, cellHeight * BOARD)
  return { layout, columns, rows, board, tile: layout === 'tall' ? board : board * WIDE }
}

/** The arrangement of `count` tiles in a room that makes the boards largest. */
export function arrange(count: number, width: number, height: number, gap: number): Arrangement {
  let best = fit('tall', count, 1, width, height, gap)
  for (let columns = 1; columns <= count; columns++) {
    for (const layout of ['tall', 'wide'] as const) {
      const candidate = fit(layout, count, columns, width, height, gap)
      if (candidate.board > best.board) best = candidate
    }
  }
  return best
}

/** How many of `count` tiles one page should hold so that each board can be read; the pages are even. */
export function perPage(count: number, width: number, height: number, gap: number): number {
  let pages = 1
  while (pages < count && arrange(Math.ceil(count / pages), width, height, gap).board < SMALLEST) pages += 1
  return Math.max(1, Math.ceil(count / pages))
}

// How the rounds of a game fall on sheets of A4: two columns a page, and room below the last for result and signatures.

/** A round of the game: its number and the plies of both sides, counted from 0. */
export interface Round {
  readonly number: number
  readonly red: number | null
  readonly black: number | null
}

/** One page: two columns of rounds. */
export type Page = readonly [readonly Round[], readonly Round[]]

/** Rows of a column: of the first page, which has the heads of the game, and of the others. */
export const ROWS = { first: 36, other: 42 } as const
/** Rows that result, fouls and signatures take. */
export const FOOT = 10

/** The rounds of a game of so many plies. */
export function rounds(plies: number, first: 'red' | 'black'): readonly Round[] {
  const lead = first === 'black' ? 1 : 0
  const count = Math.ceil((plies + lead) / 2)
  const at = (ply: number) => (ply >= 0 && ply < plies ? ply : null)
  return Array.from({ length: count }, (_, row) => ({ number: row + 1, red: at(row * 2 - lead), black: at(row * 2 + 1 - lead) }))
}

/** The pages that the rounds need. There is always one, and the last has room for the foot. */
export function paginate(all: readonly Round[]): readonly Page[] {
  const pages: Page[] = []
  let rest = all
  for (;;) {
    const rows = pages.length ? ROWS.other : ROWS.first
    const last = rest.length <= 2 * (rows - FOOT)
    const taken = last ? rest : rest.slice(0, 2 * rows)
    // A last page fills its first column as far as it would go, so that sheets of short games look alike.
    const column = last ? rows - FOOT : rows
    pages.push([taken.slice(0, column), taken.slice(column)])
    rest = rest.slice(taken.length)
    if (last) return pages
  }
}

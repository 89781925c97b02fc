// Squares and where they lie on the drawing. Files a–i run from Red's left hand, ranks 0–9 from Red's
// home row; the drawing has one hundred units between neighbouring points and Red at the bottom.

/** A point of the board: `file` 0–8 from Red's left, `rank` 0–9 from Red's home row. */
export interface Square {
  readonly file: number
  readonly rank: number
}

/** A move from one point to another. */
export interface Move {
  readonly from: Square
  readonly to: Square
}

export const FILES = 9
export const RANKS = 10
/** Units between neighbouring points. */
export const PITCH = 100

/** The number of a square, 0–89, a0 first and i9 last. */
export function index(square: Square): number {
  return square.rank * FILES + square.file
}

/** Reads a square such as `e0`; null when it is none. */
export function parseSquare(text: string): Square | null {
  if (!/^[a-i][0-9]$/.test(text)) return null
  return { file: text.charCodeAt(0) - 97, rank: text.charCodeAt(1) - 48 }
}

/** Reads a move such as `h2e2`; null when it is none. */
export function parseMove(text: string): Move | null {
  const from = parseSquare(text.slice(0, 2))
  const to = parseSquare(text.slice(2))
  return from && to ? { from, to } : null
}

/** Where a square lies on the drawing, relative to the upper left point. */
export function place(square: Square, flipped: boolean): { x: number; y: number } {
  const column = flipped ? FILES - 1 - square.file : square.file
  const row = flipped ? square.rank : RANKS - 1 - square.rank
  return { x: column * PITCH, y: row * PITCH }
}

// What stands where. The venue has already judged every move; here pieces are only put where it says.

import { FILES, RANKS, index, parseMove, type Move } from './geometry'

export type Side = 'red' | 'black'
/** FEN letters, lower case: king, advisor, elephant, horse, rook, cannon, pawn. */
export type Kind = 'k' | 'a' | 'b' | 'n' | 'r' | 'c' | 'p'

/** One physical piece. `id` stays with it for the whole game, so that its disc can glide. */
export interface Piece {
  readonly id: number
  readonly side: Side
  readonly kind: Kind
}

/** The ninety points, `a0` first; null where nothing stands. */
export type Position = readonly (Piece | null)[]

/** The position in which every game starts unless its record says otherwise. */
export const START_FEN = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'

const KINDS: ReadonlySet<string> = new Set(['k', 'a', 'b', 'n', 'r', 'c', 'p'])

/** Reads the placement of a FEN; null when it does not describe nine files by ten ranks. */
export function parseFen(fen: string): Position | null {
  const rows = (fen.split(' ')[0] ?? '').split('/')
  if (rows.length !== RANKS) return null
  const points = new Array<Piece | null>(FILES * RANKS).fill(null)
  let id = 0
  for (const [row, text] of rows.entries()) {
    let file = 0
    for (const letter of text) {
      if (/[1-9]/.test(letter)) {
        file += Number(letter)
        continue
      }
      const kind = letter.toLowerCase()
      if (!KINDS.has(kind) || file >= FILES) return null
      const side: Side = letter === kind ? 'black' : 'red'
      points[index({ file, rank: RANKS - 1 - row })] = { id: id++, side, kind: kind as Kind }
      file += 1
    }
    if (file !== FILES) return null
  }
  return points
}

/** Whose turn a FEN says it is. */
export function sideToMove(fen: string): Side {
  return fen.split(' ')[1] === 'b' ? 'black' : 'red'
}

/** The position after a move, and the piece that it took. */
export function play(position: Position, move: Move): { position: Position; captured: Piece | null } {
  const next = [...position]
  const from = index(move.from)
  const to = index(move.to)
  const captured = next[to] ?? null
  next[to] = next[from] ?? null
  next[from] = null
  return { position: next, captured }
}

/** Everything that one step of a game shows. */
export interface Step {
  readonly position: Position
  readonly move: Move | null
  /** The pieces that have left the board so far, in the order in which they left. */
  readonly taken: readonly Piece[]
}

/** All steps of a game, the start position first. Stops at a move that cannot be read. */
export function steps(fen: string, moves: readonly string[]): readonly Step[] {
  let position = parseFen(fen) ?? parseFen(START_FEN) ?? []
  let taken: readonly Piece[] = []
  const all: Step[] = [{ position, move: null, taken }]
  for (const text of moves) {
    const move = parseMove(text)
    if (!move) break
    const after = play(position, move)
    position = after.position
    if (after.captured) taken = [...taken, after.captured]
    all.push({ position, move, taken })
  }
  return all
}

/** Where a side's king stands, as the number of its point; -1 when it has none. */
export function kingOf(position: Position, side: Side): number {
  return position.findIndex((piece) => piece?.kind === 'k' && piece.side === side)
}

/** The placement field of a FEN for a position. */
export function placement(position: Position): string {
  const rows: string[] = []
  for (let rank = RANKS - 1; rank >= 0; rank--) {
    let row = ''
    let gap = 0
    for (let file = 0; file < FILES; file++) {
      const piece = position[index({ file, rank })]
      if (!piece) {
        gap += 1
        continue
      }
      if (gap) row += String(gap)
      gap = 0
      row += piece.side === 'red' ? piece.kind.toUpperCase() : piece.kind
    }
    rows.push(gap ? `${row}${gap}` : row)
  }
  return rows.join('/')
}

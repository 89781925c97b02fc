// What an arbiter must see first.

import type { BoardView } from './client'

/** The gravest first; kinds that are not listed come after these. */
const GRAVITY = [
  'flag', 'ambiguous', 'illegal_move', 'suicide', 'out_of_turn', 'touch_not_moved', 'touch_not_captured', 'displaced',
  'sensor_fault', 'repetition', 'natural_limit', 'checkmate', 'stalemate',
] as const

/** How urgent a board is: 0 is the most. A board that is offline or has a fault comes before any incident but a
 * fallen flag. */
export function urgency({ online, alarm, attention, game, claim, due, called }: BoardView): number {
  const gravity = attention.map(({ incident }) => {
    const at = (GRAVITY as readonly string[]).indexOf(incident)
    return at < 0 ? GRAVITY.length : at
  })
  const worst = Math.min(...gravity, Infinity)
  if (game?.result && !alarm) return 1_000
  if (worst === 0 || claim || due) return 0
  if (!online || alarm || called) return 1
  return worst === Infinity ? 500 : 2 + worst
}

/** The boards, those first that need somebody. */
export function byUrgency(boards: readonly BoardView[]): readonly BoardView[] {
  const numbers = new Intl.Collator('en', { numeric: true })
  const table = (board: BoardView) => board.game?.table ?? board.board
  return [...boards].sort((a, b) => urgency(a) - urgency(b) || numbers.compare(table(a), table(b)))
}

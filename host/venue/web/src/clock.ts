// A clock that the board published, carried on to the present.

import type { Side } from './board/position'
import type { Clock } from './feed/wire'

/** Below this much time tenths are shown. */
const TENTHS_BELOW_MS = 20_000

/** What a side has left at the server's time `nowMs`. Never below nought: only the board says that a flag fell. */
export function remaining(clock: Clock, side: Side, nowMs: number): number {
  const published = side === 'red' ? clock.red_ms : clock.black_ms
  const spent = clock.running === side ? Math.max(0, nowMs - clock.at_utc_ms) : 0
  return Math.max(0, published - spent)
}

/** Such as `1:02:03`, `12:34` or, near the end, `0:09.8`. A begun second counts as whole, so that 0:00 is nought. */
export function formatClock(ms: number): string {
  const left = Math.max(0, ms)
  if (left < TENTHS_BELOW_MS) {
    const tenths = Math.ceil(left / 100)
    return `0:${String(Math.floor(tenths / 10)).padStart(2, '0')}.${tenths % 10}`
  }
  const seconds = Math.ceil(left / 1000)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const tail = String(seconds % 60).padStart(2, '0')
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`
}

/** A thinking time, such as `4s`, `1:05` or `12:40`. */
export function formatUsed(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds}″`
  return `${Math.floor(seconds / 60)}′${String(seconds % 60).padStart(2, '0')}″`
}

import { describe, expect, it } from 'vitest'
import { formatClock, formatUsed, remaining } from '../src/clock'
import type { Clock } from '../src/feed/wire'

const clock: Clock = { red_ms: 60_000, black_ms: 90_000, running: 'red', at_utc_ms: 1_000_000 }

describe('remaining', () => {
  const cases: [string, Clock, 'red' | 'black', number, number][] = [
    ['the running side loses what has passed', clock, 'red', 1_012_345, 47_655],
    ['the resting side keeps its time', clock, 'black', 1_012_345, 90_000],
    ['nobody loses while no clock runs', { ...clock, running: null }, 'red', 2_000_000, 60_000],
    ['a viewer whose clock is behind gains nothing', clock, 'red', 999_000, 60_000],
    ['time stops at nought', clock, 'red', 9_000_000, 0],
  ]
  it.each(cases)('%s', (_, published, side, now, left) => {
    expect(remaining(published, side, now)).toBe(left)
  })
})

describe('formatClock', () => {
  const cases: [number, string][] = [
    [3_723_000, '1:02:03'],
    [3_600_000, '1:00:00'],
    [3_599_001, '1:00:00'],
    [754_000, '12:34'],
    [20_000, '0:20'],
    [19_999, '0:20.0'],
    [9_750, '0:09.8'],
    [1, '0:00.1'],
    [0, '0:00.0'],
    [-5, '0:00.0'],
  ]
  it.each(cases)('%i ms is %s', (ms, text) => {
    expect(formatClock(ms)).toBe(text)
  })

  it('never shows more time as time passes', () => {
    const value = (text: string) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
    const times = Array.from({ length: 100_000 }, (_, i) => 4_000_000 - 37 * i)
    const shown = times.map((ms) => value(formatClock(ms)))
    expect(shown.filter((one, i) => one > (shown[i - 1] ?? Infinity))).toEqual([])
  })
})

it('formatUsed rounds to seconds', () => {
  expect([400, 1_600, 59_400, 59_600, 761_000].map(formatUsed)).toEqual(['0″', '2″', '59″', '1′00″', '12′41″'])
})

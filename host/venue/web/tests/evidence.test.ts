import { describe, expect, it } from 'vitest'
import type { BoardView } from '../src/arbiter/client'
import { Evidence, disagreements, parseReading } from '../src/arbiter/evidence'
import { byUrgency } from '../src/arbiter/urgency'
import { START_FEN, parseFen } from '../src/board/position'

// The reading of the starting position, as the trace format gives it: sixteen pieces a side.
const START = '3fe00415540000aaa0801ff'

let seq = 0
const line = (us: number, record: object) => ({ seq: seq++, utc_ms: 1_700_000_000_000 + us / 1000, record: { us, ...record } })

describe('readings', () => {
  it('is the starting position, bit rank*9+file', () => {
    const reading = parseReading(START)
    const position = parseFen(START_FEN) ?? []
    expect(reading?.filter(Boolean)).toHaveLength(32)
    expect(reading && disagreements(reading, position).some(Boolean)).toBe(false)
  })

  it.each(['', 'xyz', START + '0', START.toUpperCase()])('%j is none', (text) => {
    expect(parseReading(text)).toBeNull()
  })
})

describe('Evidence', () => {
  it('follows reeds, presses and events in time', () => {
    const evidence = new Evidence()
    const lifted = (BigInt(`0x${START}`) & ~(1n << 25n)).toString(16).padStart(23, '0')
    evidence.add([
      line(0, { kind: 'opened' }),
      line(0, { kind: 'game', start: START_FEN }),
      line(1_000_000, { kind: 'closed', closed: START }),
      line(2_000_000, { kind: 'closed', closed: lifted }),
      line(3_000_000, { kind: 'press', side: 'red' }),
      line(3_000_000, { kind: 'event', event: 'moved', ply: 1, side: 'red', move: 'h2e2' }),
      line(4_000_000, { kind: 'event', event: 'incident', incident: 'touch_not_moved', ply: 2, side: 'black', article: '5.1', squares: ['b9'] }),
    ])
    const base = 1_700_000_000_000
    expect(evidence.span).toEqual([base + 1000, base + 4000])
    expect(evidence.readingAt(base + 1500)?.[25]).toBe(true)
    expect(evidence.readingAt(base + 2500)?.[25]).toBe(false)
    expect([...evidence.changes(base + 1500, base + 5000)]).toEqual([[25, [{ at: base + 2000, closed: false }]]])
    expect(evidence.believedAt(base + 2999).move).toBeNull()
    expect(evidence.believedAt(base + 3000).move).toEqual({ from: { file: 7, rank: 2 }, to: { file: 4, rank: 2 } })
    expect(evidence.moments.map(({ kind, name, article }) => [kind, name, article])).toEqual([
      ['press', 'press', ''], ['moved', 'moved', ''], ['incident', 'touch_not_moved', '5.1'],
    ])
  })

  it('takes a line once and passes over what it cannot read', () => {
    const evidence = new Evidence()
    const press = line(1, { kind: 'press', side: 'red' })
    evidence.add([press, press, null, 7, { seq: 'x' }, line(2, { kind: 'closed', closed: '?' }), line(3, { kind: 'new' })])
    expect(evidence.moments).toHaveLength(1)
    expect(evidence.readings).toHaveLength(0)
  })
})

it('shows first what needs somebody', () => {
  const board = (id: string, online: boolean, ...incidents: string[]): BoardView => ({
    board: id, online, alarm: id === 'full' ? 'no space left' : null, alarms: [], game: null, journal: null, missing: 0, rules: '', fouls: [], claim: null, due: null, called: null, signed: [],
    attention: incidents.map((incident) => ({ seq: 1, us: 0, incident, ply: 1, squares: [] })),
  })
  const boards = [
    board('2', true), board('10', true), board('quiet', true, 'stalemate'), board('away', false), board('full', true), board('touch', true, 'touch_not_moved'), board('flag', true, 'checkmate', 'flag'),
  ]
  expect(byUrgency(boards).map((one) => one.board)).toEqual(['flag', 'away', 'full', 'touch', 'quiet', '2', '10'])
})

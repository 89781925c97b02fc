import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { types } from '../scripts/api.mjs'
import { Replica } from '../src/feed/replica'
import { ServerTime } from '../src/feed/server-time'
import type { FeedEvent, Game, Ply, Summary } from '../src/feed/wire'

const ply = (move: string): Ply => ({
  move, used_ms: null, red_ms: null, black_ms: null, hans: move, hant: move, wxf: move, iccs: move, check: false,
})

function summary(id: string, moves: readonly string[], table = '1'): Summary {
  return {
    id, table, board: `board-${id}`, online: true, current: true, seq: moves.length, red: 'A', black: 'B', event: '', round: '',
    start_fen: '', fen: '', ply_count: moves.length, last: null, provisional: null, clock: null, result: null, phase: 'playing', behind: null,
  }
}

const game = (id: string, moves: readonly string[]): Game => ({ ...summary(id, moves), plies: moves.map(ply) })

const state = (revision: number, games: readonly (Summary | Game)[]): FeedEvent => ({
  kind: 'state', data: { revision, now_utc_ms: 0, relay: 'connected', behind: null, games },
})

function change(revision: number, id: string, moves: readonly string[], from: number): FeedEvent {
  return { kind: 'game', data: { revision, now_utc_ms: 0, game: summary(id, moves), from, plies: moves.slice(from).map(ply) } }
}

const movesOf = (replica: Replica, id: string) => replica.game(id)?.plies.map((one) => one.move)

describe('Replica', () => {
  const start = Replica.EMPTY.apply(state(5, [game('g', ['h2e2'])]))

  it('adds moves', () => {
    expect(movesOf(start.apply(change(6, 'g', ['h2e2', 'h9g7'], 1)), 'g')).toEqual(['h2e2', 'h9g7'])
  })

  it('replaces moves that an arbiter corrected', () => {
    const long = start.apply(change(6, 'g', ['h2e2', 'h9g7', 'h0g2'], 1))
    expect(movesOf(long.apply(change(7, 'g', ['h2e2', 'b9c7'], 1)), 'g')).toEqual(['h2e2', 'b9c7'])
  })

  it('ignores what it has seen already', () => {
    const event = change(6, 'g', ['h2e2', 'h9g7'], 1)
    const once = start.apply(event)
    expect(once.apply(event)).toBe(once)
    expect(once.apply(change(4, 'g', [], 0))).toBe(once)
  })

  it('waits for a state where moves are missing in between', () => {
    const torn = start.apply(change(9, 'g', ['a', 'b', 'c', 'd'], 3))
    expect(torn).toBe(start)
    expect(movesOf(torn.apply(state(9, [game('g', ['a', 'b', 'c', 'd'])])), 'g')).toHaveLength(4)
  })

  it('takes a state as it is, also after the venue has started again', () => {
    const fresh = start.apply(state(1, [game('h', [])]))
    expect(fresh.revision).toBe(1)
    expect(fresh.games.map(({ id }) => id)).toEqual(['h'])
  })

  it('forgets a game that is gone', () => {
    expect(start.apply({ kind: 'gone', data: { revision: 6, id: 'g' } }).games).toEqual([])
  })

  it('orders tables as people count', () => {
    const tables = ['10', '9', '1', '2'].map((table) => summary(`g${table}`, [], table))
    expect(Replica.EMPTY.apply(state(1, tables)).games.map(({ table }) => table)).toEqual(['1', '2', '9', '10'])
  })

  it('notices that the venue lost its broker', () => {
    const beat = (relay: 'connected' | 'lost'): FeedEvent => ({ kind: 'beat', data: { revision: 5, now_utc_ms: 0, relay } })
    expect(start.apply(beat('connected'))).toBe(start)
    expect(start.apply(beat('lost')).relay).toBe('lost')
  })
})

it('has the types of the API document', () => {
  expect(readFileSync('src/feed/api.ts', 'utf8')).toBe(types())
})

describe('ServerTime', () => {
  it('believes the least delayed message', () => {
    const time = new ServerTime()
    const ahead = 3_000
    for (const delay of [250, 40, 900]) time.observe(10_000 + ahead, 10_000 + delay)
    expect(time.at(50_000)).toBe(50_000 + ahead - 40)
  })

  it('is this machine’s time until the server has spoken', () => {
    expect(new ServerTime().at(7)).toBe(7)
  })

  it('forgets old messages, so that a corrected clock is followed', () => {
    const time = new ServerTime()
    time.observe(9_000, 0)
    for (let i = 0; i < 24; i++) time.observe(100, 0)
    expect(time.at(0)).toBe(100)
  })
})

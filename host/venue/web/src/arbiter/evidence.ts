// A board's journal as a course of time: which reeds were closed when, who pressed, and what the referee made of it.

import { FILES, RANKS } from '../board/geometry'
import { START_FEN, parseFen, steps, type Position, type Step } from '../board/position'
import { orderOf, type Ordered } from './ordered'

const POINTS = FILES * RANKS

/** One reading of the reeds: true where the reed is closed, `a0` first. */
export type Reading = readonly boolean[]

/** Something with a moment: a press, a touch, an event, a ruling. */
export interface Moment {
  readonly seq: number
  /** Milliseconds of UTC. */
  readonly at: number
  readonly kind: 'press' | 'button' | 'moved' | 'incident' | 'clock' | 'result' | 'other'
  readonly side: 'red' | 'black' | null
  /** The name of the event, or of the incident. */
  readonly name: string
  readonly ply: number | null
  readonly move: string | null
  readonly article: string
  readonly squares: readonly string[]
  readonly note: string
  /** What was ordered, if it was; or what was refused. */
  readonly order: Ordered | null
}

interface Line {
  readonly seq: number
  readonly utc_ms: number
  readonly record: Fields
}

/** What a record may say; each kind has its own of these. */
type Fields = Readonly<
  Partial<Record<'kind' | 'game' | 'us' | 'closed' | 'start' | 'side' | 'button' | 'event' | 'ply' | 'move' | 'moves' | 'incident' | 'clock' | 'article' | 'squares' | 'note', unknown>>
>

/** Reads 23 hexadecimal digits, most significant first; bit `rank * 9 + file` is 1 where the reed is closed. */
export function parseReading(text: string): Reading | null {
  if (!/^[0-9a-f]{23}$/.test(text)) return null
  const bits = BigInt(`0x${text}`)
  return Array.from({ length: POINTS }, (_, point) => ((bits >> BigInt(point)) & 1n) === 1n)
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function number(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function sideOf(value: unknown): 'red' | 'black' | null {
  return value === 'red' || value === 'black' ? value : null
}

function isLine(value: unknown): value is Line {
  const line = value as Partial<Line> | null
  return typeof line?.seq === 'number' && typeof line.utc_ms === 'number' && typeof line.record === 'object'
}

const KINDS: Readonly<Record<string, Moment['kind']>> = {
  moved: 'moved', resolved: 'moved', taken_back: 'moved', incident: 'incident', ambiguous: 'incident', claim: 'incident', called: 'incident',
  clock: 'clock', result: 'result', due: 'result',
}

/** Reads lines that say what was ordered; others give nothing. */
export function orderOfLine(line: unknown): { readonly at: number; readonly order: Ordered } | null {
  if (!isLine(line)) return null
  const order = orderOf(string(line.record.event), line.record)
  return order && { at: line.utc_ms, order }
}

/** The course of a board's journal. Lines are added in order and never changed. */
export class Evidence {
  readonly readings: { readonly at: number; readonly reading: Reading }[] = []
  readonly moments: Moment[] = []
  /** The last line that was taken. */
  last: number | null = null
  private moves: { readonly at: number; readonly moves: readonly string[] }[] = []
  private start = START_FEN
  private game = ''
  private began = 0
  /** UTC at uptime nought of the present run, in milliseconds. */
  private base = 0

  /** Takes lines as the venue sends them; what cannot be read is passed over. */
  add(lines: readonly unknown[]): void {
    for (const line of lines) {
      if (!isLine(line) || (this.last !== null && line.seq <= this.last)) continue
      this.last = line.seq
      this.take(line)
    }
  }

  /** The first and the last moment; null while there is nothing. */
  get span(): readonly [number, number] | null {
    const times = [this.readings[0]?.at, this.readings.at(-1)?.at, this.moments[0]?.at, this.moments.at(-1)?.at]
    const known = times.filter((at) => at !== undefined)
    return known.length ? [Math.min(...known), Math.max(...known)] : null
  }

  /** What was ordered of the game that is on the board, the latest first. */
  get orders(): readonly Moment[] {
    return this.moments.filter(({ order, at }) => order && at >= this.began).reverse()
  }

  /** What the reeds said at a moment. */
  readingAt(at: number): Reading | null {
    return this.readings.findLast((one) => one.at <= at)?.reading ?? null
  }

  /** The position that was believed to stand at a moment, and the move that led there. */
  believedAt(at: number): Step {
    const moves = this.moves.findLast((one) => one.at <= at)?.moves ?? []
    return steps(this.start, moves).at(-1) ?? { position: parseFen(START_FEN) ?? [], move: null, taken: [] }
  }

  /** When each reed changed between two moments; points that never changed are left out. */
  changes(from: number, to: number): ReadonlyMap<number, readonly { at: number; closed: boolean }[]> {
    const changes = new Map<number, { at: number; closed: boolean }[]>()
    let before = this.readingAt(from)
    for (const { at, reading } of this.readings) {
      if (at < from || at > to) continue
      for (let point = 0; point < POINTS; point++) {
        const closed = reading[point] === true
        if (closed === (before?.[point] ?? false)) continue
        const list = changes.get(point) ?? []
        changes.set(point, [...list, { at, closed }])
      }
      before = reading
    }
    return changes
  }

  private take({ seq, utc_ms, record }: Line): void {
    const us = number(record.us) ?? 0
    const kind = string(record.kind)
    if (kind === 'opened' || this.base === 0) this.base = utc_ms - us / 1000
    const at = this.base + us / 1000
    if (kind === 'closed') {
      const reading = parseReading(string(record.closed))
      if (reading) this.readings.push({ at, reading })
    } else if (kind === 'game') {
      this.start = string(record.start) || START_FEN
      if (this.game !== string(record.game)) this.began = at
      this.game = string(record.game)
      this.moves.push({ at, moves: [] })
    } else if (kind === 'press' || kind === 'button') {
      this.moments.push({ ...NOTHING, seq, at, kind, side: sideOf(record.side), name: string(record.button) || 'press' })
    } else if (kind === 'event') {
      this.event(seq, at, record)
    }
  }

  private event(seq: number, at: number, record: Fields): void {
    const name = string(record.event)
    if (name === 'provisional') return
    const ply = number(record.ply)
    const move = string(record.move)
    if (ply !== null && name === 'moved') this.stand(at, ply, [move])
    if (ply !== null && name === 'resolved' && Array.isArray(record.moves)) this.stand(at, ply, record.moves.map(string))
    if (ply !== null && name === 'taken_back') this.stand(at, ply, [])
    this.moments.push({
      seq,
      at,
      kind: KINDS[name] ?? 'other',
      side: sideOf(record.side),
      name: string(record.incident) || string(record.clock) || name,
      ply,
      move: move || null,
      article: string(record.article),
      squares: Array.isArray(record.squares) ? record.squares.map(string) : [],
      note: string(record.note),
      order: orderOf(name, record),
    })
  }

  private stand(at: number, ply: number, moves: readonly string[]): void {
    const before = this.moves.at(-1)?.moves ?? []
    this.moves.push({ at, moves: [...before.slice(0, ply - 1), ...moves] })
  }
}

const NOTHING = { ply: null, move: null, article: '', squares: [], note: '', order: null } as const

/** Points where what is sensed and what is believed differ: true where a piece is missing or too many. */
export function disagreements(reading: Reading, position: Position): readonly boolean[] {
  return Array.from({ length: POINTS }, (_, point) => (reading[point] === true) !== (position[point] != null))
}

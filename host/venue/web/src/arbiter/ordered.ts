// What was ordered, as a journal says it.

/** An order that was carried out, or a request that was refused. */
export interface Ordered {
  /** Its number in the game; null when it was refused. */
  readonly number: number | null
  readonly name: string
  readonly command: string
  readonly reason: string
  /** The order that it undoes. */
  readonly undoes: number | null
  /** What the command says beside its name: side, time, move … */
  readonly details: Readonly<Record<string, unknown>>
}

const HEAD: ReadonlySet<string> = new Set(['kind', 'event', 'us', 'order', 'name', 'command', 'reason', 'undo'])

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Reads the event of that name; null where it is neither an order nor a refusal. */
export function orderOf(name: string, record: Readonly<Record<string, unknown>>): Ordered | null {
  const number = (value: unknown) => (typeof value === 'number' ? value : null)
  if (name === 'ordered') {
    const details = Object.fromEntries(Object.entries(record).filter(([key]) => !HEAD.has(key)))
    return { number: number(record.order), name: string(record.name), command: string(record.command), reason: string(record.reason), undoes: number(record.undo), details }
  }
  if (name !== 'refused') return null
  const by = record.by as { readonly arbiter?: unknown } | string | undefined
  const who = typeof by === 'object' ? string(by.arbiter) : string(by)
  const { why } = record
  // A refusal of the clock's own is one within the clock's.
  const word = typeof why === 'object' && why !== null && 'clock' in why ? why.clock : why
  return { number: null, name: who, command: string(record.request), reason: string(word), undoes: null, details: {} }
}

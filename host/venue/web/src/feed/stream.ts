// The connection to the venue: one EventSource, opened again whenever it breaks or falls silent.

import { Replica } from './replica'
import { ServerTime } from './server-time'
import type { FeedEvent } from './wire'

export type Connection = 'connecting' | 'live' | 'reconnecting'

/** The venue sends a beat every five seconds; after this long without any event the line is dead. */
const SILENCE_MS = 13_000
const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 8_000

const KINDS = ['state', 'game', 'gone', 'beat'] as const

/** Follows the venue's events and keeps a replica. Fires `change` whenever replica or connection change. */
export class Feed extends EventTarget {
  replica = Replica.EMPTY
  connection: Connection = 'connecting'
  readonly time = new ServerTime()
  private source: EventSource | null = null
  private retryMs = FIRST_RETRY_MS
  private timer = 0

  constructor(private readonly url: string) {
    super()
  }

  /** The server's time now. */
  now(): number {
    return this.time.at(Date.now())
  }

  open(): void {
    this.close()
    const source = new EventSource(this.url)
    this.source = source
    source.onerror = () => {
      this.broken()
    }
    for (const kind of KINDS) {
      source.addEventListener(kind, (message: MessageEvent<string>) => {
        const data: unknown = JSON.parse(message.data)
        this.receive({ kind, data } as FeedEvent)
      })
    }
    this.watch(SILENCE_MS)
  }

  close(): void {
    window.clearTimeout(this.timer)
    this.source?.close()
    this.source = null
  }

  private receive(event: FeedEvent): void {
    if ('now_utc_ms' in event.data) this.time.observe(event.data.now_utc_ms, Date.now())
    this.retryMs = FIRST_RETRY_MS
    this.watch(SILENCE_MS)
    const next = this.replica.apply(event)
    if (next === this.replica && this.connection === 'live') return
    this.replica = next
    // Only a whole state says that nothing is missing.
    if (event.kind === 'state') this.connection = 'live'
    this.dispatchEvent(new Event('change'))
  }

  private watch(ms: number): void {
    window.clearTimeout(this.timer)
    this.timer = window.setTimeout(() => {
      this.broken()
    }, ms)
  }

  private broken(): void {
    this.close()
    if (this.connection === 'live') {
      this.connection = 'reconnecting'
      this.dispatchEvent(new Event('change'))
    }
    this.timer = window.setTimeout(() => {
      this.open()
    }, this.retryMs)
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS)
  }
}

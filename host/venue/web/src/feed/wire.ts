// What the venue sends, as `GET /api/v1/openapi.json` describes it.

import type { Side } from '../board/position'

/** Both clocks as the board published them; the board is the authority. */
export interface Clock {
  /** Milliseconds that Red had left at `at_utc_ms`. */
  readonly red_ms: number
  readonly black_ms: number
  /** Whose clock runs, if one does. */
  readonly running: Side | null
  /** When this was so, in milliseconds of UTC. */
  readonly at_utc_ms: number
}

/** One committed move. */
export interface Ply {
  /** Such as `h2e2`. */
  readonly move: string
  /** Thinking time, where the board has a clock. */
  readonly used_ms: number | null
  readonly red_ms: number | null
  readonly black_ms: number | null
  /** Chinese notation in simplified characters, such as 炮二平五. */
  readonly hans: string
  /** The same in traditional characters. */
  readonly hant: string
  /** The notation of the World Xiangqi Federation, such as `C2=5`. */
  readonly wxf: string
  /** Such as `H2-E2`. */
  readonly iccs: string
  /** Whether the move gives check. */
  readonly check: boolean
}

/** How a game ended. */
export interface Result {
  readonly score: '1-0' | '0-1' | '1/2-1/2' | '0-0'
  /** In a word, such as `checkmate`. */
  readonly reason: string
  /** The article that it rests on; empty where none was named. */
  readonly article: string
}

export type Phase = 'setup' | 'playing' | 'paused' | 'over'

/** A game without its moves: what the wall needs. */
export interface Summary {
  readonly id: string
  readonly board: string
  /** Whether the board is connected to the broker. */
  readonly online: boolean
  /** Whether this is the game that is on the board now. */
  readonly current: boolean
  /** The journal record up to which this was derived. */
  readonly seq: number
  readonly red: string
  readonly black: string
  readonly event: string
  readonly round: string
  readonly table: string
  /** The position in which the game started. */
  readonly start_fen: string
  /** The position that stands now. */
  readonly fen: string
  readonly ply_count: number
  readonly last: Ply | null
  /** A move that hands have made and that is not committed yet. */
  readonly provisional: { readonly move: string } | null
  readonly clock: Clock | null
  readonly result: Result | null
  readonly phase: Phase
}

/** A game with its moves. */
export interface Game extends Summary {
  readonly plies: readonly Ply[]
}

/** Whether the venue itself reaches the broker. */
export type Relay = 'connected' | 'lost'

/** Everything that a viewer follows, whole. */
export interface State {
  readonly revision: number
  readonly now_utc_ms: number
  readonly relay: Relay
  readonly games: readonly (Summary | Game)[]
}

/** One game has changed. With moves: those from number `from` on are replaced by `plies`. */
export interface Change {
  readonly revision: number
  readonly now_utc_ms: number
  readonly game: Summary
  readonly from?: number
  readonly plies?: readonly Ply[]
}

/** Sent every few seconds, so that silence means a broken connection. */
export interface Beat {
  readonly revision: number
  readonly now_utc_ms: number
  readonly relay: Relay
}

/** One server-sent event. */
export type FeedEvent =
  | { readonly kind: 'state'; readonly data: State }
  | { readonly kind: 'game'; readonly data: Change }
  | { readonly kind: 'gone'; readonly data: { readonly revision: number; readonly id: string } }
  | { readonly kind: 'beat'; readonly data: Beat }

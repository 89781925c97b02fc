// The viewer's copy of the venue's state. Applying the same event twice, or an old one late, changes nothing.

import type { Behind } from './api'
import type { FeedEvent, Game, Ply, Relay, Summary } from './wire'

const BY_NUMBER = new Intl.Collator('en', { numeric: true })

/** Orders tables by number where they are numbers, as people read them. */
function byTable(a: Summary, b: Summary): number {
  return BY_NUMBER.compare(a.table, b.table) || BY_NUMBER.compare(a.id, b.id)
}

/** What a viewer knows. A new object after every change, so that pages compare by identity. */
export class Replica {
  private constructor(
    /** The venue's number of the last change that is contained here. */
    readonly revision: number,
    readonly relay: Relay,
    /** The longest that any event of this venue is shown late. */
    readonly behind: Behind | null,
    private readonly byId: ReadonlyMap<string, Summary | Game>,
  ) {}

  private sorted: readonly (Summary | Game)[] | null = null

  /** Nothing known yet. */
  static readonly EMPTY = new Replica(-1, 'connected', null, new Map())

  /** All games, in the order of their tables. */
  get games(): readonly (Summary | Game)[] {
    return (this.sorted ??= [...this.byId.values()].sort(byTable))
  }

  /** One game with its moves; undefined while it is unknown or known only in summary. */
  game(id: string): Game | undefined {
    const game = this.byId.get(id)
    return game && 'plies' in game ? game : undefined
  }

  /** The replica after an event; the same object when the event says nothing new. */
  apply(event: FeedEvent): Replica {
    switch (event.kind) {
      case 'state': {
        const { revision, relay, behind, games } = event.data
        return new Replica(revision, relay, behind, new Map(games.map((game) => [game.id, game])))
      }
      case 'game': {
        const { revision, game, from, plies } = event.data
        if (revision <= this.revision) return this
        const known = this.byId.get(game.id)
        const before = known && 'plies' in known ? known.plies : []
        const next = plies ? withMoves(game, before, from ?? 0, plies) : game
        if (!next) return this
        return new Replica(revision, this.relay, this.behind, new Map(this.byId).set(game.id, next))
      }
      case 'gone': {
        if (event.data.revision <= this.revision) return this
        const games = new Map(this.byId)
        games.delete(event.data.id)
        return new Replica(event.data.revision, this.relay, this.behind, games)
      }
      case 'beat':
        return event.data.relay === this.relay ? this : new Replica(this.revision, event.data.relay, this.behind, this.byId)
    }
  }
}

// A change that leaves a hole between the known moves and its own cannot be applied; the next state heals it.
function withMoves(game: Summary, before: readonly Ply[], from: number, plies: readonly Ply[]): Game | null {
  if (from > before.length) return null
  return { ...game, plies: [...before.slice(0, from), ...plies] }
}

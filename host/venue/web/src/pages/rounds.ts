// The rounds that games belong to.

import type { Summary } from '../feed/wire'

/** The games of each round, the latest round first. */
export function byRound(games: readonly Summary[]): readonly (readonly Summary[])[] {
  const rounds = new Map<string, Summary[]>()
  for (const game of games) {
    const key = `${game.event}\n${game.round}`
    rounds.set(key, [...(rounds.get(key) ?? []), game])
  }
  const numbers = new Intl.Collator('en', { numeric: true })
  return [...rounds].sort(([a], [b]) => numbers.compare(b, a)).map(([, list]) => list)
}

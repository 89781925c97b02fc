// What several pages say about a game.

import type { Side } from '../board/position'
import type { Behind } from '../feed/api'
import type { Clock, Result, Summary } from '../feed/wire'
import type { Strings } from '../strings/table'

/** Scores as they are written. */
export const SCORES = { '1-0': '1 – 0', '0-1': '0 – 1', '1/2-1/2': '½ – ½', '0-0': '0 – 0' } as const

/** Who won, in words. */
export function outcome(result: Result, strings: Strings): string {
  switch (result.score) {
    case '1-0':
      return strings.redWins
    case '0-1':
      return strings.blackWins
    case '1/2-1/2':
      return strings.drawn
    case '0-0':
      return strings.bothLose
  }
}

/** The class of what tells who won. */
export function winner(score: Result['score']): 'red-won' | 'black-won' | 'drawn' {
  return ({ '1-0': 'red-won', '0-1': 'black-won', '1/2-1/2': 'drawn', '0-0': 'drawn' } as const)[score]
}

/** Why a game ended, in words. A reason that this version does not know is shown as it is named. */
export function cause(result: Result, strings: Strings): string {
  return strings.reasons[result.reason] ?? result.reason.replaceAll('_', ' ')
}

/** Why a game ended, with the article where one is named. */
export function reason(result: Result, strings: Strings): string {
  const words = cause(result, strings)
  return result.article ? `${words} (${strings.article(result.article)})` : words
}

/** A player's name; without one, the side. */
export function playerName(game: Readonly<Record<Side, string>>, side: Side, strings: Strings): string {
  return game[side] || strings[side]
}

/** The state of a game in a word or two. */
export function stateOf(game: Summary, strings: Strings): string {
  if (game.result) return outcome(game.result, strings)
  if (!game.online) return strings.boardOffline
  if (game.last?.check && game.phase === 'playing') return strings.check
  return strings[game.phase]
}

/** The clocks to show: once there is a result nobody's time runs. */
export function clockOf(game: Summary): Clock | null {
  return game.clock && game.result ? { ...game.clock, running: null } : game.clock
}

/** The number of the full move that a ply belongs to, counted from one. */
export function moveNumber(ply: number): number {
  return Math.floor((ply + 1) / 2)
}

/** How far what is shown is behind the board, in words; empty where it is not. */
export function behindOf(behind: Behind | null, strings: Strings): string {
  if (!behind) return ''
  const { seconds, plies } = behind
  const time = seconds % 60 === 0 ? strings.behindMinutes(seconds / 60) : strings.behindSeconds(seconds)
  return [seconds ? time : '', plies ? strings.behindPlies(plies) : ''].filter(Boolean).join(' · ')
}

/** The longest that any of these games is behind. */
export function longest(games: readonly Summary[]): Behind | null {
  const all = games.flatMap(({ behind }) => (behind ? [behind] : []))
  if (!all.length) return null
  return { seconds: Math.max(...all.map(({ seconds }) => seconds)), plies: Math.max(...all.map(({ plies }) => plies)) }
}

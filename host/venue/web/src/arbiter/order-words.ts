// What was ordered, in words.

import { moveNumber } from '../pages/game-view'
import { settings } from '../settings'
import type { Ordered } from './ordered'
import { consoleStrings } from './strings'

/** Why it was ordered, or why it was refused. */
export function reasonWords({ number, reason }: Ordered): string {
  return number === null ? (consoleStrings().refusals[reason] ?? reason) : reason
}

/** What was ordered, in words: the command and what it says. */
export function orderWords({ command, undoes, details }: Ordered): string {
  const words = consoleStrings()
  const name = words.commands[command] ?? command.replaceAll('_', ' ')
  const rest = Object.entries(details).map(([key, value]) => detail(key, value))
  return [undoes === null ? name : `${name} ${undoes}`, ...rest].filter(Boolean).join(' · ')
}

function detail(key: string, value: unknown): string {
  const words = consoleStrings()
  const { strings } = settings
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  switch (key) {
    case 'side':
      return text === 'red' || text === 'black' ? strings[text] : text
    case 'left_ms':
    case 'charge_ms':
      return minutes(Number(text))
    case 'offence':
      return words.offences[text] ?? text
    case 'claim':
      return words.claims[text] ?? text
    case 'ruling':
      return words.rulings[text] ?? text
    case 'score':
      return scoreWords(text)
    case 'ending':
      return strings.reasons[text] ?? text
    case 'ply':
      return `(${moveNumber(Number(text))})`
    case 'foul':
    case 'lines':
      return `${words.fields[key]} ${text}`
    default:
      return text
  }
}

/** Who won, in words. */
export function scoreWords(score: string): string {
  const { strings } = settings
  return { '1-0': strings.redWins, '0-1': strings.blackWins, '1/2-1/2': strings.drawn, '0-0': strings.bothLose }[score] ?? score
}

function minutes(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

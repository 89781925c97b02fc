// What can be ordered of a game: the forms of the orders, and who may give which (articles 18.1 to 18.3). The venue and the
// board check everything again.

import type { Command, Role } from './client'

/** A field of an order, and what it offers. */
export type Field = 'side' | 'minutes' | 'offence' | 'lines' | 'foul' | 'claim' | 'ruling' | 'ply' | 'fen' | 'score' | 'ending'

/** The form of an order. */
export interface Form {
  readonly command: Command['command']
  readonly fields: readonly Field[]
  /** Whether the board wants to know why. */
  readonly reason: boolean
  /** Where it stands in the console. */
  readonly group: 'clock' | 'players' | 'moves' | 'claims' | 'end'
}

/** Every order but `choose` and `undo`, which have buttons of their own where they are wanted. */
export const FORMS: readonly Form[] = [
  { command: 'start', fields: [], reason: false, group: 'clock' },
  { command: 'pause', fields: [], reason: true, group: 'clock' },
  { command: 'resume', fields: ['side'], reason: false, group: 'clock' },
  { command: 'set_clock', fields: ['side', 'minutes'], reason: true, group: 'clock' },
  { command: 'charge', fields: ['side', 'minutes'], reason: true, group: 'clock' },
  { command: 'warn', fields: ['side'], reason: true, group: 'players' },
  { command: 'add_foul', fields: ['side', 'offence'], reason: true, group: 'players' },
  { command: 'missed_lines', fields: ['side', 'lines'], reason: true, group: 'players' },
  { command: 'withdraw_foul', fields: ['foul'], reason: true, group: 'players' },
  { command: 'absent', fields: ['side'], reason: false, group: 'players' },
  { command: 'arrived', fields: ['side'], reason: false, group: 'players' },
  { command: 'accept_move', fields: ['ply'], reason: true, group: 'moves' },
  { command: 'take_back', fields: ['ply'], reason: true, group: 'moves' },
  { command: 'set_position', fields: ['fen'], reason: true, group: 'moves' },
  { command: 'still', fields: [], reason: false, group: 'moves' },
  { command: 'claim', fields: ['side', 'claim'], reason: false, group: 'claims' },
  { command: 'rule_claim', fields: ['ruling'], reason: true, group: 'claims' },
  { command: 'draw', fields: ['side'], reason: false, group: 'claims' },
  { command: 'decline_draw', fields: ['side'], reason: false, group: 'claims' },
  { command: 'resign', fields: ['side'], reason: false, group: 'end' },
  { command: 'declare', fields: ['score', 'ending'], reason: true, group: 'end' },
  { command: 'sign', fields: ['side'], reason: false, group: 'end' },
  { command: 'reopen', fields: [], reason: true, group: 'end' },
]

export const GROUPS = ['clock', 'players', 'moves', 'claims', 'end'] as const
export const OFFENCES = ['disturbance', 'clock_tampering', 'draw_offers', 'false_claim', 'touch_unmovable', 'touch_uncapturable', 'missed_lines', 'press_without_move', 'illegal_move', 'conduct'] as const
export const CLAIMS = ['natural_limit', 'repetition', 'flag'] as const
export const RULINGS = ['granted', 'denied', 'red_must_vary', 'black_must_vary', 'red_loses', 'black_loses'] as const
export const SCORES = ['1-0', '0-1', '1/2-1/2', '0-0'] as const
export const ENDINGS = [
  'checkmate', 'stalemate', 'kings_facing', 'suicide', 'flag', 'late', 'both_late', 'illegal_move', 'presses_without_move', 'perpetual_check',
  'not_varied', 'fouls', 'false_claims', 'resignation', 'conduct', 'no_win_possible', 'agreement', 'repetition', 'natural_limit', 'forfeit', 'arbiter',
] as const

/** Sides that need not be named: the clock that ran before, the arbiter's own signature. */
export function sideIsOptional(command: string): boolean {
  return command === 'resume' || command === 'sign'
}

/** The orders that a role may give. */
export function formsOf(role: Role, over: boolean): readonly Form[] {
  if (role === 'organiser') return FORMS.filter(({ command }) => command === 'declare')
  return FORMS.filter(({ command }) => role === 'chief_arbiter' || (command !== 'reopen' && !(command === 'declare' && over)))
}

/** The endings that a role may declare: 18.2 and 18.3 keep two of them for others. */
export function endingsOf(role: Role): readonly string[] {
  if (role === 'organiser') return ['forfeit']
  return ENDINGS.filter((ending) => role === 'chief_arbiter' || (ending !== 'conduct' && ending !== 'forfeit'))
}

/** The fields of an order as the board reads them; null when something is missing. */
export function payload(form: Form, values: Readonly<Record<string, string>>): Command | null {
  const order: Record<string, unknown> = {}
  for (const field of form.fields) {
    const value = values[field]?.trim() ?? ''
    if (!value) {
      if (field === 'side' && sideIsOptional(form.command)) continue
      return null
    }
    if (field === 'minutes') {
      const ms = milliseconds(value)
      if (ms === null) return null
      order[form.command === 'charge' ? 'charge_ms' : 'left_ms'] = ms
    } else if (field === 'ply' || field === 'foul' || field === 'lines') {
      if (!/^\d{1,4}$/.test(value)) return null
      order[field] = Number(value)
    } else {
      order[field] = value
    }
  }
  return { ...order, command: form.command }
}

/** Reads `5`, `5:30` or `1:05:30` as minutes, minutes and seconds, hours too. */
export function milliseconds(text: string): number | null {
  if (!/^\d{1,3}(:\d{1,2}){0,2}$/.test(text)) return null
  const parts = text.split(':').map(Number)
  const [hours, minutes, seconds] = parts.length === 3 ? parts : parts.length === 2 ? [0, ...parts] : [0, ...parts, 0]
  return (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000
}

/** A name for an order that nobody else uses. */
export function orderId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

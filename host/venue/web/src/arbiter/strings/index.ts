// The strings of the console, in a file that spectators never load.

import { settings } from '../../settings'
import { alarmsIn } from './alarms'
import { en } from './en'
import { hans } from './hans'
import { hant } from './hant'
import { noteIn } from './notes'
import type { ConsoleStrings } from './table'

/** The console's strings in the chosen language. */
export function consoleStrings(): ConsoleStrings {
  return { 'zh-Hans': hans, 'zh-Hant': hant, en }[settings.language]
}

/** What is wrong with a board itself, in the chosen language. */
export function alarmWords(view: Parameters<typeof alarmsIn>[1]): readonly string[] {
  return alarmsIn(settings.language === 'en' ? 'en' : settings.script, view)
}

/** A line of the referee's evidence in the chosen language. */
export function noteWords(note: string): string {
  return noteIn(settings.language === 'en' ? 'en' : settings.script, note)
}

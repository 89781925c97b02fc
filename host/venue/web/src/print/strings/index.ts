// The strings for paper, in a file that most spectators never load.

import { settings } from '../../settings'
import { en } from './en'
import { hans } from './hans'
import { hant } from './hant'
import type { PrintStrings } from './table'

/** The strings for paper in the chosen language. */
export function printStrings(): PrintStrings {
  return { 'zh-Hans': hans, 'zh-Hant': hant, en }[settings.language]
}

// What the venue writes for paper.

import { settings } from '../settings'

/** The address of a PDF of the venue's in the viewer's language and notation, with the days of where the viewer is. */
export function pdf(file: string): string {
  const offset = -new Date().getTimezoneOffset()
  return `${file}?language=${settings.language}&notation=${settings.notation}&offset=${offset}`
}

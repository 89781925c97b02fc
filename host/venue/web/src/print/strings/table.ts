/** The strings of everything that is made for paper. */
export interface PrintStrings {
  readonly sheet: string
  readonly pairings: string
  readonly results: string
  readonly print: string
  readonly pdf: string
  readonly pdfHint: string
  readonly event: string
  readonly roundHeading: string
  readonly date: string
  readonly rules: string
  readonly control: string
  readonly number: string
  readonly used: string
  readonly result: string
  readonly fouls: string
  readonly noFouls: string
  readonly foul: (side: string, round: number | string, offence: string, article: string) => string
  readonly how: (reason: string, round: number | string) => string
  readonly arbiter: string
  readonly signature: string
  readonly signedHere: string
  readonly open: string
  readonly page: (page: number | string, pages: number | string) => string
  readonly moves: string
  readonly reason: string
  readonly game: (id: string) => string
  readonly startFen: string
  readonly boxes: (codes: string) => string
  readonly editions: Readonly<Record<string, string>>
  readonly offences: Readonly<Record<string, string>>
}

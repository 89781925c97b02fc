/** The strings of everything that is made for paper. */
export interface PrintStrings {
  readonly sheet: string
  readonly pairings: string
  readonly results: string
  readonly print: string
  readonly printHint: string
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
  readonly ply: (round: number) => string
  readonly arbiter: string
  readonly signature: string
  readonly signedHere: string
  readonly open: string
  readonly page: (page: number, pages: number) => string
  readonly moves: string
  readonly reason: string
  readonly game: (id: string) => string
  readonly startFen: string
  readonly editions: Readonly<Record<string, string>>
  readonly offences: Readonly<Record<string, string>>
}

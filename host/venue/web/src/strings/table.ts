/** Every string that a page shows. The three languages must all have every one. */
export interface Strings {
  readonly name: string
  readonly wall: string
  readonly round: string
  readonly choices: string
  readonly language: string
  readonly theme: string
  readonly themeAuto: string
  readonly themeLight: string
  readonly themeDark: string
  readonly notation: string
  readonly notationChinese: string
  readonly red: string
  readonly black: string
  readonly tableHeading: string
  readonly table: (table: string) => string
  readonly roundOf: (round: string) => string
  readonly live: string
  readonly connecting: string
  readonly reconnecting: string
  readonly relayLost: string
  readonly boardOffline: string
  readonly noGames: string
  readonly noGamesHint: string
  readonly noSuchGame: string
  readonly missing: string
  readonly backToWall: string
  readonly redWins: string
  readonly blackWins: string
  readonly drawn: string
  readonly bothLose: string
  readonly check: string
  readonly provisional: string
  readonly setup: string
  readonly paused: string
  readonly playing: string
  readonly over: string
  readonly toMove: (side: string) => string
  readonly first: string
  readonly previous: string
  readonly next: string
  readonly latest: string
  readonly backToLive: string
  readonly flip: string
  readonly moves: string
  readonly startPosition: string
  readonly captured: (side: string) => string
  readonly timeChart: string
  readonly timeOf: (move: string, time: string) => string
  readonly copyFen: string
  readonly copyMoves: string
  readonly copyLink: string
  readonly copied: string
  readonly copyFailed: string
  readonly download: string
  readonly qr: string
  readonly close: string
  readonly clockOf: (side: string, time: string) => string
  readonly estimate: string
  readonly noClock: string
  readonly boardLabel: (position: string, red: string, black: string) => string
  readonly afterMove: (number: number, move: string) => string
  readonly newMoves: (count: number) => string
  readonly turnPages: string
  readonly stopPages: string
  readonly pageOf: (page: number, pages: number) => string
  readonly result: string
  readonly players: string
  readonly state: string
  readonly moveNumber: string
  readonly lastMove: string
  readonly keys: string
  readonly article: (article: string) => string
  readonly reasons: Readonly<Record<string, string>>
  readonly skip: string
  readonly arbiters: string
  readonly behindMinutes: (minutes: number) => string
  readonly behindSeconds: (seconds: number) => string
  readonly behindPlies: (plies: number) => string
  readonly sheet: string
  readonly pairings: string
  readonly results: string
  readonly copyFrame: string
  readonly standings: string
}

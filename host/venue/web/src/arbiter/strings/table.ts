/** The strings of the arbiter console. */
export interface ConsoleStrings {
  readonly title: string
  readonly signIn: string
  readonly signOut: string
  readonly setUp: string
  readonly setUpHint: string
  readonly code: string
  readonly name: string
  readonly password: string
  readonly unreachable: string
  readonly boardRefused: (why: string) => string
  readonly none: string
  readonly evidence: string
  readonly sensed: string
  readonly believed: string
  readonly timeline: string
  readonly window: string
  readonly moment: string
  readonly follow: string
  readonly earlier: string
  readonly later: string
  readonly play: string
  readonly stop: string
  readonly events: string
  readonly incomplete: string
  readonly noEvidence: string
  readonly differ: string
  readonly press: string
  readonly roles: Readonly<Record<'table_arbiter' | 'chief_arbiter' | 'organiser', string>>
  readonly incidents: Readonly<Record<string, string>>
  readonly happenings: Readonly<Record<string, string>>
  readonly orders: string
  readonly reason: string
  readonly reasonIfAny: string
  readonly give: string
  readonly myself: string
  readonly asBefore: string
  readonly incompleteOrder: string
  readonly carriedOut: string
  readonly undo: string
  readonly undone: string
  readonly undoReason: string
  readonly audit: string
  readonly noOrders: string
  readonly noKey: string
  readonly refused: string
  readonly choose: string
  readonly chosenReason: string
  readonly weighing: string
  readonly nothing: string
  readonly likeliest: string
  readonly lessLikely: (times: string) => string
  readonly sealedBy: Readonly<Record<'press' | 'reply' | 'silence' | 'order', string>>
  readonly limit: string
  readonly limitOf: (side: string, rounds: number, needed: number) => string
  readonly checksLeftOut: (checks: number) => string
  readonly repeated: (times: number) => string
  readonly repetition: string
  readonly uncertain: string
  readonly fouls: string
  readonly withdrawnFoul: string
  readonly waitsFor: string
  readonly claimOf: (side: string, claim: string) => string
  readonly claimHolds: string
  readonly claimFails: string
  readonly dueResult: (score: string, why: string) => string
  readonly declareIt: string
  readonly callOf: (side: string) => string
  readonly alarmOf: (what: string) => string
  readonly accounts: string
  readonly role: string
  readonly addAccount: string
  readonly added: (name: string) => string
  readonly expired: string
  readonly groups: Readonly<Record<'clock' | 'players' | 'moves' | 'claims' | 'end', string>>
  readonly commands: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<'side' | 'minutes' | 'offence' | 'lines' | 'foul' | 'claim' | 'ruling' | 'ply' | 'fen' | 'score' | 'ending', string>>
  readonly offences: Readonly<Record<string, string>>
  readonly claims: Readonly<Record<string, string>>
  readonly rulings: Readonly<Record<string, string>>
  readonly refusals: Readonly<Record<string, string>>
  readonly allOrders: string
  readonly allBoards: string
  readonly everybody: string
  readonly person: string
  readonly board: string
  readonly shownOrders: (shown: number, all: number) => string
}

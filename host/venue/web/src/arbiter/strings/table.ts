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
  readonly wrongPassword: string
  readonly wrongCode: string
  readonly tooMany: string
  readonly unreachable: string
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
  readonly differ: string
  readonly press: string
  readonly roles: Readonly<Record<'table_arbiter' | 'chief_arbiter' | 'organiser', string>>
  readonly incidents: Readonly<Record<string, string>>
  readonly happenings: Readonly<Record<string, string>>
}

// What the console asks of the venue. Every request that changes something repeats the token of the session.

import type { Side } from '../board/position'
import type { Summary } from '../feed/wire'

/** What somebody may do. */
export type Role = 'table_arbiter' | 'chief_arbiter' | 'organiser'

/** Who is signed in. */
export type Standing =
  | { readonly state: 'setup' }
  | { readonly state: 'signed_out' }
  | { readonly state: 'signed_in'; readonly name: string; readonly role: Role; readonly csrf: string; readonly orders: boolean }

/** Something that an arbiter should look at. */
export interface Attention {
  /** The line of the journal that says it. */
  readonly seq: number
  readonly incident: string
  readonly ply: number
  readonly side?: 'red' | 'black'
  readonly article?: string
  readonly squares: readonly string[]
  readonly note?: string
}

/** A board as an arbiter sees it. */
export interface BoardView {
  readonly board: string
  readonly online: boolean
  readonly game: Summary | null
  readonly attention: readonly Attention[]
  /** The first and the last line of its journal that the venue holds. */
  readonly journal: readonly [number, number] | null
  readonly missing: number
  readonly rules: string
  readonly fouls: readonly FoulEntry[]
  readonly claim: { readonly side: Side; readonly claim: string; readonly holds?: boolean; readonly note?: string } | null
  readonly due: { readonly score: string; readonly ending: string; readonly article: string; readonly note?: string } | null
  readonly called: { readonly side?: Side } | null
  readonly signed: readonly By[]
}

/** Who did something. */
export type By = 'board' | Side | { readonly arbiter: string }

/** An entry of the ledger of fouls. */
export interface FoulEntry {
  readonly foul: number
  readonly side: Side
  readonly offence: string
  readonly article: string
  readonly ply: number
  readonly by: By
  readonly note?: string
  readonly withdrawn?: string
}

/** What the referee weighed at a moment. */
export interface Weighing {
  readonly ply: number
  readonly readings: readonly { readonly moves: readonly string[]; readonly hans: string; readonly hant: string; readonly cost: number }[]
  readonly chosen: string | null
  readonly by: 'press' | 'reply' | 'silence' | 'order' | null
}

/** What the laws say of the game on a board. */
export interface Laws {
  readonly natural_limit: readonly { readonly side: Side; readonly rounds: number; readonly needed: number; readonly checks: number; readonly checks_left_out: number }[]
  readonly repeated: number
  readonly repetition: {
    readonly verdict: string
    readonly red: string
    readonly black: string
    readonly articles: readonly string[]
    readonly certain: boolean
    readonly plies: readonly { readonly ply: number; readonly hans: string; readonly hant: string; readonly label: string; readonly certain: boolean }[]
    readonly zh: string
    readonly en: string
  } | null
}

/** An order that was given at some board. */
export interface AuditEntry {
  readonly board: string
  readonly line: unknown
}

/** A refusal, in the venue's words. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    detail: string,
  ) {
    super(detail)
  }
}

/** The venue's side of the console. */
export class Client {
  private csrf = ''

  /** Who is signed in. */
  async standing(): Promise<Standing> {
    return this.remember((await this.send('GET', 'session')) as Standing)
  }

  async setUp(code: string, name: string, password: string): Promise<Standing> {
    return this.remember((await this.send('POST', 'setup', { code, name, password })) as Standing)
  }

  async signIn(name: string, password: string): Promise<Standing> {
    return this.remember((await this.send('POST', 'login', { name, password })) as Standing)
  }

  async signOut(): Promise<Standing> {
    return (await this.send('POST', 'logout', {})) as Standing
  }

  async boards(): Promise<readonly BoardView[]> {
    return (await this.send('GET', 'boards')) as readonly BoardView[]
  }

  /** The lines of a board's journal after `seq`. */
  async journal(board: string, seq: number | null): Promise<readonly unknown[]> {
    const after = seq === null ? '' : `?after=${seq}`
    const answer = (await this.send('GET', `boards/${encodeURIComponent(board)}/journal${after}`)) as { lines: unknown[] }
    return answer.lines
  }

  /** What was weighed before a line of the journal, or now. */
  async readings(board: string, at: number | null): Promise<Weighing> {
    return (await this.send('GET', `boards/${encodeURIComponent(board)}/readings${at === null ? '' : `?at=${at}`}`)) as Weighing
  }

  async laws(board: string): Promise<Laws> {
    return (await this.send('GET', `boards/${encodeURIComponent(board)}/laws`)) as Laws
  }

  async audit(): Promise<readonly AuditEntry[]> {
    return (await this.send('GET', 'audit')) as readonly AuditEntry[]
  }

  /** Orders something. The same id again asks what became of the order. */
  async order(board: string, game: string, id: string, reason: string, command: object): Promise<void> {
    await this.send('POST', `boards/${encodeURIComponent(board)}/orders`, { id, game, reason, ...command })
  }

  async accounts(): Promise<readonly { readonly name: string; readonly role: Role }[]> {
    return (await this.send('GET', 'accounts')) as readonly { name: string; role: Role }[]
  }

  async addAccount(name: string, role: Role, password: string): Promise<void> {
    await this.send('POST', 'accounts', { name, role, password })
  }

  private remember(standing: Standing): Standing {
    this.csrf = standing.state === 'signed_in' ? standing.csrf : ''
    return standing
  }

  private async send(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`/api/v1/arbiter/${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-luozi-csrf': this.csrf },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const said = (await answer.json()) as { detail?: string }
    if (!answer.ok) throw new Refused(answer.status, said.detail ?? String(answer.status))
    return said
  }
}

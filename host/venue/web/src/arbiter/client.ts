// What the console asks of the venue. Every request that changes something repeats the token of the session. What is asked and
// answered is what the API's document says.

import { settings } from '../settings'
import { consoleStrings } from './strings'
import type { Account, Accounts, Answer, Audit, Board, Laws, Operations, Order, Problem, Role, Standing, Weighing } from '../feed/api'

export type { Account, Attention, AuditEntry, FoulEntry, Laws, Line, Role, Standing, Weighing } from '../feed/api'
export type BoardView = Board

/** What is ordered, without its address and its reason. */
export type Command = Omit<Order, 'id' | 'game' | 'reason'>

/** A refusal, in the venue's words. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    /** Names the problem. */
    readonly code: Problem['code'] | null,
    detail: string,
  ) {
    super(detail)
  }
}

type Operation = keyof Operations

/** The venue's side of the console. */
export class Client {
  private csrf = ''

  /** Who is signed in. */
  async standing(): Promise<Standing> {
    return this.remember(await this.ask('GET /api/v1/arbiter/session'))
  }

  async setUp(code: string, name: string, password: string): Promise<Standing> {
    return this.remember(await this.ask('POST /api/v1/arbiter/setup', { code, name, password }))
  }

  async signIn(name: string, password: string): Promise<Standing> {
    return this.remember(await this.ask('POST /api/v1/arbiter/login', { name, password }))
  }

  signOut(): Promise<Standing> {
    return this.ask('POST /api/v1/arbiter/logout')
  }

  boards(): Promise<readonly BoardView[]> {
    return this.ask('GET /api/v1/arbiter/boards')
  }

  /** The lines of a board's journal after `seq`. */
  async journal(board: string, seq: number | null): Promise<readonly unknown[]> {
    const { lines } = await this.ask('GET /api/v1/arbiter/boards/{id}/journal', undefined, board, seq === null ? '' : `?after=${seq}`)
    return lines
  }

  /** What was weighed before a line of the journal, or now. */
  readings(board: string, at: number | null): Promise<Weighing> {
    return this.ask('GET /api/v1/arbiter/boards/{id}/readings', undefined, board, at === null ? '' : `?at=${at}`)
  }

  laws(board: string): Promise<Laws> {
    return this.ask('GET /api/v1/arbiter/boards/{id}/laws', undefined, board)
  }

  audit(): Promise<Audit> {
    return this.ask('GET /api/v1/arbiter/audit')
  }

  /** Orders something. The same id again asks what became of the order. */
  order(board: string, game: string, id: string, reason: string, command: Command): Promise<Answer> {
    return this.ask('POST /api/v1/arbiter/boards/{id}/orders', { id, game, reason, ...command }, board)
  }

  accounts(): Promise<Accounts> {
    return this.ask('GET /api/v1/arbiter/accounts')
  }

  addAccount(name: string, role: Role, password: string): Promise<Account> {
    return this.ask('POST /api/v1/arbiter/accounts', { name, role, password })
  }

  private remember(standing: Standing): Standing {
    this.csrf = standing.state === 'signed_in' ? standing.csrf : ''
    return standing
  }

  private async ask<K extends Operation>(operation: K, body?: Operations[K]['request'], id = '', query = ''): Promise<Operations[K]['answer']> {
    const [method, path = ''] = operation.split(' ')
    const answer = await fetch(path.replace('{id}', encodeURIComponent(id)) + query, {
      ...(method ? { method } : {}),
      headers: { 'content-type': 'application/json', 'x-luozi-csrf': this.csrf, 'accept-language': settings.language },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const said: unknown = await answer.json()
    if (!answer.ok) throw refused(answer.status, said as Partial<Problem>)
    return said as Operations[K]['answer']
  }
}

/** The venue words its problems in the viewer's language; what a board says is put into words here. */
function refused(status: number, { code, detail, refusal }: Partial<Problem>): Refused {
  const words = consoleStrings()
  const why = refusal === undefined ? undefined : words.refusals[refusal]
  return new Refused(status, code ?? null, why === undefined ? (detail ?? String(status)) : words.boardRefused(why))
}

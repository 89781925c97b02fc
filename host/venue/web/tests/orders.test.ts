// Forms of orders, who may give them, and the articles beside rulings.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { articles } from '../scripts/articles.mjs'
import { ARTICLES } from '../src/arbiter/articles'
import { FORMS, endingsOf, formsOf, milliseconds, orderId, payload } from '../src/arbiter/orders'
import { en } from '../src/arbiter/strings/en'
import { NOTES, noteIn } from '../src/arbiter/strings/notes'
import { alarmsIn } from '../src/arbiter/strings/alarms'
import { refusals } from '../src/arbiter/strings/refusals'
import { articles as hans } from '../src/arbiter/strings/articles-hans'
import { articles as hant } from '../src/arbiter/strings/articles-hant'

function form(command: string) {
  const found = FORMS.find((one) => one.command === command)
  if (!found) throw new Error(`there is no form of ${command}`)
  return found
}

describe('orders', () => {
  it('become what the board reads', () => {
    expect(payload(form('pause'), {})).toEqual({ command: 'pause' })
    expect(payload(form('resume'), { side: '' })).toEqual({ command: 'resume' })
    expect(payload(form('set_clock'), { side: 'red', minutes: '5:30' })).toEqual({ command: 'set_clock', side: 'red', left_ms: 330_000 })
    expect(payload(form('charge'), { side: 'black', minutes: '5' })).toEqual({ command: 'charge', side: 'black', charge_ms: 300_000 })
    expect(payload(form('take_back'), { ply: '12' })).toEqual({ command: 'take_back', ply: 12 })
    expect(payload(form('take_back'), { ply: 'x' })).toBeNull()
    expect(payload(form('warn'), { side: '' })).toBeNull()
  })

  it('read times as people write them', () => {
    expect([milliseconds('1:00:05'), milliseconds('90'), milliseconds('0:07'), milliseconds('1.5'), milliseconds('')]).toEqual([3_605_000, 5_400_000, 7_000, null, null])
  })

  it('are given by those who have the power (18.1 to 18.3)', () => {
    const may = (role: Parameters<typeof formsOf>[0], over: boolean) => formsOf(role, over).map(({ command }) => command)
    expect(may('table_arbiter', false)).toContain('declare')
    expect(may('table_arbiter', true)).not.toContain('declare')
    expect(may('table_arbiter', true)).not.toContain('reopen')
    expect(may('chief_arbiter', true)).toContain('reopen')
    expect(may('organiser', false)).toEqual(['declare'])
    expect(endingsOf('table_arbiter')).not.toContain('conduct')
    expect(endingsOf('organiser')).toEqual(['forfeit'])
  })

  it('have words for each, and ids of their own', () => {
    for (const { command } of FORMS) expect(en.commands[command], command).toBeTruthy()
    expect(orderId()).toMatch(/^[0-9a-f]{32}$/)
    expect(orderId()).not.toBe(orderId())
  })
})

describe('articles', () => {
  it('are those of RULES.md', () => {
    expect(readFileSync('src/arbiter/articles.ts', 'utf8')).toBe(articles())
  })

  it('that rulings name have words in Chinese', () => {
    const sources = ['foul.rs', 'result.rs', 'touch.rs', 'infer/decide.rs'].map((file) => readFileSync(`../../referee/src/${file}`, 'utf8')).join('')
    const named = new Set([...sources.matchAll(/"(\d+\.\d+(?:\.\d+|\(\d+\))?)"/g)].map(([, number]) => number ?? ''))
    expect(named.size).toBeGreaterThan(30)
    for (const number of named) {
      const article = ARTICLES.find(([of1999, of2010]) => of1999 === number || of2010 === number)
      if (!article) continue // Such as 17.4, the duty of arbiters to rule.
      const [of1999, of2010] = article
      for (const table of [hans, hant]) expect((of1999 ? table[of1999] : undefined) ?? table[`${of2010} (2010)`] ?? table[of2010], number).toBeTruthy()
    }
  })
})

/** What stands in quotes in a source of the board's. */
function quoted(file: string): string {
  return readFileSync(`../../${file}`, 'utf8').replace(/\/\/.*/g, '')
}

describe('what the board says in its own words', () => {
  it('has words for every refusal in every language', () => {
    const named = (file: string, name: string) => {
      const body = new RegExp(`pub enum ${name} \\{([^}]*)\\}`).exec(quoted(file))?.[1] ?? ''
      return [...body.matchAll(/^ {4}(\w+),/gm)].map(([, word]) => (word ?? '').replace(/\B[A-Z]/g, '_$&').toLowerCase())
    }
    const words = [...named('referee/src/command.rs', 'Refusal'), ...named('referee/src/clock/event.rs', 'ClockRefusal'), ...named('referee/src/relay/answer.rs', 'Rejection')]
    expect(words.length).toBeGreaterThan(20)
    for (const table of Object.values(refusals)) for (const word of words) expect(table[word], word).toBeTruthy()
  })

  it('has words for every alarm in every language', () => {
    const body = /pub enum Alarm \{(.*?)\n\}/s.exec(quoted('referee/src/relay/alarm.rs'))?.[1] ?? ''
    const codes = [...body.matchAll(/^ {4}(\w+)(?: \{|,)/gm)].map(([, word]) => (word ?? '').replace(/\B[A-Z]/g, '_$&').toLowerCase())
    const fields = [...new Set([...body.matchAll(/^ {8}(\w+): /gm)].map(([, field]) => field ?? ''))]
    expect(codes.length).toBeGreaterThan(8)
    expect(fields.sort()).toEqual(['client', 'detail', 'file', 'line', 'seq'])
    const all = { file: 'f.ndjson', line: 7, seq: 8, client: 'b-9', detail: 'EIO' }
    for (const code of codes.filter((word) => word !== 'unknown')) {
      for (const language of ['en', 'hans', 'hant'] as const) {
        const [words, ...more] = alarmsIn(language, { alarm: 'in English', alarms: [{ code, ...all }] })
        expect(words, code).not.toBe('in English')
        expect(more).toEqual([])
      }
    }
    const said = { alarm: 'something new', alarms: [{ code: 'unknown' }, { code: 'id_taken', client: 'b-9' }] }
    expect(alarmsIn('hans', said)).toEqual(['服务器一再断开此棋盘：是否另有棋盘也叫 b-9？', 'something new'])
    expect(alarmsIn('hant', { alarm: 'of an earlier version', alarms: [] })).toEqual(['of an earlier version'])
    expect(alarmsIn('hant', { alarm: null, alarms: [] })).toEqual([])
  })

  it('has every fixed line of evidence in Chinese', () => {
    const sources = ['touch.rs', 'infer/decide.rs', 'infer/start.rs', 'conduct/claims.rs'].map((file) => quoted(`referee/src/${file}`)).join('')
    const lines = [...sources.matchAll(/"((?:[a-z']+ ){2,}[a-z']+)"/g)].map(([, line]) => line ?? '')
    expect(lines.length).toBeGreaterThan(15)
    for (const line of lines) expect(noteIn('hans', line), line).not.toBe(line)
    expect(noteIn('hant', 'the moves have gone round 3 times')).toBe('着法已循環 3 次')
    expect(noteIn('hans', 'something new')).toBe('something new')
    for (const [, simplified, inTraditional] of NOTES) expect(inTraditional.length).toBe(simplified.length)
  })
})

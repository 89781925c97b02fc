// The words that the venue prints on PDF are those of the pages.

import { expect, test } from 'vitest'
import { en as printEn } from '../src/print/strings/en'
import { hans as printHans } from '../src/print/strings/hans'
import { hant as printHant } from '../src/print/strings/hant'
import type { PrintStrings } from '../src/print/strings/table'
import { en } from '../src/strings/en'
import { hans } from '../src/strings/hans'
import { hant } from '../src/strings/hant'
import type { Strings } from '../src/strings/table'
import { SCORES } from '../src/pages/game-view'

function words(strings: Strings, print: PrintStrings, language: string, day: string) {
  const { sheet, pairings, results, event, roundHeading, date, control, rules, startFen, number, used, result, fouls, noFouls } = print
  const { open, arbiter, signature, signedHere, offences, editions } = print
  const month = (at: number) => (language === 'en' ? new Date(2000, at).toLocaleDateString('en', { month: 'long' }) : String(at + 1))
  return {
    sheet, pairings, results, event, roundHeading, date, control, rules, startFen, number, used, result, fouls, noFouls,
    open, arbiter, signature, signedHere, offences, editions, day,
    months: Array.from({ length: 12 }, (_, at) => month(at)),
    roundOf: strings.roundOf('{round}'),
    tableHeading: strings.tableHeading,
    red: strings.red,
    black: strings.black,
    foul: print.foul('{side}', '{round}', '{offence}', '{article}'),
    how: print.how('{reason}', '{round}'),
    page: print.page('{page}', '{pages}'),
    game: print.game('{id}'),
    boxes: print.boxes('{codes}'),
    noGames: strings.noGames,
    article: strings.article('{article}'),
    outcomes: { '1-0': strings.redWins, '0-1': strings.blackWins, '1/2-1/2': strings.drawn, '0-0': strings.bothLose },
    scores: SCORES,
    reasons: strings.reasons,
  }
}

test('the words of the PDF are those of the pages (npx vitest run -u writes them)', async () => {
  const all = {
    en: words(en, printEn, 'en', '{month} {day}, {year}'),
    'zh-Hans': words(hans, printHans, 'zh-Hans', '{year}年{month}月{day}日'),
    'zh-Hant': words(hant, printHant, 'zh-Hant', '{year}年{month}月{day}日'),
  }
  await expect(`${JSON.stringify(all, null, 1)}\n`).toMatchFileSnapshot('../../src/paper/words.json')
})

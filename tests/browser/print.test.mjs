// What is made for paper: score sheet, results, pairings.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Broker, Hall, PATIENCE_MS, artefact, browser, seriousViolations, skip, until } from './world.mjs'

test('a score sheet holds the whole game, on A4', { skip }, async () => {
  const chrome = await browser()
  const broker = await Broker.start()
  const hall = await Hall.start(broker, { boards: 3, paceMs: 20, plies: 200 })
  try {
    const game = await until(async () => {
      const found = await hall.game('game-2')
      return found?.result && found
    }, 'a finished game')
    const context = await chrome.newContext({ locale: 'zh-CN', viewport: { width: 1280, height: 900 }, bypassCSP: true })
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    await page.goto(`${hall.url}/game/game-2`)
    await page.getByRole('link', { name: '记录纸' }).click()
    await page.waitForURL('**/game/game-2/sheet')
    const full = page.locator('.columns tbody td:not([class])')
    await until(async () => (await full.count()) >= game.plies.length, 'every ply')
    const written = (await full.allInnerTexts()).filter(Boolean)
    assert.deepEqual(written, game.plies.map(({ hans }) => hans))
    const short = (await page.locator('.columns .short').allInnerTexts()).filter(Boolean)
    assert.deepEqual(short, game.plies.map(({ hans }) => hans.replace(/[进退平]/, '')))
    await page.getByText('黑胜').waitFor()
    assert.deepEqual(await seriousViolations(page), [])

    const pages = await page.locator('section.page').count()
    const link = page.getByRole('link', { name: 'PDF 文件' })
    const file = await page.request.get(new URL(await link.getAttribute('href'), hall.url).href)
    assert.equal(file.headers()['content-type'], 'application/pdf')
    assert.equal((await file.body()).toString('latin1').match(/\/Type \/Page\n/g)?.length, pages, 'the PDF of the venue is as long')
    for (const [path, name] of [['/game/game-2/sheet', 'sheet'], ['/round/results', 'results'], ['/round/pairings', 'pairings']]) {
      await page.goto(hall.url + path)
      await page.locator('section.page tbody tr').first().waitFor()
      await page.evaluate(() => document.fonts.ready)
      const pdf = await page.pdf({ path: artefact(`${name}.pdf`), preferCSSPageSize: true })
      const text = pdf.toString('latin1')
      const boxes = [...text.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, w, h]) => [Math.round(w), Math.round(h)])
      assert.equal(boxes.length, name === 'sheet' ? pages : 1, `${name} is on as many sheets as it says`)
      assert.deepEqual(boxes[0], [595, 842], 'A4')
    }
  } finally {
    await chrome.close()
    await hall.stop()
    await broker.stop()
  }
})

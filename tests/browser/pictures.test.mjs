// Every page at three sizes, light and dark: nothing is too wide, axe-core finds nothing serious, and pictures are kept to be
// looked at.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { give, world } from './arbiters.mjs'
import { Broker, Hall, PATIENCE_MS, artefact, browser, seriousViolations, skip, until } from './world.mjs'

const SIZES = [[360, 780], [1280, 800], [3840, 2160]]

/** Takes pictures of the page as it stands. */
async function take(page, name) {
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme })
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height })
      await page.evaluate(async () => {
        await document.fonts.ready
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      })
      await page.screenshot({ path: artefact(`${name}-${scheme}-${width}.png`) })
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(overflow <= 0, `${name} at ${width} is ${overflow} px too wide`)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    assert.deepEqual(await seriousViolations(page), [], `${name}, ${scheme}`)
  }
}

test('what spectators see', { skip }, async () => {
  const chrome = await browser()
  const broker = await Broker.start()
  const hall = await Hall.start(broker, { boards: 6, paceMs: 150, plies: 60, standings: 'https://example.org/standings' })
  try {
    const context = await chrome.newContext({ locale: 'zh-CN', bypassCSP: true, viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    await until(async () => (await hall.game('game-2'))?.result, 'a finished game')
    for (const [path, name, ready] of [
      ['/', 'wall', 'xiangqi-board'], ['/game/game-2', 'game', 'move-list button'], ['/game/game-1#17', 'game-step', 'move-list [aria-current]'],
      ['/embed/game-2', 'embed', 'xiangqi-board'], ['/round', 'round', 'tbody tr'], ['/game/game-2/sheet', 'sheet', 'section.page'],
      ['/round/results', 'results', 'section.page'], ['/round/pairings', 'pairings', 'section.page'], ['/nowhere', 'missing', '.missing'],
    ]) {
      await page.goto(hall.url + path)
      await page.locator(ready).first().waitFor()
      await take(page, name)
    }
    await page.goto(`${hall.url}/round`)
    assert.equal(await page.getByRole('link', { name: '积分榜' }).getAttribute('href'), 'https://example.org/standings')
  } finally {
    await chrome.close()
    await hall.stop()
    await broker.stop()
  }
})

test('what arbiters see', { skip }, async () => {
  await world(['5.1-touched-piece-not-moved.txt', 'capture-that-no-reed-told.txt', 'clean-opening.txt'], async ({ url, chrome, enter, organiser }) => {
    const page = await enter('Chief')
    await page.locator('.card .attention').getByText('touched, not moved').waitFor()
    await page.locator('.card .attention').getByText('ambiguous move').waitFor()
    await take(page, 'arbiter-boards')
    await take(organiser, 'arbiter-accounts')
    await page.locator('.card').filter({ hasText: 'touched, not moved' }).click()
    await page.locator('.events').getByText('move h0g2').click()
    await page.getByText('settled by the press').waitFor()
    await take(page, 'arbiter-board')
    await give(page, 'Enter foul', 'talked', { Side: 'black', Offence: 'conduct' })
    await give(page, 'Charge time', 'came late', { Side: 'black', 'Time (min:s)': '5:00' })
    await page.goto(`${url}/arbiter/audit`)
    await until(async () => (await page.locator('audit-view li').count()) === 2, 'both orders')
    await take(page, 'arbiter-audit')
    const stranger = await chrome.newContext({ locale: 'zh-TW', bypassCSP: true })
    const door = await stranger.newPage()
    await door.goto(`${url}/arbiter`)
    await door.locator('sign-in form').waitFor()
    await take(door, 'arbiter-sign-in')
  })
})

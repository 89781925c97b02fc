// axe-core finds nothing serious on any page, in light and dark, in every language.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Broker, Hall, browser, seriousViolations, skip } from './world.mjs'

test('axe finds no serious violation', { skip }, async () => {
  const chrome = await browser()
  const broker = await Broker.start()
  const hall = await Hall.start(broker, { boards: 6, paceMs: 60, plies: 30 })
  try {
    for (const [locale, colorScheme, width] of [['zh-CN', 'light', 1280], ['zh-TW', 'dark', 1280], ['en-GB', 'light', 360], ['en-GB', 'dark', 3840]]) {
      // The page's own policy forbids foreign scripts; axe is one.
      const context = await chrome.newContext({ locale, colorScheme, bypassCSP: true, viewport: { width, height: 900 } })
      const page = await context.newPage()
      for (const path of ['/', '/round', '/game/game-1', '/game/game-1#3', '/embed/game-2', '/game/none', '/nowhere']) {
        await page.goto(hall.url + path)
        await page.locator('xiangqi-board, tbody tr, .empty, .missing').first().waitFor()
        const found = await seriousViolations(page)
        assert.deepEqual(found, [], `${path} in ${locale}, ${colorScheme}, ${width}`)
      }
      await context.close()
    }
  } finally {
    await chrome.close()
    await hall.stop()
    await broker.stop()
  }
})

// axe-core finds nothing serious on any page, in light and dark, in every language.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { Broker, Hall, browser, skip } from './world.mjs'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

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
        await page.addScriptTag({ content: AXE })
        const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }))
        const found = violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`).join(' | ')}`)
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

// What spectators are told where an event is shown late.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Broker, Hall, PATIENCE_MS, browser, skip, until } from './world.mjs'

test('how late it is stands on the page, and it is as late as it says', { skip }, async () => {
  const chrome = await browser()
  const broker = await Broker.start()
  const hall = await Hall.start(broker, { boards: 1, paceMs: 250, plies: 400, delay: '2s+4plies' })
  try {
    for (const [locale, words] of [['zh-CN', '延迟 2 秒 · 延迟 4 着'], ['zh-TW', '延遲 2 秒 · 延遲 4 着'], ['en-GB', '2 s behind · 4 moves behind']]) {
      const page = await chrome.newPage({ locale })
      page.setDefaultTimeout(PATIENCE_MS)
      await page.goto(`${hall.url}/game/game-1`)
      await until(async () => (await page.locator('move-list button').count()) >= 4, 'moves that are old enough')
      assert.equal(await page.locator('[data-connection=live]').innerText(), words)
      assert.equal(await page.locator('.steppers .live').innerText(), words)
      await page.goto(hall.url)
      await page.locator('wall-tile').waitFor()
      assert.equal(await page.locator('[data-connection=live]').innerText(), words)
      await page.close()
    }
    const { behind } = await hall.game('game-1')
    assert.deepEqual(behind, { seconds: 2, plies: 4 })
  } finally {
    await chrome.close()
    await hall.stop()
    await broker.stop()
  }
})

test('how late it is stands on the page before anything may be shown', { skip }, async () => {
  const chrome = await browser()
  const broker = await Broker.start()
  const hall = await Hall.start(broker, { boards: 1, paceMs: 250, plies: 400, delay: '1h' })
  try {
    const page = await chrome.newPage({ locale: 'zh-CN' })
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(hall.url)
    await page.locator('.empty').getByText('延迟 60 分钟').waitFor()
    assert.equal(await page.locator('[data-connection=live]').innerText(), '延迟 60 分钟')
    assert.equal(await hall.game('game-1'), null)
  } finally {
    await chrome.close()
    await hall.stop()
    await broker.stop()
  }
})

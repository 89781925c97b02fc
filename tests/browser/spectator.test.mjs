// What a spectator sees, in a real browser.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Broker, Hall, PATIENCE_MS, ROOT, browser, skip, until } from './world.mjs'

let chrome
before(async () => {
  if (!skip) chrome = await browser()
})
after(async () => {
  await chrome?.close()
})

async function world(options, run) {
  const broker = await Broker.start()
  const hall = await Hall.start(broker, options)
  const context = await chrome.newContext({ viewport: { width: 1280, height: 800 }, locale: 'zh-CN' })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const faults = []
  page.on('pageerror', (error) => faults.push(error.message))
  try {
    await run({ broker, hall, page, context })
    assert.deepEqual(faults, [], 'no script fails')
  } finally {
    await context.close()
    await hall.stop()
    await broker.stop()
  }
}

/** The moves that board 1 replays, as the data set has them. */
function playedInGame(number) {
  const games = readFileSync(join(ROOT, 'host/xiangqi/tests/data/games.jsonl'), 'utf8').split('\n')
  return JSON.parse(games[number]).moves
}

const list = (page) => page.locator('move-list button > span:first-child').allInnerTexts()
const connection = (page) => page.locator('[data-connection]')

async function inIccs(page) {
  await page.locator('select').nth(0).selectOption('iccs')
}

test('moves appear without a reload, and the clocks run', { skip }, async () => {
  await world({ boards: 1, paceMs: 400 }, async ({ hall, page }) => {
    await page.goto(`${hall.url}/game/game-1`)
    await page.evaluate(() => (window.loadedOnce = true))
    await page.waitForFunction(() => document.querySelector('luozi-app')?.shadowRoot?.querySelector('game-page')?.shadowRoot?.querySelector('move-list')?.shadowRoot?.querySelectorAll('button').length >= 6)
    await inIccs(page)
    const game = await hall.game('game-1')
    const shown = await until(async () => {
      const texts = await list(page)
      return texts.length >= game.plies.length && texts
    }, 'the moves of the game')
    for (const [at, ply] of game.plies.entries()) assert.equal(shown[at].replace('+', ''), ply.iccs)
    const clock = page.locator('luozi-clock[running] time').first()
    const texts = new Set()
    await until(async () => texts.add(await clock.innerText()).size >= 2, 'a clock that runs')
    assert.equal(await page.evaluate(() => window.loadedOnce), true, 'the page was never loaded again')
  })
})

test('a broker that is killed and comes back costs no move', { skip }, async () => {
  await world({ boards: 2, paceMs: 150 }, async ({ broker, hall, page }) => {
    await page.goto(`${hall.url}/game/game-1`)
    await inIccs(page)
    await until(async () => (await list(page)).length >= 8, 'the first moves')
    await broker.kill()
    await page.locator('[data-relay=lost]').waitFor()
    const before = (await list(page)).length
    // The boards play on while nobody hears them.
    await new Promise((done) => setTimeout(done, 1_500))
    broker.up()
    await page.locator('[data-relay=connected]').waitFor()
    await until(async () => (await list(page)).length > before + 4, 'what was missed')
    await page.locator('.news .seal').waitFor()
    const expected = playedInGame(0).map((move) => `${move.slice(0, 2)}-${move.slice(2)}`.toUpperCase())
    assert.deepEqual((await list(page)).map((text) => text.replace('+', '')), expected)
  })
})

test('a venue that is killed and comes back is found again', { skip }, async () => {
  await world({ boards: 1, paceMs: 300 }, async ({ broker, hall, page }) => {
    await page.goto(`${hall.url}/game/game-1`)
    await until(async () => (await list(page)).length >= 2, 'the first moves')
    const { port } = hall
    await hall.stop('SIGKILL')
    await page.locator('[data-connection=reconnecting]').waitFor()
    assert.equal(await page.locator('luozi-clock[stale]').count(), 2, 'the clocks say that they are estimates')
    const again = await Hall.start(broker, { boards: 1, paceMs: 300, port })
    try {
      await page.locator('[data-connection=live][data-relay=connected]').waitFor()
      await until(async () => (await list(page)).length >= 1, 'moves of the new run')
    } finally {
      await again.stop()
    }
  })
})

test('stepping, links to a ply, flip and keys', { skip }, async () => {
  await world({ boards: 1, paceMs: 30, plies: 40 }, async ({ hall, page }) => {
    await page.goto(`${hall.url}/game/game-1`)
    await page.locator('.news .seal').waitFor()
    const square = () => page.locator('xiangqi-board').getAttribute('label')
    const current = () => page.locator('move-list [aria-current]').innerText()
    const last = await current()
    await page.keyboard.press('ArrowLeft')
    assert.notEqual(await current(), last)
    assert.equal(new URL(page.url()).hash, '#39')
    await page.keyboard.press('Home')
    assert.equal(new URL(page.url()).hash, '#0')
    assert.equal(await page.locator('move-list [aria-current]').count(), 0)
    await page.keyboard.press('End')
    assert.equal(new URL(page.url()).hash, '')
    assert.equal(await current(), last)
    await page.goto(`${hall.url}/game/game-1#12`)
    await until(async () => (await page.locator('move-list [aria-current]').count()) === 1, 'ply 12')
    const rows = page.locator('move-list button')
    assert.equal(await rows.nth(11).getAttribute('aria-current'), 'step')
    await page.keyboard.press('f')
    assert.equal(await page.locator('xiangqi-board').evaluate((board) => board.flipped), true)
    await page.locator('time-chart svg').click({ position: { x: 3, y: 10 } })
    assert.equal(new URL(page.url()).hash, '#1')
    assert.equal(await square(), null)
  })
})

test('copying and the QR code', { skip }, async () => {
  await world({ boards: 1, paceMs: 20, plies: 12 }, async ({ hall, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: hall.url })
    await page.goto(`${hall.url}/game/game-1`)
    await page.locator('.news .seal').waitFor()
    const copied = async (name) => {
      await page.getByRole('button', { name }).click()
      return page.evaluate(() => navigator.clipboard.readText())
    }
    const game = await hall.game('game-1')
    assert.equal(await copied('复制局面'), game.fen)
    assert.match(await copied('复制着法'), new RegExp(`^1\\. ${game.plies[0].hans} ${game.plies[1].hans} 2\\. `))
    assert.equal(await copied('复制链接'), `${hall.url}/game/game-1`)
    assert.match(await copied('复制嵌入代码'), new RegExp(`^<iframe src="${hall.url}/embed/game-1"`))
    await page.getByRole('button', { name: '二维码' }).click()
    await page.locator('dialog[open] .code svg').waitFor()
  })
})

test('a page without the clipboard of safe pages copies as well', { skip }, async () => {
  await world({ boards: 1, paceMs: 20, plies: 12 }, async ({ hall, page, context }) => {
    await context.grantPermissions(['clipboard-read'], { origin: hall.url })
    // As a hall without TLS has it.
    await context.addInitScript(() => Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new Error('not here')) }))
    await page.goto(`${hall.url}/game/game-1`)
    await page.locator('.news .seal').waitFor()
    await page.getByRole('button', { name: '复制局面' }).click()
    await page.getByText('已复制').waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), (await hall.game('game-1')).fen)
  })
})

test('the wall leads to games, in every language', { skip }, async () => {
  await world({ boards: 6, paceMs: 200 }, async ({ hall, page }) => {
    await page.goto(hall.url)
    await until(async () => (await page.locator('wall-tile').count()) === 6, 'six boards')
    for (const [language, words] of [['zh-Hant', '全部棋盤'], ['en', 'All boards'], ['zh-Hans', '全部棋盘']]) {
      await page.locator('select').nth(2).selectOption(language)
      await page.getByRole('link', { name: words }).waitFor()
      assert.equal(await page.evaluate(() => document.documentElement.lang), language)
    }
    await page.locator('wall-tile').nth(2).click()
    await page.waitForURL('**/game/game-3')
    await page.locator('move-list button').first().waitFor()
    await page.goBack()
    await until(async () => (await page.locator('wall-tile').count()) === 6, 'the wall again')
    await page.getByRole('link', { name: '本轮' }).click()
    await until(async () => (await page.locator('round-page tbody tr').count()) === 6, 'six rows')
  })
})

test('addresses that lead nowhere say so', { skip }, async () => {
  await world({ boards: 1, paceMs: 500 }, async ({ hall, page }) => {
    assert.equal((await page.goto(`${hall.url}/nowhere`)).status(), 404)
    await page.getByText('没有这个页面').waitFor()
    assert.equal(await connection(page).count(), 0, 'it waits for nothing')
    assert.equal((await page.goto(`${hall.url}/game/none`)).status(), 404)
    await page.getByText('没有这一局棋').waitFor()
  })
})

test('nothing is asked of other servers, and the first load is small', { skip }, async () => {
  await world({ boards: 6, paceMs: 300 }, async ({ hall, page }) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const addresses = new Map()
    let bytes = 0
    session.on('Network.responseReceived', ({ requestId, response }) => addresses.set(requestId, response.url))
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      // Only a machine without any Chinese font loads the whole one.
      if (!/lxgw-wenkai/.test(addresses.get(requestId) ?? '')) bytes += encodedDataLength
    })
    await page.goto(hall.url)
    await until(async () => (await page.locator('wall-tile').count()) === 6, 'six boards')
    await page.waitForTimeout(500)
    for (const address of addresses.values()) assert.ok(address.startsWith(hall.url), address)
    console.log(`first load: ${bytes} bytes`)
    assert.ok(bytes > 0 && bytes < 200_000, `${bytes} bytes`)
  })
})

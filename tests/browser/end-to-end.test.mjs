// The whole path with the shipped binary: reeds of a simulated board, journal, a real mosquitto, the venue, a browser.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Broker, Luozi, PATIENCE_MS, ROOT, browser, freePort, skip, until } from './world.mjs'

/** The real games that simulated boards play, by their id. */
function realGames() {
  const lines = readFileSync(join(ROOT, 'tests/data/games.jsonl'), 'utf8').split('\n').filter(Boolean)
  return new Map(lines.map((line) => JSON.parse(line)).map((game) => [game.id, game.moves]))
}

/** How long a whole game may take at the speed of the test. */
const GAME_MS = 180_000

async function answer(url) {
  const found = await fetch(url).catch(() => null)
  return found?.ok ? await found.json() : null
}

test('a game on a board reaches a browser whole, though the broker is killed in the middle', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'luozi-board-'))
  const broker = await Broker.start()
  const address = `mqtt://127.0.0.1:${broker.port}`
  const url = `http://127.0.0.1:${await freePort()}`
  const venue = new Luozi('venue', '--broker', address, '--listen', new URL(url).host)
  await until(() => answer(`${url}/api/v1/games`), 'the venue')
  const board = new Luozi('board', '--simulated', '--broker', address, '--data', folder, '--speed', 30, '--games', 1)
  const chrome = await browser()
  try {
    const game = await until(async () => (await answer(`${url}/api/v1/games`))?.games[0], 'a game')
    const page = await chrome.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${url}/game/${game.id}`)
    await page.locator('select').nth(0).selectOption('iccs')
    await until(async () => (await answer(`${url}/api/v1/games/${game.id}`)).plies.length >= 20, 'twenty plies')
    await broker.kill()
    await page.locator('[data-relay]:not([data-relay=connected])').waitFor()
    broker.up()

    const end = Date.now() + GAME_MS
    let whole
    do {
      whole = await until(() => answer(`${url}/api/v1/games/${game.id}`), 'the game')
      await new Promise((done) => setTimeout(done, 200))
    } while (whole.result === null && Date.now() < end)
    assert.notEqual(whole.result, null, 'the game ends')

    const id = [...realGames().keys()].find((id) => game.id.includes(id))
    const moves = realGames().get(id)
    assert.deepEqual(whole.plies.map(({ move }) => move), moves, 'nothing is missing, doubled or out of order')
    const last = moves.at(-1).toUpperCase().replace(/^(..)/, '$1-')
    const list = page.locator('move-list button > span:first-child')
    const shown = await until(async () => {
      const texts = await list.allInnerTexts()
      return texts.length === moves.length && texts
    }, 'every move on the page')
    assert.equal(shown.at(-1).replace('+', ''), last)
    const clocks = await page.locator('luozi-clock time').allInnerTexts()
    const minutes = clocks.map((text) => Number(text.split(':')[0]))
    assert.equal(clocks.length, 2, 'both clocks are shown')
    assert.ok(minutes.every((m) => m > 0 && m <= 60), `clocks of an hour that have run: ${clocks}`)
  } finally {
    await chrome.close()
    await board.stop()
    await venue.stop()
    await broker.stop()
    rmSync(folder, { recursive: true })
  }
})

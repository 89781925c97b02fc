// The arbiter console, in a real browser.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Broker, Hall, PATIENCE_MS, artefact, browser, seriousViolations, skip, until } from './world.mjs'

const PASSWORD = 'a long password'
const CODE = '0123456789'

test('an arbiter sets up, signs in, finds the evidence of a board and signs out', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'luozi-accounts-'))
  const chrome = await browser()
  const broker = await Broker.start()
  const hall = await Hall.start(broker, { boards: 3, paceMs: 120, plies: 40, accounts: join(folder, 'accounts.json'), code: CODE })
  try {
    const context = await chrome.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 }, bypassCSP: true })
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    const faults = []
    page.on('pageerror', (error) => faults.push(error.message))
    await page.goto(`${hall.url}/arbiter`)

    await page.getByLabel('Code').fill('wrong')
    await page.getByLabel('Name').fill('Chief')
    await page.getByLabel('Password').fill(PASSWORD)
    const setUp = page.getByRole('button', { name: 'Make the first account' })
    await setUp.click()
    await page.getByText('The code is not the one that the venue printed.').waitFor()
    await page.getByLabel('Code').fill(CODE)
    await setUp.click()
    await until(async () => (await page.locator('.card').count()) === 3, 'three boards')
    assert.deepEqual(await seriousViolations(page), [])
    await page.screenshot({ path: artefact('arbiter-boards-1280.png') })

    await page.locator('.card').first().click()
    await page.waitForURL('**/arbiter/board/board-1')
    await until(async () => (await page.locator('.events li').count()) >= 10, 'events')
    // Looking back: the moment of the second move, with what was believed to stand then.
    await page.locator('.events button').nth(1).click()
    const believed = () => page.locator('evidence-view xiangqi-board').evaluate((board) => board.lastMove !== null)
    await until(believed, 'a position after a move')
    await page.getByRole('button', { name: 'Follow' }).click()
    assert.deepEqual(await seriousViolations(page), [])
    await page.screenshot({ path: artefact('arbiter-board-1280.png') })

    await page.reload()
    await page.locator('.events li').first().waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Name').fill('Chief')
    await page.getByLabel('Password').fill('another password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Name and password do not belong together.').waitFor()
    assert.equal(await page.evaluate(async () => (await fetch('/api/v1/arbiter/boards')).status), 401)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.events li').first().waitFor()
    assert.deepEqual(faults, [])
  } finally {
    await chrome.close()
    await hall.stop()
    await broker.stop()
    rmSync(folder, { recursive: true })
  }
})

// A venue that may give orders to real boards, and arbiters who are signed in to it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Broker, Luozi, PATIENCE_MS, ScenarioBoard, browser, freePort, luozi, until } from './world.mjs'

export const PASSWORD = 'a long password'

/** A venue that may give orders to the boards of these scenarios, and an organiser who has made a chief arbiter's account. */
export async function world(scenarios, run) {
  const folder = mkdtempSync(join(tmpdir(), 'luozi-rulings-'))
  const broker = await Broker.start()
  const [key, list] = [join(folder, 'hall.key'), join(folder, 'arbiters.toml')]
  writeFileSync(list, luozi('arbiter', 'new-key', '--for-others', 'hall', 'The hall', key))
  const url = `http://127.0.0.1:${await freePort()}`
  const venue = new Luozi('venue', '--broker', `mqtt://127.0.0.1:${broker.port}`, '--listen', new URL(url).host, '--accounts', join(folder, 'accounts.json'), '--order-key', key)
  const chrome = await browser()
  const boards = scenarios.map((scenario, at) => new ScenarioBoard(scenario, `board-${at + 1}`, broker, list, join(folder, `board-${at + 1}`)))
  try {
    const code = await until(() => /enter the code (\S+)/.exec(venue.log.replace(/\u001b\[[\d;]*m/g, ''))?.[1], 'the code of the first account')
    const organiser = await signIn(chrome, url, async (page) => {
      await page.getByLabel('Code').fill(code)
      await page.getByLabel('Name').fill('Organiser')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Make the first account' }).click()
    })
    for (const [name, role] of [['Table', 'table_arbiter'], ['Chief', 'chief_arbiter']]) {
      await organiser.getByLabel('Name').fill(name)
      await organiser.getByLabel('Role').selectOption(role)
      await organiser.getByLabel('Password').fill(PASSWORD)
      await organiser.getByRole('button', { name: 'Add an account' }).click()
      await organiser.getByText(`${name} can sign in now.`).waitFor()
    }
    const enter = (name) =>
      signIn(chrome, url, async (page) => {
        await page.getByLabel('Name').fill(name)
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Sign in' }).click()
      })
    await run({ url, chrome, broker, enter, organiser })
  } finally {
    await chrome.close()
    for (const board of boards) await board.stop()
    await venue.stop()
    await broker.stop()
    rmSync(folder, { recursive: true })
  }
}

async function signIn(chrome, url, fill) {
  const context = await chrome.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 1000 }, bypassCSP: true })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  page.faults = []
  page.on('pageerror', (error) => page.faults.push(error.message))
  await page.goto(`${url}/arbiter`)
  await fill(page)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  return page
}

/** The button of an order. */
export const order = (page, name) => page.locator('order-panel').getByRole('button', { name, exact: true })

/** Gives an order by its form. */
export async function give(page, name, reason, fields = {}) {
  await order(page, name).click()
  for (const [label, value] of Object.entries(fields)) {
    const named = (role) => page.locator('order-panel form').getByRole(role, { name: label, exact: true })
    const field = named('combobox').or(named('textbox'))
    if ((await field.evaluate((element) => element.tagName)) === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
  await page.locator('order-panel textarea').fill(reason)
  await page.getByRole('button', { name: 'Give the order' }).click()
  await page.locator('order-panel').getByText('Carried out.').waitFor()
}

// The real things that the tests need: a broker, a hall with scripted boards, a browser.

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

export const ROOT = new URL('../..', import.meta.url).pathname
/** Screenshots are kept here, to be looked at. */
export const ARTEFACTS = join(ROOT, 'artefacts', 'pages')
/** How long anything may take before a test fails. */
export const PATIENCE_MS = 20_000

const CHROMIUM = '/usr/bin/chromium'
const MOSQUITTO = ['/usr/sbin/mosquitto', '/usr/bin/mosquitto'].find(existsSync)
// A closed network must not be asked for anything.
const FLAGS = '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

/** Why the tests cannot run here; false when they can. */
export const skip =
  (!MOSQUITTO && 'mosquitto is not installed (apt-get install mosquitto)') ||
  (!existsSync(CHROMIUM) && 'Chromium is not installed (apt-get install chromium)') ||
  (!existsSync(join(ROOT, 'host/venue/web/dist/index.html')) && 'the pages have not been built (make pages)')

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address()
  await new Promise((done) => server.close(done))
  return port
}

/** Waits until `found` returns something, asking again and again. */
export async function until(found, what) {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const value = await found()
    if (value) return value
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((done) => child.once('exit', done))
}

/** Debian's mosquitto, which keeps nothing when it is killed. */
export class Broker {
  static async start() {
    const broker = new Broker()
    broker.port = await freePort()
    broker.folder = mkdtempSync(join(tmpdir(), 'luozi-broker-'))
    broker.config = join(broker.folder, 'mosquitto.conf')
    writeFileSync(broker.config, `listener ${broker.port} 127.0.0.1\nallow_anonymous true\n`)
    broker.up()
    return broker
  }

  up() {
    this.child = spawn(MOSQUITTO, ['-c', this.config], { stdio: 'ignore' })
  }

  async kill() {
    this.child.kill('SIGKILL')
    await ended(this.child)
  }

  async stop() {
    await this.kill()
    rmSync(this.folder, { recursive: true })
  }
}

const programs = new Map()

// Built once; the path is asked from cargo, because the target folder may be anywhere.
function program(name, target) {
  if (!programs.has(name)) {
    const build = ['build', '--quiet', ...target, '--message-format', 'json']
    const lines = execFileSync('cargo', build, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).split('\n')
    const artefacts = lines.filter(Boolean).map((line) => JSON.parse(line))
    programs.set(name, artefacts.find((one) => one.target?.name === name && one.executable).executable)
  }
  return programs.get(name)
}

const hall = () => program('hall', ['--package', 'venue', '--example', 'hall'])

const scenarioBoard = () => program('scenario_board', ['--package', 'tests', '--example', 'scenario_board'])

/** A real board whose hands perform a scenario of tests/scenarios. */
export class ScenarioBoard {
  constructor(scenario, board, broker, arbiters, data) {
    const file = join(ROOT, 'tests/scenarios', scenario)
    this.child = spawn(scenarioBoard(), [file, board, broker.port, arbiters, data].map(String), { stdio: ['ignore', 'ignore', 'inherit'] })
  }

  async stop() {
    this.child.kill('SIGKILL')
    await ended(this.child)
  }
}

/** Runs the shipped binary to its end; gives what it printed. */
export function luozi(...args) {
  return execFileSync(program('luozi', ['--package', 'luozi']), args.map(String), { encoding: 'utf8' })
}

/** The shipped binary with these arguments. */
export class Luozi {
  constructor(...args) {
    const binary = program('luozi', ['--package', 'luozi'])
    this.child = spawn(binary, args.map(String), { stdio: ['ignore', 'ignore', 'pipe'] })
    this.log = ''
    this.child.stderr.on('data', (text) => (this.log += text))
  }

  async stop() {
    this.child.kill('SIGINT')
    await ended(this.child)
  }
}

/** A venue with boards that replay real games. */
export class Hall {
  static async start(broker, { boards, paceMs, plies = 400, port = 0, accounts, code, delay, standings }) {
    const venue = new Hall()
    const args = [`mqtt://127.0.0.1:${broker.port}`, `127.0.0.1:${port}`, boards, paceMs, plies].map(String)
    const settings = { LUOZI_ACCOUNTS: accounts, LUOZI_SETUP_CODE: code, LUOZI_DELAY: delay, LUOZI_STANDINGS: standings }
    const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
    venue.child = spawn(hall(), args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...given } })
    venue.url = await new Promise((done, fail) => {
      venue.child.stdout.once('data', (text) => done(String(text).trim()))
      venue.child.once('exit', (code) => fail(new Error(`the hall ended with ${code}`)))
    })
    return venue
  }

  get port() {
    return Number(new URL(this.url).port)
  }

  async game(id) {
    const answer = await fetch(`${this.url}/api/v1/games/${id}`)
    return answer.ok ? await answer.json() : null
  }

  async stop(signal = 'SIGINT') {
    this.child.kill(signal)
    await ended(this.child)
  }
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds on a page that is serious or worse, in words. The page's context must bypass its policy. */
export async function seriousViolations(page) {
  await page.addScriptTag({ content: AXE })
  const only = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']
  const { violations } = await page.evaluate((runOnly) => window.axe.run(document, { runOnly }), only)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, any }) => `${html.slice(0, 160)} ${any[0]?.message ?? ''}`).join(' | ')}`)
}

export async function browser() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS.split(' ') })
}

export function artefact(name) {
  mkdirSync(ARTEFACTS, { recursive: true })
  return join(ARTEFACTS, name)
}

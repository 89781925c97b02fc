// Frames a second of the wall with thirty-six boards at one ply a second each, and what page and venue cost.

import { readFileSync } from 'node:fs'
import { Broker, Hall, browser, skip, until } from './world.mjs'

const SECONDS = 15

if (skip) {
  console.log(`skipped: ${skip}`)
  process.exit()
}

/** Seconds of CPU that a process has used, and its resident megabytes. */
function cost(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, megabytes: (Number(fields[21]) * 4096) / 1e6 }
}

const chrome = await browser()
const broker = await Broker.start()
const hall = await Hall.start(broker, { boards: 36, paceMs: 1_000 })
const page = await chrome.newPage({ viewport: { width: 1920, height: 1080 } })
await page.goto(hall.url)
await until(async () => (await page.locator('wall-tile').count()) === 36, '36 boards')
const session = await page.context().newCDPSession(page)
// The thread's own time, not the time for which it was kept waiting by others.
await session.send('Performance.enable', { timeDomain: 'threadTicks' })
const metrics = async () => Object.fromEntries((await session.send('Performance.getMetrics')).metrics.map(({ name, value }) => [name, value]))
const before = { page: await metrics(), hall: cost(hall.child.pid) }
const frames = await page.evaluate(
  (seconds) =>
    new Promise((done) => {
      const start = performance.now()
      let count = 0
      const frame = (now) => (now - start < seconds * 1000 ? (count++, requestAnimationFrame(frame)) : done(count / ((now - start) / 1000)))
      requestAnimationFrame(frame)
    }),
  SECONDS,
)
const after = { page: await metrics(), hall: cost(hall.child.pid) }
const percent = (used) => `${((used / SECONDS) * 100).toFixed(1)} % of a core`
console.log(`frames a second: ${frames.toFixed(1)}`)
console.log(`page: main thread ${percent(after.page.TaskDuration - before.page.TaskDuration)}, heap ${(after.page.JSHeapUsedSize / 1e6).toFixed(1)} MB`)
console.log(`venue with 36 scripted boards: ${percent(after.hall.cpu - before.hall.cpu)}, ${after.hall.megabytes.toFixed(0)} MB resident`)
await chrome.close()
await hall.stop()
await broker.stop()

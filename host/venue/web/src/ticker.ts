// One timer for all clocks on a page: thirty-six boards must not mean seventy-two timers.

const PERIOD_MS = 100

const listeners = new Set<() => void>()
let timer = 0

function tick(): void {
  for (const listener of listeners) listener()
}

/** Calls `listener` ten times a second until the returned function is called. */
export function everyTenth(listener: () => void): () => void {
  listeners.add(listener)
  if (!timer) timer = window.setInterval(tick, PERIOD_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size) return
    window.clearInterval(timer)
    timer = 0
  }
}

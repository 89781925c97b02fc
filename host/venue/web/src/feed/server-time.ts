// How far the server's clock is ahead of this machine's. A message can only arrive late, so the largest
// difference among recent messages is the one with the least delay in it.

const SAMPLES = 24

export class ServerTime {
  private readonly differences: number[] = []

  /** Notes that the server said `serverMs` when this machine's clock showed `localMs`. */
  observe(serverMs: number, localMs: number): void {
    this.differences.push(serverMs - localMs)
    if (this.differences.length > SAMPLES) this.differences.shift()
  }

  /** The server's time when this machine's clock shows `localMs`. */
  at(localMs: number): number {
    return localMs + (this.differences.length ? Math.max(...this.differences) : 0)
  }
}

// <wall-page>: every board at once, for a projector in the hall and for a phone in the pocket.

import { css, html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import type { Feed } from '../feed/stream'
import { Localized } from '../localized'
import { settings } from '../settings'
import { controls } from '../style/shared'
import { arrange, perPage } from './arrange'
import { behindOf } from './game-view'
import './wall-tile'

/** How long a page of boards stands before the next one comes. */
const TURN_MS = 12_000
/** On this many boards pieces glide; a machine without a graphics card cannot draw more. */
const MOST_GLIDING = 12
/** Below this width the wall scrolls instead of fitting the screen. */
const NARROW = 640

@customElement('wall-page')
export class WallPage extends Localized {
  @property({ attribute: false }) feed!: Feed
  @state() private room = { width: 0, height: 0 }
  @state() private page = 0
  @state() private turning = true
  private readonly observer = new ResizeObserver(([entry]) => {
    if (entry) this.room = { width: entry.contentRect.width, height: entry.contentRect.height }
  })
  private timer = 0
  private pages = 1

  static override styles = [
    controls,
    css`
      :host { display: block; height: 100%; min-height: 0; position: relative; }
      ul { list-style: none; margin: 0; padding: 0; }
      .fit { height: 100%; display: grid; justify-content: space-evenly; align-content: space-evenly; }
      .scroll { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 1.1rem 0.75rem; }
      /* What is not on the screen is not drawn. */
      .scroll li { content-visibility: auto; contain-intrinsic-size: auto 15rem; }
      .empty { height: 100%; display: grid; place-content: center; text-align: center; gap: 0.5rem; color: var(--quiet); }
      .empty p { margin: 0; }
      .empty .large { font-size: clamp(1.5rem, 4vw, 3rem); color: var(--ink); }
      .pager { position: absolute; right: 0; bottom: 0; display: flex; align-items: center; gap: 0.5rem; background: var(--paper); padding-left: 0.5rem; }
      .pager button { min-height: 2rem; min-width: 2rem; padding: 0 0.5rem; }
    `,
  ]

  override connectedCallback(): void {
    super.connectedCallback()
    this.observer.observe(this)
    this.timer = window.setInterval(() => {
      if (this.turning) this.turn(1)
    }, TURN_MS)
    window.addEventListener('keydown', this.onKey)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.observer.disconnect()
    window.clearInterval(this.timer)
    window.removeEventListener('keydown', this.onKey)
  }

  override render() {
    const { games } = this
    if (!games.length) return this.empty()
    const { width, height } = this.room
    if (!width) return nothing
    return width < NARROW ? this.scrolling() : this.fitting(width, height)
  }

  /** What is on the boards now; games that made room for the next ones are on the round page. */
  private get games() {
    return this.feed.replica.games.filter((game) => game.current)
  }

  private empty() {
    const { strings } = settings
    if (this.feed.replica.revision < 0) return html`<div class="empty"><p>${strings.connecting}</p></div>`
    const late = behindOf(this.feed.replica.behind, strings)
    return html`<div class="empty"><p class="large">${strings.noGames}</p><p>${strings.noGamesHint}</p>${late ? html`<p>${late}</p>` : nothing}</div>`
  }

  private scrolling() {
    return html`<ul class="scroll">${this.tiles(0, this.games.length, 'wide')}</ul>`
  }

  private fitting(width: number, height: number) {
    const count = this.games.length
    const gap = Math.max(10, Math.min(width, height) * 0.022)
    const size = perPage(count, width, height, gap)
    this.pages = Math.ceil(count / size)
    const page = this.page % this.pages
    const { layout, columns, tile } = arrange(size, width, height, gap)
    const style = `grid-template-columns: repeat(${columns}, ${Math.floor(tile)}px); row-gap: ${gap}px; column-gap: ${gap}px`
    return html`<ul class="fit" style=${style}>${this.tiles(page * size, size, layout)}</ul>
      ${this.pages > 1 ? this.pager(page, this.pages) : nothing}`
  }

  private tiles(start: number, count: number, layout: 'tall' | 'wide') {
    const stale = this.feed.connection !== 'live' || this.feed.replica.relay !== 'connected'
    return repeat(
      this.games.slice(start, start + count),
      (game) => game.id,
      (game) =>
        html`<li><wall-tile .game=${game} .now=${this.now} ?stale=${stale} ?still=${count > MOST_GLIDING} layout=${layout}></wall-tile></li>`,
    )
  }

  private readonly now = () => this.feed.now()

  private pager(page: number, pages: number) {
    const { strings } = settings
    const label = this.turning ? strings.stopPages : strings.turnPages
    return html`<div class="pager">
      <button @click=${() => {
        this.turn(-1)
      }} aria-label=${strings.previous}>‹</button>
      <span aria-label=${strings.pageOf(page + 1, pages)}>${page + 1} / ${pages}</span>
      <button @click=${() => {
        this.turn(1)
      }} aria-label=${strings.next}>›</button>
      <button @click=${this.toggle} aria-pressed=${!this.turning}>${label}</button>
    </div>`
  }

  private turn(by: 1 | -1): void {
    this.page = (this.page + by + this.pages) % this.pages
  }

  private toggle(): void {
    this.turning = !this.turning
  }

  private readonly onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'ArrowRight' || event.key === 'PageDown') this.turn(1)
    else if (event.key === 'ArrowLeft' || event.key === 'PageUp') this.turn(-1)
    else return
    event.preventDefault()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'wall-page': WallPage
  }
}

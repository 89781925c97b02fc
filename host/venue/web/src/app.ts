// <luozi-app>: the frame around every page, and the one feed that the page in it follows.

import { LitElement, css, html, nothing } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { Feed } from './feed/stream'
import './pages/game-page'
import './pages/round-page'
import './pages/wall-page'
import { behindOf, longest, playerName } from './pages/game-view'
import { route, type Route } from './router'
import { LANGUAGES, type Language } from './languages'
import { Localized } from './localized'
import { settings, type Notation, type Theme } from './settings'
import { icon } from './style/icons'
import { controls } from './style/shared'

function feedFor(to: Route): string {
  return to.page === 'game' || to.page === 'sheet' ? `/api/v1/events?game=${encodeURIComponent(to.id)}` : '/api/v1/events'
}

@customElement('luozi-app')
export class LuoziApp extends Localized {
  /** On a narrow screen the choices are folded away. */
  @state() private choosing = false
  @state() private route: Route = route(location.pathname)
  private feed = new Feed(feedFor(this.route))
  private frame = 0

  static override styles = [
    controls,
    css`
      :host { display: flex; flex-direction: column; min-height: 100%; --header: 3.5rem; }
      :host(.fills) { height: 100vh; height: 100dvh; }
      header {
        display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; min-height: var(--header);
        padding: 0.25rem clamp(0.75rem, 2vw, 2rem); border-bottom: 1px solid var(--line); background: var(--sheet);
      }
      .brand { display: flex; align-items: center; gap: 0.6rem; text-decoration: none; font-size: 1.35rem; }
      .brand .stone {
        width: 1.9rem; height: 1.9rem; border-radius: 50%; display: grid; place-items: center; font-size: 1.15rem; line-height: 1;
        background: radial-gradient(circle at 40% 32%, #fdf0d2, #e2bd80); color: #a1190f; box-shadow: 0 0 0 1.5px #9a6a34, 0 2px 3px #0004;
      }
      nav { display: flex; gap: 1rem; }
      nav a { text-decoration: none; padding: 0.35rem 0; border-bottom: 2px solid transparent; }
      nav a[aria-current] { border-color: var(--accent); }
      .choices { margin-left: auto; display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem; }
      select { min-height: 2.25rem; padding: 0.1rem 0.4rem; font-size: 0.95rem; max-width: 9rem; }
      .line { display: flex; align-items: center; gap: 0.45rem; color: var(--quiet); font-size: 0.95rem; }
      .line::before { content: ''; width: 0.6rem; height: 0.6rem; border-radius: 50%; background: var(--good); }
      .line.broken { color: var(--warn); }
      .line.broken::before { background: none; border: 0.15rem solid var(--warn); }
      main { flex: 1; min-height: 0; padding: clamp(0.6rem, 1.6vmin, 2rem) clamp(0.6rem, 2vw, 2rem); }
      .missing { display: grid; place-content: center; text-align: center; height: 100%; min-height: 50vh; font-size: 1.4rem; }
      .skip { position: absolute; left: -99rem; background: var(--sheet); padding: 0.5rem 1rem; z-index: 1; }
      @media print { header, .skip { display: none; } main { padding: 0; } }
      .skip:focus { left: 0.5rem; top: 0.5rem; }
      .unfold { display: none; border: 0; background: none; padding: 0; }
      @media (max-width: 40rem) {
        header { gap: 0.25rem 0.9rem; }
        .unfold { display: block; }
        .choices { display: none; margin-left: 0; flex: 1 1 100%; padding-bottom: 0.4rem; }
        .choices.open { display: flex; }
        select { flex: 1 1 0; min-width: 0; }
        .line { margin-left: auto; }
      }
    `,
  ]

  constructor() {
    super()
    this.addEventListener('click', this.onClick)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.listen()
    window.addEventListener('popstate', this.onPop)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.feed.removeEventListener('change', this.onFeed)
    this.feed.close()
    window.removeEventListener('popstate', this.onPop)
  }

  override render() {
    const { strings } = settings
    const bare = this.route.page === 'game' && this.route.embedded
    this.classList.toggle('fills', this.route.page === 'wall')
    return html`${bare ? nothing : this.header()}
      <main id="content" tabindex="-1" aria-label=${strings.name}>${this.page()}</main>`
  }

  override updated(): void {
    document.title = this.heading()
  }

  private heading(): string {
    const { strings } = settings
    const here = this.route
    if (here.page === 'arbiter') return `${strings.arbiters} · ${strings.name}`
    if (here.page === 'missing') return `${strings.missing} · ${strings.name}`
    if (here.page === 'wall') return `${strings.wall} · ${strings.name}`
    if (here.page === 'round' || here.page === 'round-sheet') return `${strings.round} · ${strings.name}`
    const game = this.feed.replica.game(here.id)
    return game ? `${playerName(game, 'red', strings)} — ${playerName(game, 'black', strings)} · ${strings.name}` : strings.name
  }

  private page() {
    const { strings } = settings
    switch (this.route.page) {
      case 'wall':
        return html`<wall-page .feed=${this.feed}></wall-page>`
      case 'round':
        return html`<round-page .feed=${this.feed}></round-page>`
      case 'game':
        return html`<game-page .feed=${this.feed} gameId=${this.route.id} ?embedded=${this.route.embedded}></game-page>`
      case 'sheet':
        // What is made for paper is a file of its own.
        void import('./print/score-sheet')
        return html`<score-sheet .feed=${this.feed} gameId=${this.route.id}></score-sheet>`
      case 'round-sheet':
        void import('./print/round-sheet')
        return html`<round-sheet .feed=${this.feed} kind=${this.route.kind}></round-sheet>`
      case 'arbiter':
        // The console is a file of its own, which spectators never load.
        void import('./arbiter/arbiter-page')
        return html`<arbiter-page .feed=${this.feed} board=${this.route.board} ?audit=${this.route.audit}></arbiter-page>`
      case 'missing':
        return html`<div class="missing"><p>${strings.missing}</p><p><a href="/">${strings.backToWall}</a></p></div>`
    }
  }

  private header() {
    const { strings } = settings
    const current = (page: Route['page']) => (this.route.page === page ? 'page' : nothing)
    return html`<a class="skip" href="#content" @click=${this.skip}>${strings.skip}</a>
      <header>
        <a class="brand" href="/"><span class="stone" aria-hidden="true">落</span><span>${strings.name}</span></a>
        <nav aria-label=${strings.name}>
          <a href="/" aria-current=${current('wall')}>${strings.wall}</a>
          <a href="/round" aria-current=${current('round')}>${strings.round}</a>
          ${this.route.page === 'arbiter' ? html`<a href="/arbiter" aria-current="page">${strings.arbiters}</a>` : nothing}
        </nav>
        ${this.route.page === 'missing' ? nothing : this.line()}
        <button class="unfold" aria-label=${strings.choices} aria-expanded=${this.choosing} @click=${this.unfold}>${icon('choices')}</button>
        <div class="choices ${this.choosing ? 'open' : ''}">${this.choices()}</div>
      </header>`
  }

  private line() {
    const { strings } = settings
    const { connection, replica } = this.feed
    const broken = connection !== 'live' || replica.relay !== 'connected'
    const words =
      connection === 'live'
        ? replica.relay === 'connected'
          ? behindOf(replica.games.length ? longest(replica.games) : replica.behind, strings) || strings.live
          : strings.relayLost
        : strings[connection]
    return html`<span class="line ${broken ? 'broken' : ''}" role="status" data-connection=${connection} data-relay=${replica.relay}>${words}</span>`
  }

  private choices() {
    const { strings } = settings
    return html`
      ${choice(strings.notation, settings.notation, [['chinese', strings.notationChinese], ['wxf', 'WXF'], ['iccs', 'ICCS']], (value) => {
        settings.setNotation(value as Notation)
      })}
      ${choice(strings.theme, settings.theme, [['auto', strings.themeAuto], ['light', strings.themeLight], ['dark', strings.themeDark]], (value) => {
        settings.setTheme(value as Theme)
      })}
      ${choice(strings.language, settings.language, LANGUAGES, (value) => {
        settings.setLanguage(value as Language)
      })}`
  }

  private unfold(): void {
    this.choosing = !this.choosing
  }

  private go(address: string): void {
    history.pushState(null, '', address)
    this.followAddress()
  }

  private followAddress(): void {
    const before = feedFor(this.route)
    this.route = route(location.pathname)
    if (feedFor(this.route) === before) return
    this.feed.removeEventListener('change', this.onFeed)
    this.feed.close()
    this.feed = new Feed(feedFor(this.route))
    this.listen()
  }

  private listen(): void {
    this.feed.addEventListener('change', this.onFeed)
    this.feed.open()
  }

  // However many boards have news, a frame draws them once.
  private readonly onFeed = () => {
    if (this.frame) return
    this.frame = requestAnimationFrame(() => {
      this.frame = 0
      this.requestUpdate()
      // A page whose file has not come yet is no element of ours; it draws itself when it has.
      const page = this.renderRoot.querySelector('main')?.firstElementChild
      if (page instanceof LitElement) page.requestUpdate()
    })
  }

  private readonly onPop = () => {
    this.followAddress()
  }

  private skip(event: Event): void {
    event.preventDefault()
    this.renderRoot.querySelector('main')?.focus()
  }

  // Links within the site change the page without loading it again.
  private readonly onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    const link = event.composedPath().find((one): one is HTMLAnchorElement => one instanceof HTMLAnchorElement)
    if (link?.origin !== location.origin || link.target || route(link.pathname).page === 'missing') return
    event.preventDefault()
    this.go(link.href)
  }
}

function choice(label: string, value: string, options: readonly (readonly [string, string])[], choose: (value: string) => void) {
  return html`<select aria-label=${label} title=${label} @change=${(event: Event) => {
    choose((event.target as HTMLSelectElement).value)
  }}>
    ${options.map(([one, words]) => html`<option value=${one} ?selected=${one === value} .selected=${one === value}>${words}</option>`)}
  </select>`
}

declare global {
  interface HTMLElementTagNameMap {
    'luozi-app': LuoziApp
  }
}

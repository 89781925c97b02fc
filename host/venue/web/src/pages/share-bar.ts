// <share-bar>: takes the position, the moves or the address away from the page.

import { css, html, nothing } from 'lit'
import { customElement, property, query, state } from 'lit/decorators.js'
import { unsafeHTML } from 'lit/directives/unsafe-html.js'
import type { Game } from '../feed/wire'
import { Localized } from '../localized'
import { settings } from '../settings'
import { controls } from '../style/shared'
import { moveNumber } from './game-view'

const SAID_MS = 2_000
/** The files that the venue writes, and what people call them. */
const FILES = [['pgn', 'PGN'], ['xqf', 'XQF'], ['cbr', 'CBR'], ['dhtmlxq', 'DhtmlXQ']] as const

@customElement('share-bar')
export class ShareBar extends Localized {
  @property({ attribute: false }) game!: Game
  /** The position that is shown. */
  @property() fen = ''
  /** The ply that is shown, or null when the page is live. */
  @property({ attribute: false }) shown: number | null = null
  @state() private said = ''
  @state() private code = ''
  @query('dialog') private readonly dialog!: HTMLDialogElement

  static override styles = [
    controls,
    css`
      :host { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; font-size: 0.95rem; }
      button { flex: 1 1 auto; padding-inline: 0.5rem; }
      .files { flex: 1 1 auto; display: flex; gap: 0.9rem; align-items: center; min-height: 2rem; color: var(--quiet); }
      .files a { color: var(--ink); padding: 0.3rem 0; }
      output { color: var(--good); min-height: 1.4em; }
      dialog { border: 0; border-radius: 0.5rem; padding: 1.5rem; background: #fff; color: #241c14; text-align: center; }
      dialog::backdrop { background: #0009; }
      .code svg { display: block; width: min(70vmin, 30rem); height: auto; }
      dialog p { overflow-wrap: anywhere; max-width: 30rem; }
      dialog button { background: #fff; }
    `,
  ]

  override render() {
    const { strings } = settings
    return html`
      <button @click=${() => this.copy(this.fen)}>${strings.copyFen}</button>
      <button @click=${() => this.copy(this.moves())}>${strings.copyMoves}</button>
      <button @click=${() => this.copy(this.address())}>${strings.copyLink}</button>
      <button @click=${() => this.copy(this.frame())}>${strings.copyFrame}</button>
      <button @click=${this.showCode}>${strings.qr}</button>
      <span class="files" role="group" aria-label=${strings.download}>
        ${strings.download}
        <a href="/game/${encodeURIComponent(this.game.id)}/sheet">${strings.sheet}</a>
        ${FILES.map(([ending, name]) => html`<a href="/api/v1/games/${encodeURIComponent(this.game.id)}/record/${ending}" download>${name}</a>`)}
      </span>
      <output role="status">${this.said}</output>
      <dialog aria-label=${strings.qr}>
        ${this.code ? html`<div class="code" role="img" aria-label=${this.address()}>${unsafeHTML(this.code)}</div>` : nothing}
        <p>${this.address()}</p>
        <form method="dialog"><button>${strings.close}</button></form>
      </dialog>
    `
  }

  private address(): string {
    const page = `${location.origin}/game/${encodeURIComponent(this.game.id)}`
    return this.shown === null ? page : `${page}#${this.shown}`
  }

  /** What other people put into their pages. */
  private frame(): string {
    return `<iframe src="${location.origin}/embed/${encodeURIComponent(this.game.id)}" width="420" height="600" title="${settings.strings.name}"></iframe>`
  }

  private moves(): string {
    return this.game.plies
      .map((ply, at) => (at % 2 === 0 ? `${moveNumber(at + 1)}. ${settings.text(ply)}` : settings.text(ply)))
      .join(' ')
  }

  private async copy(text: string): Promise<void> {
    const { strings } = settings
    this.said = (await copyText(text, this.renderRoot)) ? strings.copied : strings.copyFailed
    window.setTimeout(() => (this.said = ''), SAID_MS)
  }

  // The encoder is a file of its own, which only those who ask for a code load.
  private async showCode(): Promise<void> {
    const { default: qrcode } = await import('qrcode-generator')
    const code = qrcode(0, 'M')
    code.addData(this.address())
    code.make()
    this.code = code.createSvgTag({ cellSize: 4, margin: 8, scalable: true })
    await this.updateComplete
    this.dialog.showModal()
  }
}

/** Browsers lend the clipboard only to pages that came over TLS or from this machine; for a hall without, there is the old way. */
async function copyText(text: string, within: Node): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.style.position = 'fixed'
    field.style.opacity = '0'
    within.appendChild(field)
    field.select()
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const done = document.execCommand('copy')
    field.remove()
    return done
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'share-bar': ShareBar
  }
}

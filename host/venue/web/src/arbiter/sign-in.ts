// <sign-in>: name and password, or the first account of a new venue. Fires `standing`.

import { css, html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { Localized } from '../localized'
import { controls } from '../style/shared'
import { Refused, type Client, type Standing } from './client'
import { consoleStrings } from './strings'

@customElement('sign-in')
export class SignIn extends Localized {
  @property({ attribute: false }) client!: Client
  /** Whether the first account is made. */
  @property({ type: Boolean }) first = false
  @state() private fault = ''
  @state() private waiting = false

  static override styles = [
    controls,
    css`
      :host { display: block; max-width: 24rem; margin: 8vh auto; }
      h1 { font-size: 1.6rem; margin-bottom: 1rem; }
      form, label { grid-template-columns: minmax(0, 1fr); }
      form { display: grid; gap: 0.9rem; }
      label { display: grid; gap: 0.25rem; color: var(--quiet); }
      input { font: inherit; color: var(--ink); background: var(--sheet); border: 1px solid var(--quiet); border-radius: 0.375rem; padding: 0.5rem 0.6rem; width: 100%; }
      .fault { color: var(--red); min-height: 1.5em; margin: 0; }
      p { color: var(--quiet); margin: 0 0 1rem; }
      button { background: var(--focus); color: var(--sheet); border-color: var(--focus); }
    `,
  ]

  override render() {
    const words = consoleStrings()
    return html`<h1>${this.first ? words.setUp : words.signIn}</h1>
      ${this.first ? html`<p>${words.setUpHint}</p>` : nothing}
      <form @submit=${this.submit}>
        ${this.first ? html`<label>${words.code}<input name="code" required autocomplete="off" /></label>` : nothing}
        <label>${words.name}<input name="name" required maxlength="40" autocomplete="username" /></label>
        <label>${words.password}<input name="password" type="password" required minlength=${this.first ? 12 : 1} autocomplete=${this.first ? 'new-password' : 'current-password'} /></label>
        <button ?disabled=${this.waiting}>${this.first ? words.setUp : words.signIn}</button>
        <p class="fault" role="alert">${this.fault}</p>
      </form>`
  }

  private async submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const data = new FormData(event.target as HTMLFormElement)
    const text = (name: string) => {
      const value = data.get(name)
      return typeof value === 'string' ? value : ''
    }
    this.waiting = true
    try {
      const standing = this.first
        ? await this.client.setUp(text('code'), text('name'), text('password'))
        : await this.client.signIn(text('name'), text('password'))
      this.dispatchEvent(new CustomEvent<Standing>('standing', { detail: standing }))
    } catch (error) {
      this.fault = this.words(error)
    } finally {
      this.waiting = false
    }
  }

  private words(error: unknown): string {
    return error instanceof Refused ? error.message : consoleStrings().unreachable
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'sign-in': SignIn
  }
}

// <account-list>: who may sign in, and a form for one more; for organisers.

import { css, html } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { Localized } from '../localized'
import { controls } from '../style/shared'
import { Refused, type Client, type Role } from './client'
import { consoleStrings } from './strings'

const ROLES = ['table_arbiter', 'chief_arbiter', 'organiser'] as const

@customElement('account-list')
export class AccountList extends Localized {
  @property({ attribute: false }) client!: Client
  @state() private accounts: readonly { readonly name: string; readonly role: Role }[] = []
  @state() private said = ''

  static override styles = [
    controls,
    css`
      :host { display: block; margin-top: 2rem; max-width: 40rem; }
      h2 { font-size: 1.25rem; margin-bottom: 0.5rem; }
      ul { list-style: none; padding: 0; margin: 0 0 1rem; }
      li { display: flex; justify-content: space-between; border-bottom: 1px solid var(--line); padding: 0.3rem 0; }
      form { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: end; }
      label { display: grid; gap: 0.2rem; color: var(--quiet); flex: 1 1 9rem; }
      input { font: inherit; color: var(--ink); background: var(--sheet); border: 1px solid var(--quiet); border-radius: 0.375rem; padding: 0.4rem 0.6rem; min-width: 0; }
    `,
  ]

  override firstUpdated(): void {
    void this.load()
  }

  override render() {
    const words = consoleStrings()
    return html`<section aria-label=${words.accounts}>
      <h2>${words.accounts}</h2>
      <ul>${this.accounts.map(({ name, role }) => html`<li><span>${name}</span><span>${words.roles[role]}</span></li>`)}</ul>
      <form @submit=${this.add}>
        <label>${words.name}<input name="name" required maxlength="40" autocomplete="off" /></label>
        <label>${words.role}<select name="role">${ROLES.map((role) => html`<option value=${role}>${words.roles[role]}</option>`)}</select></label>
        <label>${words.password}<input name="password" type="password" required minlength="12" maxlength="200" autocomplete="new-password" /></label>
        <button>${words.addAccount}</button>
      </form>
      <p role="status">${this.said}</p>
    </section>`
  }

  private async load(): Promise<void> {
    try {
      this.accounts = await this.client.accounts()
    } catch {
      // The page around this one notices an ended session.
    }
  }

  private async add(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const data = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']))
    try {
      await this.client.addAccount(data.name ?? '', ROLES.find((role) => role === data.role) ?? 'table_arbiter', data.password ?? '')
      this.said = consoleStrings().added(data.name ?? '')
      form.reset()
      await this.load()
    } catch (error) {
      this.said = error instanceof Refused ? error.message : consoleStrings().unreachable
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'account-list': AccountList
  }
}

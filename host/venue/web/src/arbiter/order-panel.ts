// <order-panel>: what an arbiter may order of the game on a board, each with its reason. Fires `ordered`.

import { css, html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { Localized } from '../localized'
import { settings } from '../settings'
import { controls } from '../style/shared'
import { Refused, type BoardView, type Client, type Command, type Role } from './client'
import { CLAIMS, GROUPS, OFFENCES, RULINGS, SCORES, endingsOf, formsOf, orderId, payload, sideIsOptional, type Field, type Form } from './orders'
import { consoleStrings } from './strings'

@customElement('order-panel')
export class OrderPanel extends Localized {
  @property({ attribute: false }) client!: Client
  @property({ attribute: false }) view!: BoardView
  @property() powers: Role = 'table_arbiter'
  @state() private chosen = ''
  @state() private said = ''
  @state() private fault = ''
  @state() private waiting = false
  /** The order that was sent last and has no answer: sending it again must not order twice. */
  private unanswered: { readonly text: string; readonly id: string } | null = null

  static override styles = [
    controls,
    css`
      :host { display: block; }
      .group { display: grid; grid-template-columns: 5em minmax(0, 1fr); gap: 0.4rem; margin-bottom: 0.6rem; }
      .group > span { color: var(--quiet); padding-top: 0.3rem; }
      .group > div { display: flex; flex-wrap: wrap; gap: 0.4rem; }
      button { min-height: 2.2rem; }
      button[aria-pressed='true'] { border-color: var(--focus); box-shadow: inset 0 0 0 1px var(--focus); }
      form { display: grid; gap: 0.6rem; border: 1px solid var(--line); border-left: 0.3rem solid var(--focus); border-radius: 0.375rem; padding: 0.75rem 1rem; background: var(--sheet); }
      form h3 { font-size: 1.15rem; }
      label { display: grid; gap: 0.2rem; color: var(--quiet); }
      input, textarea { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--quiet); border-radius: 0.375rem; padding: 0.4rem 0.6rem; width: 100%; }
      .row { display: flex; flex-wrap: wrap; gap: 0.6rem; }
      .row label { flex: 1 1 9rem; }
      .go { background: var(--focus); color: var(--sheet); border-color: var(--focus); }
      .fault { color: var(--red); margin: 0; }
      .said { color: var(--good); margin: 0; }
    `,
  ]

  override render() {
    const words = consoleStrings()
    const { game } = this.view
    if (!game) return nothing
    const forms = formsOf(this.powers, game.result !== null)
    const chosen = forms.find(({ command }) => command === this.chosen)
    return html`<section>
      ${GROUPS.map((group) => {
        const here = forms.filter((form) => form.group === group)
        return here.length
          ? html`<div class="group" role="group" aria-label=${words.groups[group]}><span aria-hidden="true">${words.groups[group]}</span><div>${here.map((form) => this.button(form))}</div></div>`
          : nothing
      })}
      ${chosen ? this.form(chosen) : nothing}
      <p class=${this.fault ? 'fault' : 'said'} role="status">${this.fault || this.said}</p>
    </section>`
  }

  private button({ command }: Form) {
    return html`<button aria-pressed=${this.chosen === command} @click=${() => {
      this.chosen = this.chosen === command ? '' : command
      this.fault = this.said = ''
    }}>${consoleStrings().commands[command]}</button>`
  }

  private form(form: Form) {
    const words = consoleStrings()
    return html`<form @submit=${(event: SubmitEvent) => {
      event.preventDefault()
      void this.send(form, event.target as HTMLFormElement)
    }}>
      <h3>${words.commands[form.command]}</h3>
      <div class="row">${form.fields.map((field) => this.field(form, field))}</div>
      <label>${form.reason ? words.reason : words.reasonIfAny}<textarea name="reason" rows="2" maxlength="500" ?required=${form.reason}></textarea></label>
      <button class="go" ?disabled=${this.waiting}>${words.give}</button>
    </form>`
  }

  private field(form: Form, field: Field) {
    const words = consoleStrings()
    const { strings } = settings
    const label = words.fields[field]
    const choice = (options: readonly (readonly [string, string])[]) =>
      html`<label>${label}<select name=${field}>${options.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select></label>`
    switch (field) {
      case 'side':
        return choice([...(sideIsOptional(form.command) ? [['', form.command === 'sign' ? words.myself : words.asBefore] as const] : []), ['red', strings.red], ['black', strings.black]])
      case 'offence':
        return choice(OFFENCES.map((one) => [one, words.offences[one] ?? one]))
      case 'claim':
        return choice(CLAIMS.map((one) => [one, words.claims[one] ?? one]))
      case 'ruling':
        return choice(RULINGS.map((one) => [one, words.rulings[one] ?? one]))
      case 'score':
        return choice(SCORES.map((one) => [one, { '1-0': strings.redWins, '0-1': strings.blackWins, '1/2-1/2': strings.drawn, '0-0': strings.bothLose }[one]]))
      case 'ending':
        return choice(endingsOf(this.powers).map((one) => [one, strings.reasons[one] ?? one]))
      case 'foul':
        return choice(this.view.fouls.filter(({ withdrawn }) => withdrawn === undefined).map((one) => [String(one.foul), `${one.foul}. ${strings[one.side]} ${words.offences[one.offence] ?? one.offence}`]))
      case 'ply':
        return html`<label>${label}<input name="ply" inputmode="numeric" required pattern="\\d{1,4}" value=${String(this.view.game?.ply_count ?? '')} /></label>`
      case 'minutes':
        return html`<label>${label}<input name="minutes" required placeholder="5:00" pattern="\\d{1,3}(:\\d{1,2}){0,2}" /></label>`
      case 'lines':
        return html`<label>${label}<input name="lines" inputmode="numeric" required pattern="\\d{1,3}" value="4" /></label>`
      case 'fen':
        return html`<label>${label}<input name="fen" required value=${this.view.game?.fen ?? ''} /></label>`
    }
  }

  private async send(form: Form, element: HTMLFormElement): Promise<void> {
    const values = Object.fromEntries([...new FormData(element)].map(([name, value]) => [name, typeof value === 'string' ? value : '']))
    const command = payload(form, values)
    if (!command) {
      this.fault = consoleStrings().incompleteOrder
      return
    }
    await this.give(command, values.reason?.replace(/\s+/g, ' ').trim() ?? '')
  }

  /** Gives an order, and says what became of it. */
  async give(command: Command, reason: string): Promise<void> {
    const { game, board } = this.view
    if (!game || this.waiting) return
    const text = JSON.stringify([board, game.id, command, reason])
    const id = this.unanswered?.text === text ? this.unanswered.id : orderId()
    this.unanswered = { text, id }
    this.waiting = true
    this.fault = this.said = ''
    try {
      await this.client.order(board, game.id, id, reason, command)
      this.unanswered = null
      this.said = consoleStrings().carriedOut
      this.chosen = ''
      this.dispatchEvent(new Event('ordered'))
    } catch (error) {
      // Without an answer the same order may be sent again under the same id; a refusal is an answer.
      if (error instanceof Refused && error.status < 500) this.unanswered = null
      this.fault = error instanceof Refused ? error.message : consoleStrings().unreachable
    } finally {
      this.waiting = false
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'order-panel': OrderPanel
  }
}

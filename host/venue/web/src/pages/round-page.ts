// <round-page>: all games as a table, with their results.

import { css, html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import type { Links } from '../feed/api'
import type { Feed } from '../feed/stream'
import type { Summary } from '../feed/wire'
import { Localized } from '../localized'
import { settings } from '../settings'
import { controls } from '../style/shared'
import { SCORES, moveNumber, playerName, reason, stateOf } from './game-view'
import './luozi-clock'
import { byRound } from './rounds'

@customElement('round-page')
export class RoundPage extends Localized {
  @property({ attribute: false }) feed!: Feed
  @state() private standings: string | null = null

  static override styles = [
    controls,
    css`
      :host { display: block; max-width: 76rem; margin-inline: auto; }
      h1 { font-size: 1.6rem; margin: 0.5rem 0 1rem; }
      section + section { margin-top: 2rem; }
      .frame { overflow-x: auto; }
      table { width: 100%; border-collapse: collapse; }
      th { text-align: left; font-weight: inherit; color: var(--quiet); }
      th, td { padding: 0.5rem 0.6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
      td.score { font-size: 1.2em; text-align: center; font-variant-numeric: tabular-nums; }
      th.score { text-align: center; }
      td.red::before, td.black::before {
        content: ''; display: inline-block; width: 0.6em; height: 0.6em; border-radius: 50%; margin-right: 0.5em; background: var(--black);
      }
      td.red::before { background: var(--red); }
      @media (max-width: 40rem) { .last { display: none; } th, td { padding-inline: 0.35rem; } td { white-space: normal; } }
      .quiet { color: var(--quiet); }
      .print { display: flex; gap: 1.5rem; }
    `,
  ]

  override render() {
    const { strings } = settings
    const { games, revision } = this.feed.replica
    if (!games.length) return html`<h1>${strings.round}</h1><p class="quiet">${revision < 0 ? strings.connecting : strings.noGames}</p>`
    return html`${byRound(games).map((round) => this.round(round))}
      <p class="print">
        <a href="/round/pairings">${strings.pairings}</a> <a href="/round/results">${strings.results}</a>
        ${this.standings ? html`<a href=${this.standings} target="_blank" rel="noopener">${strings.standings}</a>` : nothing}
      </p>`
  }

  private round(games: readonly Summary[]) {
    const { strings } = settings
    const first = games[0]
    const title = [first?.event, first?.round && strings.roundOf(first.round)].filter(Boolean).join(' · ') || strings.round
    return html`<section>
      <h1>${title}</h1>
      <div class="frame" tabindex="0" role="region" aria-label=${title}>
        <table>
          <thead>
            <tr>
              <th scope="col">${strings.tableHeading}</th>
              <th scope="col">${strings.red}</th>
              <th scope="col" class="score">${strings.result}</th>
              <th scope="col">${strings.black}</th>
              <th scope="col">${strings.state}</th>
              <th scope="col" class="last">${strings.lastMove}</th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              games,
              (game) => game.id,
              (game) => this.row(game),
            )}
          </tbody>
        </table>
      </div>
    </section>`
  }

  override connectedCallback(): void {
    super.connectedCallback()
    void this.ask()
  }

  private async ask(): Promise<void> {
    try {
      const answer = await fetch('/api/v1/links')
      if (answer.ok) this.standings = ((await answer.json()) as Links).standings
    } catch {
      // Without the venue there is nothing to link to.
    }
  }

  private row(game: Summary) {
    const { strings } = settings
    const link = `/game/${encodeURIComponent(game.id)}`
    return html`<tr>
      <td><a href=${link}>${game.table || game.board}</a></td>
      <td class="red">${playerName(game, 'red', strings)}</td>
      <td class="score">${game.result ? SCORES[game.result.score] : '–'}</td>
      <td class="black">${playerName(game, 'black', strings)}</td>
      <td>${game.result ? reason(game.result, strings) : stateOf(game, strings)}</td>
      <td class="last">${game.last ? `${moveNumber(game.ply_count)}. ${settings.text(game.last)}` : '–'}</td>
    </tr>`
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'round-page': RoundPage
  }
}

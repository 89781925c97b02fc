// <round-sheet>: the pairings of a round, or its results, for the wall of the hall.

import { css, html, nothing } from 'lit'
import { customElement, property } from 'lit/decorators.js'
import type { Feed } from '../feed/stream'
import type { Summary } from '../feed/wire'
import { Localized } from '../localized'
import { SCORES, moveNumber, playerName, reason } from '../pages/game-view'
import { byRound } from '../pages/rounds'
import { settings } from '../settings'
import { controls } from '../style/shared'
import { bar, day, paper } from './paper'
import { printStrings } from './strings'

/** Games on one page. */
const MOST = 30

@customElement('round-sheet')
export class RoundSheet extends Localized {
  @property({ attribute: false }) feed!: Feed
  @property() kind: 'pairings' | 'results' = 'results'

  static override styles = [
    controls,
    paper,
    css`
      table { font-size: 12.5pt; }
      th, td { padding: 1.1mm 2.5mm; }
      .number, .score { text-align: center; white-space: nowrap; }
      .score { width: 26mm; font-size: 14pt; }
      .red { text-align: right; width: 34%; }
      .black { width: 34%; }
      small { color: var(--faint); font-size: 9.5pt; display: block; }
      .quiet { color: var(--quiet); text-align: center; }
    `,
  ]

  override render() {
    const { strings } = settings
    const words = printStrings()
    const rounds = byRound(this.feed.replica.games)
    const pages = rounds.flatMap((games) => chunks(games, MOST))
    return html`${bar('/round', strings.round, `/api/v1/${this.kind}.pdf`)}
      ${pages.length ? nothing : html`<p class="quiet">${this.feed.replica.revision < 0 ? strings.connecting : strings.noGames}</p>`}
      <div class="frame" tabindex="0" role="region" aria-label=${words[this.kind]}>${pages.map((games, at) => this.page(games, at, pages.length))}</div>`
  }

  private page(games: readonly Summary[], at: number, pages: number) {
    const { strings } = settings
    const words = printStrings()
    const first = games[0]
    return html`<section class="page">
      <h1>${first?.event ?? ''}</h1>
      <h2>${[first?.round && strings.roundOf(first.round), words[this.kind]].filter(Boolean).join(' · ')}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">${strings.tableHeading}</th><th scope="col" class="red">${strings.red}</th>
            <th scope="col" class="score">${words.result}</th><th scope="col" class="black">${strings.black}</th>
          </tr>
        </thead>
        <tbody>${games.map((game) => this.row(game))}</tbody>
      </table>
      <div class="foot"><span>${day(this.feed.now(), settings.language)}</span><span>${words.page(at + 1, pages)}</span></div>
    </section>`
  }

  private row(game: Summary) {
    const { strings } = settings
    const words = printStrings()
    const results = this.kind === 'results'
    const how = game.result ? words.how(reason(game.result, strings), moveNumber(game.ply_count)) : words.open
    return html`<tr>
      <td class="number">${game.table || game.board}</td>
      <td class="red">${playerName(game, 'red', strings)}</td>
      <td class="score">${results && game.result ? SCORES[game.result.score] : results ? '–' : ''}</td>
      <td class="black">${playerName(game, 'black', strings)}${results ? html`<small>${how}</small>` : nothing}</td>
    </tr>`
  }
}

function chunks<T>(all: readonly T[], most: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))
}

declare global {
  interface HTMLElementTagNameMap {
    'round-sheet': RoundSheet
  }
}

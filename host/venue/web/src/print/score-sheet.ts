// <score-sheet>: one game for paper, with everything that article 10.1 wants written down and signed.

import { css, html, nothing } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { formatUsed } from '../clock'
import type { Sheet, SheetPly } from '../feed/api'
import type { Feed } from '../feed/stream'
import { Localized } from '../localized'
import { moveNumber, outcome, playerName, reason } from '../pages/game-view'
import { settings } from '../settings'
import { START_FEN } from '../board/position'
import { controls } from '../style/shared'
import { paginate, rounds, type Page, type Round } from './paginate'
import { bar, day, paper } from './paper'
import { printStrings } from './strings'

@customElement('score-sheet')
export class ScoreSheet extends Localized {
  @property({ attribute: false }) feed!: Feed
  @property() gameId = ''
  @state() private sheet: Sheet | null = null
  @state() private missing = false
  /** What the sheet was asked for last, so that it is asked again when the game has gone on. */
  private seen = ''

  static override styles = [
    controls,
    paper,
    css`
      dl { display: grid; grid-template-columns: repeat(4, auto 1fr); gap: 1mm 2mm; margin: 0 0 3mm; align-items: baseline; }
      dt { color: var(--faint); white-space: nowrap; }
      dd { margin: 0; border-bottom: 0.25mm solid var(--rule); min-height: 1.3em; overflow-wrap: anywhere; }
      dd.wide { grid-column: span 3; }
      dd.side { font-size: 13pt; }
      .columns { display: grid; grid-template-columns: 1fr 1fr; gap: 4mm; align-items: start; }
      .columns td { height: 6mm; white-space: nowrap; border-inline-width: 0; }
      .columns :is(th, td):is(:first-child, .used) { border-right-width: 0.25mm; }
      .columns table { border: 0.35mm solid #000; }
      .short { color: var(--faint); font-size: 9pt; }
      .used { font-size: 8.5pt; text-align: right; font-variant-numeric: tabular-nums; }
      .end { margin-top: 4mm; break-inside: avoid; }
      .end td, .end th { padding: 1.2mm 2mm; vertical-align: top; }
      .end .head { width: 22mm; }
      .sign td { height: 15mm; width: 33.3%; }
      .sign small { color: var(--faint); }
      .sign b { display: block; font-weight: inherit; font-size: 12pt; }
      .quiet { color: var(--quiet); text-align: center; }
    `,
  ]

  override willUpdate(): void {
    const game = this.feed.replica.game(this.gameId)
    const now = `${this.gameId} ${game?.seq ?? ''} ${this.feed.connection}`
    if (now === this.seen) return
    this.seen = now
    void this.ask()
  }

  override render() {
    const { strings } = settings
    if (this.missing) return html`<p class="quiet">${strings.noSuchGame}</p>`
    const { sheet } = this
    if (!sheet) return html`<p class="quiet">${strings.connecting}</p>`
    const pages = paginate(rounds(sheet.plies.length, sheet.first))
    const back = `/game/${encodeURIComponent(sheet.id)}`
    const players = `${playerName(sheet, 'red', strings)} — ${playerName(sheet, 'black', strings)}`
    return html`${bar(back, players, `/api/v1/games/${encodeURIComponent(sheet.id)}/score-sheet.pdf`)}
      <div class="frame" tabindex="0" role="region" aria-label=${printStrings().sheet}>
        ${pages.map((page, at) => this.page(sheet, page, at, pages.length))}
      </div>`
  }

  private page(sheet: Sheet, page: Page, at: number, pages: number) {
    const words = printStrings()
    return html`<section class="page">
      ${at === 0 ? this.head(sheet) : nothing}
      <div class="columns">${page.map((column) => (column.length || at === 0 ? this.column(sheet, column) : nothing))}</div>
      ${at === pages - 1 ? this.end(sheet) : nothing}
      <div class="foot"><span>${words.game(sheet.id)}</span><span>${words.page(at + 1, pages)}</span></div>
    </section>`
  }

  private head(sheet: Sheet) {
    const { strings } = settings
    const words = printStrings()
    const fact = (name: string, value: string, kind = '') => html`<dt>${name}</dt><dd class=${kind}>${value}</dd>`
    return html`<h1>${words.sheet}</h1>
      <dl style="margin-top: 4mm">
        ${fact(words.event, sheet.event, 'wide')} ${fact(words.roundHeading, sheet.round)} ${fact(strings.tableHeading, sheet.table)}
        ${fact(strings.red, sheet.red, 'wide side')} ${fact(strings.black, sheet.black, 'wide side')}
        ${fact(words.date, day(sheet.began_utc_ms, settings.language))} ${fact(words.control, sheet.control ?? '–')}
        ${fact(words.rules, words.editions[sheet.rules] ?? sheet.rules, 'wide')}
        ${sheet.start_fen.split(' ')[0] === START_FEN.split(' ')[0] ? nothing : fact(words.startFen, sheet.start_fen, 'wide')}
      </dl>`
  }

  private column(sheet: Sheet, column: readonly Round[]) {
    const { strings } = settings
    const words = printStrings()
    return html`<table>
      <thead>
        <tr>
          <th scope="col" class="number">${words.number}</th>
          <th scope="col" colspan="2">${strings.red}</th><th scope="col" class="used">${words.used}</th>
          <th scope="col" colspan="2">${strings.black}</th><th scope="col" class="used">${words.used}</th>
        </tr>
      </thead>
      <tbody>
        ${column.map(({ number, red, black }) => html`<tr><td class="number">${number}</td>${this.ply(sheet, red)}${this.ply(sheet, black)}</tr>`)}
      </tbody>
    </table>`
  }

  private ply(sheet: Sheet, at: number | null) {
    const ply = at === null ? undefined : sheet.plies[at]
    if (!ply) return html`<td></td><td></td><td class="used"></td>`
    return html`<td>${full(ply)}</td><td class="short">${settings.script === 'hans' ? ply.short_hans : ply.short_hant}</td>
      <td class="used">${ply.used_ms === null ? '' : formatUsed(ply.used_ms)}</td>`
  }

  private end(sheet: Sheet) {
    const { strings } = settings
    const words = printStrings()
    const used = (ms: number | null) => (ms === null ? '–' : formatUsed(ms))
    return html`<div class="end">
      <table>
        <tr><th scope="row" class="head">${words.result}</th><td colspan="3">${sheet.result ? `${outcome(sheet.result, strings)} · ${sheet.result.score} · ${reason(sheet.result, strings)}` : words.open}</td></tr>
        <tr>
          <th scope="row">${words.used}</th>
          <td colspan="3">${strings.red} ${used(sheet.red_used_ms)} · ${strings.black} ${used(sheet.black_used_ms)}</td>
        </tr>
        <tr><th scope="row">${words.fouls}</th><td colspan="3">${sheet.fouls.length ? sheet.fouls.map((foul) => html`<div>${words.foul(strings[foul.side], moveNumber(foul.ply), words.offences[foul.offence] ?? foul.offence, strings.article(foul.article))}</div>`) : words.noFouls}</td></tr>
      </table>
      <table class="sign" style="margin-top: 3mm">
        <tr>${(['red', 'black', 'arbiter'] as const).map((by) => this.signature(sheet, by))}</tr>
      </table>
    </div>`
  }

  private signature(sheet: Sheet, by: 'red' | 'black' | 'arbiter') {
    const { strings } = settings
    const words = printStrings()
    const signed = sheet.signed.find((one) => one.by === by)
    const who = by === 'arbiter' ? words.arbiter : strings[by]
    return html`<td>${who} · ${words.signature}<b>${signed?.name ?? ''}</b>${signed ? html`<small>${words.signedHere}</small>` : nothing}</td>`
  }

  private async ask(): Promise<void> {
    try {
      const answer = await fetch(`/api/v1/games/${encodeURIComponent(this.gameId)}/sheet`)
      this.missing = answer.status === 404
      if (answer.ok) this.sheet = (await answer.json()) as Sheet
    } catch {
      // The feed shows that the venue is away, and asks again when it is back.
    }
  }
}

function full(ply: SheetPly): string {
  if (settings.notation === 'wxf') return ply.wxf
  if (settings.notation === 'iccs') return `${ply.move.slice(0, 2)}-${ply.move.slice(2)}`.toUpperCase()
  return settings.script === 'hans' ? ply.hans : ply.hant
}

declare global {
  interface HTMLElementTagNameMap {
    'score-sheet': ScoreSheet
  }
}

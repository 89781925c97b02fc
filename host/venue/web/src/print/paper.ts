// What all printed sheets share: A4, black on white whatever the screen shows, and a bar that stays on the screen.

import { css, html } from 'lit'
import { pdf } from './pdf'
import { printStrings } from './strings'
import '../style/console-font.css'

/** A4 pages as they will come out of the printer. */
export const paper = css`
  :host { display: block; --ink: #000; --faint: #555; --rule: #999; }
  .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; max-width: 210mm; margin: 0 auto 1rem; }
  .bar p { margin: 0; color: var(--quiet); }
  .page {
    width: 210mm; min-height: 297mm; margin: 0 auto 1.5rem; padding: 14mm 12mm 12mm; background: #fff; color: #000;
    box-shadow: 0 1px 6px #0005; font-size: 10.5pt; line-height: 1.3; display: flex; flex-direction: column;
  }
  .page h1 { font-size: 19pt; text-align: center; letter-spacing: 0.15em; margin: 0; }
  .page h2 { font-size: 12pt; text-align: center; margin: 1mm 0 4mm; color: #333; }
  .frame { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; }
  th { font-weight: inherit; color: var(--faint); }
  th, td { border: 0.25mm solid var(--rule); padding: 0.4mm 1.2mm; text-align: left; }
  .number { text-align: right; font-variant-numeric: tabular-nums; }
  .foot { margin-top: auto; padding-top: 3mm; display: flex; justify-content: space-between; color: var(--faint); font-size: 8.5pt; }
  @media print {
    .bar { display: none; }
    .frame { overflow: visible; }
    .page { width: auto; min-height: 0; height: 272mm; margin: 0; padding: 0; box-shadow: none; break-after: page; }
    .page:last-child { break-after: auto; }
  }
`

/** The bar above the sheets: back, printing, and the same as PDF. */
export function bar(back: string, label: string, file: string) {
  const words = printStrings()
  return html`<div class="bar">
    <a href=${back}>← ${label}</a>
    <button @click=${() => {
      window.print()
    }}>${words.print}</button>
    <a class="file" href=${pdf(file)} target="_blank">${words.pdf}</a>
    <p>${words.pdfHint}</p>
  </div>`
}

/** A day as the viewer's language writes it. */
export function day(utcMs: number, language: string): string {
  return utcMs ? new Date(utcMs).toLocaleDateString(language, { year: 'numeric', month: 'long', day: 'numeric' }) : ''
}

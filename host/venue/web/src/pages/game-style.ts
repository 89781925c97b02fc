import { css } from 'lit'

/** The game page: on a desk the board beside its record, on a phone one above the other. */
export const gameStyle = css`
  :host { display: block; height: 100%; }
  .empty { height: 100%; display: grid; place-content: center; text-align: center; font-size: 1.4rem; }
  article { display: grid; gap: 1rem 2rem; }
  .table { --strip: 3.6rem; display: grid; grid-template-rows: var(--strip) auto var(--strip); min-width: 0; }
  .board.away { filter: grayscale(0.7); }
  .player { display: flex; align-items: center; gap: 0.75rem; min-width: 0; padding-inline: 0.25rem; }
  .player .dot { flex: none; width: 0.9rem; height: 0.9rem; border-radius: 50%; background: var(--black); opacity: 0.35; }
  .player.red .dot { background: var(--red); }
  .player.turn .dot { opacity: 1; box-shadow: 0 0 0 0.2rem var(--paper), 0 0 0 0.3rem currentColor; }
  .who { flex: 1; min-width: 0; display: flex; flex-wrap: wrap; align-items: center; column-gap: 1rem; line-height: 1.15; }
  .name { font-size: 1.35rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  captured-row { font-size: 1.05rem; }
  luozi-clock { font-size: 2.1rem; }

  .record { display: flex; flex-direction: column; gap: 0.75rem; min-width: 0; min-height: 0; }
  h1 { font-size: 1.6rem; }
  .versus { color: var(--quiet); }
  .facts, .news { margin: 0.25rem 0 0; color: var(--quiet); }
  .news { color: var(--ink); min-height: 1.9rem; }
  .seal { background: #5d4a26; color: #fff5e6; padding: 0.15rem 0.6rem; border-radius: 0.2rem; font-weight: inherit; margin-right: 0.4rem; }
  .seal.red-won { background: var(--seal); }
  .seal.black-won { background: #22292b; box-shadow: 0 0 0 1px #fff5e655; }
  .warn { color: var(--warn); }
  .pending { border-bottom: 2px dashed var(--focus); }
  move-list { border-block: 1px solid var(--line); max-height: 22rem; }
  .steppers { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; }
  .steppers button { font-size: 1.05rem; flex: 0 1 3rem; padding-inline: 0; }
  .steppers .back { flex: 1 1 auto; padding-inline: 0.75rem; background: var(--focus); color: var(--sheet); border-color: var(--focus); }
  .live { margin-left: auto; color: var(--good); }

  @media (min-width: 56rem) {
    article { height: 100%; grid-template-columns: auto minmax(19rem, 34rem); justify-content: center; }
    .table { --rest: calc(100vh - var(--header, 4rem) - 2.5rem - 2 * var(--strip)); width: min(60vw, calc(var(--rest) * 0.847)); align-content: center; }
    .record { max-height: calc(100vh - var(--header, 4rem) - 2.5rem); width: 100%; }
    move-list { flex: 1; max-height: none; min-height: 8rem; }
  }
  @media (min-width: 56rem) and (min-height: 60rem) {
    .table { --strip: 5rem; }
    .name { font-size: 1.9rem; }
    luozi-clock { font-size: 3rem; }
    captured-row { font-size: 1.4rem; }
  }
  :host([embedded]) .table { --rest: calc(100vh - 1rem - 2 * var(--strip)); width: min(100%, calc(var(--rest) * 0.847)); margin-inline: auto; }
  :host([embedded]) article { display: block; }
  @media (max-width: 30rem) {
    .table { --strip: 3.2rem; }
    .name { font-size: 1.1rem; }
    luozi-clock { font-size: 1.7rem; }
    captured-row { font-size: 0.85rem; }
  }
`

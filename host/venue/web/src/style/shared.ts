// Styles that several elements share; shadow roots do not inherit rules.

import { css } from 'lit'

/** Buttons, links and focus, the same everywhere. */
export const controls = css`
  *, *::before, *::after { box-sizing: border-box; }
  button, select, .button {
    font: inherit;
    color: inherit;
    min-height: 2.5rem;
    min-width: 2.5rem;
    padding: 0.25rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: 0.375rem;
    background: var(--sheet);
    cursor: pointer;
  }
  .button { display: inline-flex; align-items: center; justify-content: center; text-decoration: none; }
  button:hover:not(:disabled), .button:hover { border-color: var(--quiet); }
  button:disabled { color: var(--quiet); cursor: default; opacity: 0.55; }
  a { color: inherit; text-underline-offset: 0.2em; }
  :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
  h1, h2, h3 { font-weight: inherit; margin: 0; line-height: 1.2; }
  .hidden {
    position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%); white-space: nowrap;
  }
`

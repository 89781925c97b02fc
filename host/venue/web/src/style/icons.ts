// The few signs on buttons, drawn, because fonts disagree about them.

import { html } from 'lit'

const PATHS = {
  first: 'M5 4V16M16 4L8 10L16 16Z',
  previous: 'M14 4L6 10L14 16Z',
  next: 'M6 4L14 10L6 16Z',
  latest: 'M15 4V16M4 4L12 10L4 16Z',
  flip: 'M6 16V4M3 7L6 4L9 7M14 4V16M11 13L14 16L17 13',
  choices: 'M3 6H11M15 6H17M13 4V8M3 14H5M9 14H17M7 12V16',
} as const

export type Icon = keyof typeof PATHS

/** A sign in the colour of the text around it. The button that holds it must have a name of its own. */
export function icon(name: Icon) {
  return html`<svg viewBox="0 0 20 20" width="1.25em" height="1.25em" aria-hidden="true" style="vertical-align: -0.2em">
    <path
      d=${PATHS[name]}
      fill=${name === 'flip' || name === 'choices' ? 'none' : 'currentColor'}
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>`
}

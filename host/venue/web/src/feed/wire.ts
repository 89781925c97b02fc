// What the venue sends, event by event. The types are those of its API document.

import type { Beat, Change, Gone, State } from './api'

export type { Clock, Game, Ply, Relay, Result, Summary } from './api'

/** One server-sent event. */
export type FeedEvent =
  | { readonly kind: 'state'; readonly data: State }
  | { readonly kind: 'game'; readonly data: Change }
  | { readonly kind: 'gone'; readonly data: Gone }
  | { readonly kind: 'beat'; readonly data: Beat }

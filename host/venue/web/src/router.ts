// Which page an address means.

export type Route =
  | { readonly page: 'wall' }
  | { readonly page: 'round' }
  | { readonly page: 'game'; readonly id: string; readonly embedded: boolean }
  | { readonly page: 'sheet'; readonly id: string }
  | { readonly page: 'round-sheet'; readonly kind: 'pairings' | 'results' }
  | { readonly page: 'arbiter'; readonly board: string; readonly audit: boolean }
  | { readonly page: 'missing' }

/** Reads the path of an address. */
export function route(path: string): Route {
  const parts = path.split('/').filter(Boolean)
  const [first, second, ...rest] = parts
  if (first === undefined) return { page: 'wall' }
  if (first === 'round' && second === undefined) return { page: 'round' }
  if (first === 'round' && (second === 'pairings' || second === 'results') && rest.length === 0) return { page: 'round-sheet', kind: second }
  if (first === 'game' && second !== undefined && rest.length === 1 && rest[0] === 'sheet') {
    const id = decoded(second)
    return id === null ? { page: 'missing' } : { page: 'sheet', id }
  }
  if (first === 'arbiter' && second === 'audit' && rest.length === 0) return { page: 'arbiter', board: '', audit: true }
  if (first === 'arbiter' && (second === undefined || (second === 'board' && rest.length === 1))) {
    const board = decoded(rest[0] ?? '')
    return board === null ? { page: 'missing' } : { page: 'arbiter', board, audit: false }
  }
  if ((first === 'game' || first === 'embed') && second !== undefined && rest.length === 0) {
    const id = decoded(second)
    return id === null ? { page: 'missing' } : { page: 'game', id, embedded: first === 'embed' }
  }
  return { page: 'missing' }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** The number of the ply that an address such as `…#12` points at; null for the live position. */
export function plyOf(hash: string): number | null {
  return /^#\d{1,4}$/.test(hash) ? Number(hash.slice(1)) : null
}

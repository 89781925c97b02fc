// Which page an address means.

export type Route =
  | { readonly page: 'wall' }
  | { readonly page: 'round' }
  | { readonly page: 'game'; readonly id: string; readonly embedded: boolean }
  | { readonly page: 'missing' }

/** Reads the path of an address. */
export function route(path: string): Route {
  const parts = path.split('/').filter(Boolean)
  const [first, second, ...rest] = parts
  if (first === undefined) return { page: 'wall' }
  if (first === 'round' && second === undefined) return { page: 'round' }
  if ((first === 'game' || first === 'embed') && second !== undefined && rest.length === 0) {
    try {
      return { page: 'game', id: decodeURIComponent(second), embedded: first === 'embed' }
    } catch {
      return { page: 'missing' }
    }
  }
  return { page: 'missing' }
}

/** The number of the ply that an address such as `…#12` points at; null for the live position. */
export function plyOf(hash: string): number | null {
  return /^#\d{1,4}$/.test(hash) ? Number(hash.slice(1)) : null
}

// The languages of the pages.

export type Language = 'zh-Hans' | 'zh-Hant' | 'en'

/** The languages, each by its own name. */
export const LANGUAGES: readonly (readonly [Language, string])[] = [
  ['zh-Hans', '简体中文'],
  ['zh-Hant', '繁體中文'],
  ['en', 'English'],
]

/** The language that suits a browser's list of preferences best. */
export function preferred(languages: readonly string[]): Language {
  for (const tag of languages) {
    const lower = tag.toLowerCase()
    if (/^zh\b.*\b(hant|tw|hk|mo)\b/.test(lower)) return 'zh-Hant'
    if (/^zh\b/.test(lower)) return 'zh-Hans'
    if (/^en\b/.test(lower)) return 'en'
  }
  return 'en'
}

// What an article says, in the viewer's language, beside the ruling that names it.

import { settings } from '../settings'
import { ARTICLES, type Article } from './articles'
import { articles as hans } from './strings/articles-hans'
import { articles as hant } from './strings/articles-hant'

/** The article of a number, as the edition in force numbers it, or as the other does. */
export function articleOf(number: string, rules: string): Article | null {
  const [first, second] = rules.startsWith('cxa-1999') ? ([0, 1] as const) : ([1, 0] as const)
  return ARTICLES.find((one) => one[first] === number) ?? ARTICLES.find((one) => one[second] === number) ?? null
}

/** What an article says; empty where we have no words for it. */
export function articleText(number: string, rules: string): string {
  const article = articleOf(number, rules)
  if (!article) return ''
  const [of1999, of2010, text] = article
  const table = { 'zh-Hans': hans, 'zh-Hant': hant, en: null }[settings.language]
  const known = of1999 ? table?.[of1999] : (table?.[`${of2010} (2010)`] ?? table?.[of2010])
  return known ?? text
}

// What the viewer has chosen: language, appearance, notation. Kept on this machine.

import type { Ply } from './feed/wire'
import { preferred, type Language } from './languages'
import { en } from './strings/en'
import { hans } from './strings/hans'
import { hant } from './strings/hant'
import type { Strings } from './strings/table'

export type Theme = 'auto' | 'light' | 'dark'
export type Notation = 'chinese' | 'wxf' | 'iccs'

const TABLES: Readonly<Record<Language, Strings>> = { 'zh-Hans': hans, 'zh-Hant': hant, en }

function stored<T extends string>(key: string, allowed: readonly T[]): T | null {
  try {
    const value = localStorage.getItem(`luozi.${key}`)
    return allowed.find((one) => one === value) ?? null
  } catch {
    return null // Storage may be forbidden, as in an embedded page.
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(`luozi.${key}`, value)
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** The choices of this viewer. Fires `change`. */
class Settings extends EventTarget {
  language: Language = stored('language', ['zh-Hans', 'zh-Hant', 'en']) ?? preferred(navigator.languages)
  theme: Theme = stored('theme', ['auto', 'light', 'dark']) ?? 'auto'
  notation: Notation = stored('notation', ['chinese', 'wxf', 'iccs']) ?? 'chinese'
  private readonly dark = window.matchMedia('(prefers-color-scheme: dark)')

  constructor() {
    super()
    this.dark.addEventListener('change', () => {
      this.show()
    })
    this.show()
  }

  /** The strings of the chosen language. */
  get strings(): Strings {
    return TABLES[this.language]
  }

  /** The script of the characters on the pieces. */
  get script(): 'hans' | 'hant' {
    return this.language === 'zh-Hans' ? 'hans' : 'hant'
  }

  /** A move in the chosen notation. */
  text(ply: Ply): string {
    if (this.notation === 'chinese') return this.script === 'hans' ? ply.hans : ply.hant
    return ply[this.notation]
  }

  setLanguage(language: Language): void {
    this.language = language
    store('language', language)
    this.changed()
  }

  setTheme(theme: Theme): void {
    this.theme = theme
    store('theme', theme)
    this.changed()
  }

  setNotation(notation: Notation): void {
    this.notation = notation
    store('notation', notation)
    this.changed()
  }

  private changed(): void {
    this.show()
    this.dispatchEvent(new Event('change'))
  }

  private show(): void {
    const dark = this.theme === 'dark' || (this.theme === 'auto' && this.dark.matches)
    document.documentElement.setAttribute('data-theme', dark ? 'dark' : 'light')
    document.documentElement.lang = this.language
  }
}

export const settings = new Settings()

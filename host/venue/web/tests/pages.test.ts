import { describe, expect, it } from 'vitest'
import { openSync } from 'fontkit'
import { OUTLINES } from '../src/board/glyphs'
import { TALL, WIDE, arrange, perPage } from '../src/pages/arrange'
import { plyOf, route } from '../src/router'
import { preferred } from '../src/languages'
import { hans as consoleHans } from '../src/arbiter/strings/hans'
import { hant as consoleHant } from '../src/arbiter/strings/hant'
import { en } from '../src/strings/en'
import { hans } from '../src/strings/hans'
import { hant } from '../src/strings/hant'

describe('arrange', () => {
  const rooms: [number, number][] = [[1240, 640], [1880, 1000], [3760, 2000], [700, 1100]]
  for (const [width, height] of rooms) {
    it(`fits 1 to 36 boards into ${width} by ${height}`, () => {
      for (let count = 1; count <= 36; count++) {
        const { layout, columns, rows, board } = arrange(count, width, height, 12)
        expect(columns * rows).toBeGreaterThanOrEqual(count)
        const [tileWidth, tileHeight] = layout === 'tall' ? [board, board * TALL] : [board * WIDE, (board * 1032) / 932]
        expect(columns * tileWidth + (columns - 1) * 12).toBeLessThanOrEqual(width + 0.01)
        expect(rows * tileHeight + (rows - 1) * 12).toBeLessThanOrEqual(height + 0.01)
      }
    })
  }

  it('never makes boards larger when there are more', () => {
    const sizes = Array.from({ length: 36 }, (_, i) => arrange(i + 1, 1880, 1000, 12).board)
    for (const [i, size] of sizes.entries()) expect(size).toBeLessThanOrEqual(sizes[i - 1] ?? Infinity)
  })

  it('shows 36 boards at once on a full screen and turns pages on a small one', () => {
    expect(perPage(36, 1880, 1000, 12)).toBe(36)
    expect(perPage(36, 1240, 640, 12)).toBeLessThan(36)
    expect(perPage(1, 10, 10, 12)).toBe(1)
  })
})

describe('addresses', () => {
  it.each([
    ['/', { page: 'wall' }],
    ['/round', { page: 'round' }],
    ['/game/a%2Fb', { page: 'game', id: 'a/b', embedded: false }],
    ['/embed/g1', { page: 'game', id: 'g1', embedded: true }],
    ['/arbiter', { page: 'arbiter', board: '', audit: false }],
    ['/arbiter/board/b-1', { page: 'arbiter', board: 'b-1', audit: false }],
    ['/arbiter/audit', { page: 'arbiter', board: '', audit: true }],
    ['/arbiter/board', { page: 'missing' }],
    ['/arbiter/board/%', { page: 'missing' }],
    ['/game', { page: 'missing' }],
    ['/game/a/b', { page: 'missing' }],
    ['/game/%', { page: 'missing' }],
    ['/round/3', { page: 'missing' }],
    ['/nowhere', { page: 'missing' }],
  ])('%s', (path, expected) => {
    expect(route(path)).toEqual(expected)
  })

  it.each([['#12', 12], ['#0', 0], ['', null], ['#x', null], ['#12345', null], ['#-1', null]])('%j', (hash, ply) => {
    expect(plyOf(hash)).toBe(ply)
  })
})

describe('languages', () => {
  it.each([
    [['zh-CN', 'en'], 'zh-Hans'],
    [['zh-TW'], 'zh-Hant'],
    [['zh-Hant-HK'], 'zh-Hant'],
    [['zh'], 'zh-Hans'],
    [['vi', 'zh-HK'], 'zh-Hant'],
    [['de', 'en-GB'], 'en'],
    [['de'], 'en'],
    [[], 'en'],
  ])('%j', (tags, language) => {
    expect(preferred(tags)).toBe(language)
  })

  it('has every reason in every language', () => {
    expect(Object.keys(hans.reasons)).toEqual(Object.keys(en.reasons))
    expect(Object.keys(hant.reasons)).toEqual(Object.keys(en.reasons))
  })

  it.each([
    ['spectators', [hans, hant], ['luozi-kai']],
    ['arbiters', [consoleHans, consoleHant], ['luozi-kai', 'luozi-kai-console']],
  ])('ships every character that %s read', (_, tables, names) => {
    const fonts = names.map((name) => openSync(`fonts/${name}.woff2`))
    const has = (one: string) => fonts.some((font) => 'hasGlyphForCodePoint' in font && font.hasGlyphForCodePoint(one.codePointAt(0) ?? 0))
    const words = tables.map((table) => JSON.stringify(table) + Object.values(table).map(String).join('')).join('')
    expect(Array.from(new Set(words)).filter((one) => one > '~' && !has(one))).toEqual([])
  })

  it('has an outline for every piece, both rivers and all file numbers', () => {
    for (const character of '帥帅仕相俥车傌马炮兵將将士象車馬砲卒楚河漢汉界一九19') expect(OUTLINES[character]).toMatch(/^M/)
  })
})

// Writes fonts/luozi-kai.woff2: LXGW WenKai Medium, cut down to the characters that the pages' own strings
// and the notation use. Player names that need more fall back to the viewer's fonts.
// Run `npm run fonts` after changing a string.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import subset from 'subset-font'

const FONT = 'node_modules/@fontsource/lxgw-wenkai/files/lxgw-wenkai-latin-500-normal.woff2'
const NOTATION = '帅帥将將仕士相象车車俥马馬傌炮砲包兵卒前后後中一二三四五六七八九进進退平'
const PUNCTUATION = ',。、:;?!()《》「」…—·×½–′″←→≈'

const own = readdirSync('src/strings').map((file) => readFileSync(`src/strings/${file}`, 'utf8')).join('')
const latin = Array.from({ length: 0x7f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).join('')
const accents = Array.from({ length: 0x180 - 0xa0 }, (_, i) => String.fromCharCode(0xa0 + i)).join('')
const languages = readFileSync('src/languages.ts', 'utf8')
const text = [...new Set(own + languages + NOTATION + PUNCTUATION + latin + accents)].join('')

const font = await subset(readFileSync(FONT), text, { targetFormat: 'woff2' })
writeFileSync('fonts/luozi-kai.woff2', font)
console.log(`${text.length} characters, ${font.length} bytes`)

// How games fall on paper.

import { expect, test } from 'vitest'
import { FOOT, ROWS, paginate, rounds } from '../src/print/paginate'

test('every round is on exactly one page, in order, and the last page has room for the foot', () => {
  for (let plies = 0; plies <= 700; plies++) {
    for (const first of ['red', 'black'] as const) {
      const all = rounds(plies, first)
      const pages = paginate(all)
      expect(pages.flat(2)).toEqual(all)
      pages.forEach((columns, at) => {
        const room = (at ? ROWS.other : ROWS.first) - (at === pages.length - 1 ? FOOT : 0)
        for (const column of columns) expect(column.length).toBeLessThanOrEqual(room)
      })
    }
  }
})

test('rounds begin with the side that moved first', () => {
  expect(rounds(3, 'red')).toEqual([{ number: 1, red: 0, black: 1 }, { number: 2, red: 2, black: null }])
  expect(rounds(2, 'black')).toEqual([{ number: 1, red: null, black: 0 }, { number: 2, red: 1, black: null }])
})

import { describe, expect, it } from 'vitest'
import { parseMove, parseSquare, place } from '../src/board/geometry'
import { START_FEN, kingOf, parseFen, placement, steps } from '../src/board/position'

describe('squares', () => {
  it.each(['', 'e', 'j0', 'e10', 'E0', '0e'])('%j is no square', (text) => {
    expect(parseSquare(text)).toBeNull()
  })

  it.each(['h2', 'h2e', 'h2e2x', 'h2 e2'])('%j is no move', (text) => {
    expect(parseMove(text)).toBeNull()
  })

  it('puts Red at the bottom, its left hand at the left, unless flipped', () => {
    expect(place({ file: 0, rank: 0 }, false)).toEqual({ x: 0, y: 900 })
    expect(place({ file: 0, rank: 0 }, true)).toEqual({ x: 800, y: 0 })
  })
})

describe('positions', () => {
  it.each([START_FEN, '4k4/9/9/9/9/9/9/9/9/4K4 b - - 3 20'])('%s survives reading and writing', (fen) => {
    const position = parseFen(fen)
    expect(position && placement(position)).toBe(fen.split(' ')[0])
  })

  it.each(['', '9/9', START_FEN.replace('rnb', 'rnx'), START_FEN.replace('9/1c', '8/1c'), START_FEN.replace('/9/1c', '/99/1c')])(
    '%j is no position',
    (fen) => {
      expect(parseFen(fen)).toBeNull()
    },
  )

  it('plays moves, keeps each piece’s number and counts what was taken', () => {
    const all = steps(START_FEN, ['h2e2', 'h9g7', 'e2e6', 'g9e7'])
    expect(all).toHaveLength(5)
    const last = all[4]
    expect(last && placement(last.position)).toBe('rnbaka2r/9/1c2b1nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR')
    expect(last?.taken.map(({ side, kind }) => side + kind)).toEqual(['blackp'])
    expect(last?.position[6 * 9 + 4]?.id).toBe(all[0]?.position[2 * 9 + 7]?.id)
  })

  it('stops where a move cannot be read', () => {
    expect(steps(START_FEN, ['h2e2', '??', 'h9g7'])).toHaveLength(2)
  })

  it('finds the kings', () => {
    const position = parseFen(START_FEN) ?? []
    expect([kingOf(position, 'red'), kingOf(position, 'black'), kingOf([], 'red')]).toEqual([4, 85, -1])
  })
})

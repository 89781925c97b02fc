// The whole font, seven megabytes, for machines that have no Chinese font at all, such as a bare projector
// computer. Everybody else has one, and never loads this.

import whole from '@fontsource/lxgw-wenkai/files/lxgw-wenkai-latin-500-normal.woff2?url'

/** Whether this machine can draw two different Han characters differently, by itself. */
function drawsHan(): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 24
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  if (!pen) return true
  pen.font = '20px sans-serif'
  const drawn = ['一', '龍'].map((character) => {
    pen.clearRect(0, 0, 24, 24)
    pen.fillText(character, 2, 20)
    return pen.getImageData(0, 0, 24, 24).data.join()
  })
  return drawn[0] !== drawn[1]
}

/** Offers the whole font as `LXGW WenKai`, which the font list names, where nothing else could show a name. */
export function offerHanFont(): void {
  if (drawsHan()) return
  document.fonts.add(new FontFace('LXGW WenKai', `url(${whole}) format('woff2')`, { display: 'swap' }))
}

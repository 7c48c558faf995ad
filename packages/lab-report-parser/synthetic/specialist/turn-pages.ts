import type { Painter } from '../painter.ts'
import type { Random } from '../random.ts'
import type { Part } from '../style.ts'

/**
 * Lays wide pages onto tall paper, turned by a quarter: downwards, in the unseen part upwards. Half
 * of the unseen documents say by `/Rotate` how they are held, as scanners do; the others leave it
 * to the reader.
 */
export function turnPages(painter: Painter, random: Random, part: Part): void {
  const saysSo = part === 'unseen' && random.chance(0.5)
  const draw = painter.onPage
  painter.onPage = () => {
    const { width, height } = painter.doc.page
    const dictionary = painter.doc.page.dictionary.data as Record<string, unknown>
    dictionary.MediaBox = [0, 0, height, width]
    if (part === 'tuned') painter.doc.transform(0, 1, -1, 0, height, height - width)
    else painter.doc.transform(0, -1, 1, 0, 0, height)
    if (saysSo) dictionary.Rotate = 90
    draw()
  }
}

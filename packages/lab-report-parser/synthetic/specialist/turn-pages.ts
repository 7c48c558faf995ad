import type { Painter } from '../painter.ts'
import type { Random } from '../random.ts'
import type { Part } from '../style.ts'

/**
 * Puts landscape pages onto portrait paper, turned by 90 degrees: clockwise, in the unseen part
 * counterclockwise. Half of the unseen documents have the `/Rotate` of a scanner; in the others the
 * parser has to find the direction of the text.
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

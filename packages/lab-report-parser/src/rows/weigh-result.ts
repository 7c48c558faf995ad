import { textOf } from './cell-words.ts'
import type { Cells } from './cells.ts'
import { isQualitative, scoreName } from './content.ts'
import type { ReadLine } from './draft.ts'
import { isAdministrative, isCategory, isSentence, isSpecimen, isVitalSign } from './line-kinds.ts'

/**
 * Evidence that a name and a value on one line are a result: from the table, the unit, the range
 * and the name.
 */
export function weighResult(
  cells: Cells,
  read: ReadLine,
  lines: readonly ReadLine[],
  at: number,
): number {
  const { name, value } = cells
  if (!name || !value) return 0
  const text = textOf(name.words).replace(/\s*:$/, '')
  const analyte = scoreName(text)
  if (isVitalSign(text) || isAdministrative(text)) return 0
  if (isCategory(text) && analyte < 0.6) return 0
  // Two facts of the head, or one that stands on every page.
  if (analyte < 0.6 && /\p{L}:$/u.test(textOf(value.words)) && !value.isLabelled) return 0
  if (read.isRepeated && analyte < 0.6 && !cells.unit && !cells.range) return 0
  const isDoubtful = value.words.some((word) => word.confidence < 0.3)
  if (isDoubtful && analyte < 0.6 && !cells.unit && !cells.range) return 0
  if (isSentence(read.line, cells.others)) return 0
  let score = read.prior('value', value.left, value.right)
  score += Math.max(-1, Math.min(0.5, read.prior('name', name.left, name.right) / 2))
  if (cells.unit) score += 1
  if (cells.range) {
    const isRange = cells.range.content >= 1.5 || isQualitative(textOf(cells.range.words))
    score += isRange ? 1.2 : 0.5
  }
  if (cells.flag) score += 0.5
  score += analyte >= 0.6 ? 1.3 : 0
  const next = lines[at + 1]?.results[0]
  if (next?.range && !next.value && !next.name) score += 1
  // An age, not a result.
  if (
    cells.unit &&
    /^(?:years?|yrs?|a[nñ]os|ans|jahren?|anni|jaar),?$/i.test(textOf(cells.unit.words))
  )
    return 0
  // A dose, not a concentration.
  if (
    cells.unit &&
    !read.hasHeader &&
    !cells.range &&
    /^(?:mg|g|mcg|ml|iu)$/i.test(textOf(cells.unit.words))
  )
    score -= 1
  if (isSpecimen(text) && value.content < 2) return 0
  if (value.content < 1.2) {
    // Words that are no known result are one only in the column of results, or after the name of an
    // analyte.
    if (analyte < 0.6 && read.prior('value', value.left, value.right) < 1.2) return 0
    if (analyte < 0.6 && !cells.range && !cells.unit && !cells.flag) score -= 1.5
  }
  return score
}

import { splitWords } from './analyte-words.ts'
import { getAnalyteIndex } from './analytes.ts'
import { readName } from './name-readings.ts'

/** Words of many names, which mean little by themselves. */
const weakWords = new Set(
  'a and at by c count d de del der direct e en free g hour hr i im in index k la le level m name of p patient per range ratio reference s sec serum t test the total type urine value with y'.split(
    ' ',
  ),
)

/**
 * Returns how surely a text is the name of an analyte, from 0 to 1; 1 for a known name. Fast enough
 * for every line of a page.
 */
export function scoreAnalyteName(text: string): number {
  const words = splitWords(text)
  if (words.length === 0 || words.length > 14) return 0
  const index = getAnalyteIndex()
  if (index.find(words).length > 0) return 1
  const reading = readName(text)
  if (reading) return reading.score
  const strong = words.filter((word) => !weakWords.has(word) && /[a-z]/.test(word))
  if (strong.length === 0) return 0
  const letters = strong.reduce((sum, word) => sum + word.length, 0)
  const known = strong.filter((word) => word.length > 1 && index.words.has(word))
  const share = known.reduce((sum, word) => sum + word.length, 0) / letters
  return Math.round(share * 90) / 100
}

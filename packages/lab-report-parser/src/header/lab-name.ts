import { toPlainWords } from '../language/words.ts'
import { buildLines, type Line, median } from '../layout/lines.ts'
import type { PageText } from '../pages/page.ts'
import type { Field } from '../report.ts'
import { toHeaderField } from './labelled-values.ts'

const LABORATORY =
  /\b(?:lab|labs|labor|laborator\w*|laboratoire\w*|laboratori\w*|diagnostic\w*|diagnostik\w*|patholog\w*|biolog\w*|clinical|analisis|analises|analisi|analyses|medlab\w*|biomed\w*|labcorp|quest|bioscientia|\p{L}*lab|\p{L}*labs|\p{L}*labor|laboratorium)\b/u
const INSTITUTION =
  /\b(?:hospital|clinic\w*|klinik\w*|medical|medic\w*|health\w*|cent(?:er|re|ro)|institut\w*|universit\w*|ziekenhuis|krankenhaus|hopital|ospedale|praxis|care|healthcare|wellness|sante)\b/
const NOT_A_NAME =
  /\b(?:reports?|results?|informe|resultados?|befund\w*|rapport|referto|laudo|uitslag\w*|page|seite|pagina|phone|tel|fax|www|http\w*|email|street|road|ave|avenue|patient|paciente|date|datum|fecha|final|summary|bericht|test results|accredited|iso|nabl|licen[cs]e|director|specimen|name|directeur)\b|bericht|befund|rapport\b|uitslag|@|\d{4,}|:/
const TITLE =
  /^(?:clinical |medical )?(?:laboratory|lab|pathology|diagnostic) (?:test )?(?:reports?|results?|investigations?)$/

/**
 * Returns the laboratory of the letterhead: the large words at the top that name one; null where
 * there are none.
 */
export function findLetterhead(page: PageText): Field | null {
  const lines = buildLines(page)
  const usual = median(page.words.map((word) => word.fontSize)) || 1
  let best: { line: Line; score: number } | undefined
  for (const line of lines) {
    if (line.box.y > page.height * 0.25) break
    const score = scoreLine(line, usual, page)
    if (score > 0 && score > (best?.score ?? 0)) best = { line, score }
  }
  return best ? toHeaderField(firstCell(best.line), page.number) : null
}

/** Returns the words of a line up to a wide gap, which ends the cell. */
function firstCell(line: Line): Line['words'] {
  const end = line.words.findIndex((word, index) => {
    const before = line.words[index - 1]
    return (
      before !== undefined &&
      word.box.x - (before.box.x + before.box.width) >
        Math.max(line.height * 2, before.fontSize * 2)
    )
  })
  return end < 0 ? line.words : line.words.slice(0, end)
}

function scoreLine(line: Line, usual: number, page: PageText): number {
  const words = firstCell(line)
  const text = toPlainWords(words.map((word) => word.text).join(' '))
  const letters = text.replace(/[^\p{L}]/gu, '').length
  const isPerson = /\b(?:dr|dott|dottssa|prof)\b/.test(text) && !LABORATORY.test(text)
  if (isPerson) return 0
  if (letters < 4 || words.length > 9 || NOT_A_NAME.test(text) || TITLE.test(text)) return 0
  const size = Math.max(...words.map((word) => word.fontSize)) / usual
  const named = LABORATORY.test(text) ? 3 : INSTITUTION.test(text) ? 2 : 0
  // Without such a word only a plain logo names a laboratory: large, and at the very top.
  if (named === 0 && (size < 1.4 || line.box.y > page.height * 0.12)) return 0
  return named + Math.min(size, 3) - line.box.y / page.height
}

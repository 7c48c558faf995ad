import type { Line } from '../layout/lines.ts'
import { findFurtherColumns, orderColumns } from '../layout/side-by-side.ts'
import { textOf } from './cell-words.ts'
import { findColumnRole, scoreName, scoreRange, scoreUnit, scoreValue } from './content.ts'
import type { DraftRow } from './draft.ts'
import { readDrafts } from './read-rows.ts'

/** Lines in reading order: of a page with columns of results the left one first, where that reads more. */
export function orderLines(lines: Line[]): Line[] {
  const isName = (text: string): boolean =>
    (scoreName(text) >= 0.7 && scoreUnit(text) < 0.7) || findColumnRole(text) === 'name'
  const columns = findFurtherColumns(lines, isName)
  if (!columns) return lines
  const ordered = orderColumns(
    lines,
    columns.starts,
    (text) => isName(text) || looksLikeTitle(text),
  )
  if (columns.areSure) return ordered
  const weigh = (drafts: readonly DraftRow[]): number =>
    drafts.reduce((sum, draft) => sum + (isPairedAcross(draft) ? -draft.score : draft.score), 0)
  return weigh(readDrafts(ordered)) >= weigh(readDrafts(lines)) ? ordered : lines
}

/** Whether a row has a value for its name or a name for its value, as of cards that are read across. */
function isPairedAcross({ name, value }: DraftRow): boolean {
  const text = textOf(value)
  return /^[<>]?\d/.test(textOf(name)) || (scoreName(text) >= 0.9 && scoreValue(text) === 0)
}

/** Words that begin a result or are over several of them, rather than a part of one. */
function looksLikeTitle(text: string): boolean {
  const isPart = scoreValue(text) > 0 || scoreUnit(text) >= 0.7 || scoreRange(text) > 0
  return /^\p{L}[^:]*$/u.test(text) && !isPart && findColumnRole(text) === undefined
}

import type { Word } from '../pages/page.ts'
import { splitGlued, textOf } from '../rows/cell-words.ts'
import { scoreFlag, scoreUnit, scoreValue } from '../rows/content.ts'

/** What stands in the cell of one value. */
export interface ValueCell {
  value: Word[]
  unit: Word[] | null
  flag: Word[] | null
}

/** Reads a cell that contains only a value with its flag and its unit; undefined for any other. */
export function readValueCell(words: readonly Word[]): ValueCell | undefined {
  const parts = words.flatMap((word) => splitGlued(word))
  const isFlag = (word: Word | undefined): boolean => !!word && scoreFlag(word.text) >= 0.8
  let flag: Word[] | null = null
  if (parts.length > 1 && isFlag(parts[0])) flag = parts.splice(0, 1)
  else if (parts.length > 1 && isFlag(parts.at(-1))) flag = parts.splice(-1)
  for (let count = parts.length; count > 0; count--) {
    const value = parts.slice(0, count)
    const rest = parts.slice(count)
    if (scoreValue(textOf(value)) < 0.8) continue
    if (rest.length === 0) return { value, unit: null, flag }
    if (scoreUnit(textOf(rest)) >= 0.7) return { value, unit: rest, flag }
  }
  return undefined
}

import type { Word } from '../pages/page.ts'
import type { CellRole } from './content.ts'

/** What a stretch of a line is taken for; `other` is everything that is no part of a result. */
export type Role = CellRole | 'other'

export interface Cell {
  role: Role
  words: Word[]
  left: number
  right: number
  /** What its looks alone speak for the role. */
  content: number
  /** A label such as `Reference range:` says what it is. */
  isLabelled: boolean
}

/** What one line says about one result. */
export type Cells = { [role in CellRole]?: Cell | undefined } & { others: Cell[] }

/**
 * Words that follow a name as closely as its own belong to it, known or not: `GFR` in `GFR
 * Category`.
 */
export function extendName(cells: Cells): void {
  for (const other of [...cells.others]) {
    const { name } = cells
    const word = other.words[0]
    if (!name || !word || !/^\p{L}[\p{L}-]+$/u.test(word.text)) continue
    const gap = other.left - name.right
    if (gap < 0 || gap > word.box.height * 0.75) continue
    cells.name = { ...name, words: [...name.words, word], right: other.right }
    cells.others = cells.others.filter((cell) => cell !== other)
  }
}

/**
 * Values after the first belong to the same name where one is a percentage and the other is none,
 * or where the table has columns for both; other values beside the result are earlier results or
 * other units.
 */
export function joinSiblings(results: readonly Cells[], allowsSiblings: boolean): Cells[] {
  const kept: Cells[] = []
  for (const cells of results) {
    const main = kept[kept.length - 1]
    if (cells.name || !main || !cells.value) {
      kept.push(cells)
      continue
    }
    const isPercent = (unit: Cell | undefined): boolean =>
      unit?.words[0]?.text.startsWith('%') ?? false
    const differs = cells.unit && main.unit && isPercent(cells.unit) !== isPercent(main.unit)
    if (main.name && main.value && (differs || allowsSiblings))
      kept.push({ ...cells, name: main.name })
    else {
      main.others.push(cells.value, ...cells.others)
      for (const role of ['range', 'unit', 'flag'] as const) {
        const cell = cells[role]
        if (cell && main[role]) main.others.push(cell)
        main[role] ??= cell
      }
    }
  }
  return kept
}

import type { Line } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import type { Cell, Cells } from './cells.ts'
import type { ColumnPrior } from './parse-line.ts'

/** A line with what it says. */
export interface ReadLine {
  line: Line
  results: Cells[]
  prior: ColumnPrior
  isHeader: boolean
  isRepeated: boolean
  /** In a table drawn with bars within a table that is not: a table of categories in the notes. */
  isApart: boolean
  /** Whether methods stand in brackets under the names of the table. */
  hasMethodLines: boolean
  hasHeader: boolean
  /**
   * How far right a name may reach before the next column begins; infinite where nothing says it.
   */
  nameLimit: number
  /** A title standing alone, such as `Your value`; what is under it is its cell. */
  isLabel: boolean
  /** As it reads if the label above it speaks of it. */
  labelled: Cells[] | null
  /** Returns the title of its column as the unit, where that is one, such as `%`. */
  findTitleUnit(value: Cell): Word[] | null
}

/** What stands in the place of a range. */
export interface DraftRange {
  words: Word[]
  /** The same with the words beside it: `Male:` and others. */
  context: Word[]
}

/** A result whose cells were gathered from one or more lines. */
export interface DraftRow {
  page: number
  line: Line
  name: Word[]
  value: Word[]
  unit: Word[] | null
  /** Every stretch of text in the place of the range, the row's own first. */
  ranges: DraftRange[]
  flag: Word[] | null
  panel: { words: Word[]; page: number } | null
  score: number
}

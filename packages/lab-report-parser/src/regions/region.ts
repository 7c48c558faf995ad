import type { Line } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import type { RegionKind, UnreadRegion } from '../report.ts'
import type { DraftRow } from '../rows/draft.ts'
import type { Section } from '../rows/read-rows.ts'

/** Lines that one reader explains, with its results. */
export interface Region {
  kind: RegionKind
  /** Line at which its results stand among the others. */
  start: Line
  /** The lines that are explained. */
  used: ReadonlySet<Line>
  /** A table to be read line by line under its own header. */
  section?: Section
  /** Results that were read cell by cell. */
  rows?: DraftRow[]
  unread?: UnreadRegion[]
}

export function spanOf(lines: readonly Line[]): Pick<Region, 'start' | 'used'> {
  return { start: lines[0] as Line, used: new Set(lines) }
}

/** Marks a region of results that must not be guessed. */
export function leaveUnread(kind: UnreadRegion['kind'], lines: readonly Line[]): Region {
  const pages = [...new Set(lines.map((line) => line.page))]
  const unread = pages.map((page) => ({ kind, page }))
  return { kind, ...spanOf(lines), unread }
}

/** Returns a result that was read cell by cell. */
export function toRow(line: Line, name: Word[], value: Word[], unit: Word[] | null): DraftRow {
  return {
    page: line.page,
    line,
    name,
    value,
    unit,
    ranges: [],
    flag: null,
    panel: null,
    score: 3,
  }
}

import type { Line } from '../layout/lines.ts'
import type { Box } from '../pages/page.ts'
import { findColumn } from '../rows/column-prior.ts'
import type { ColumnRole } from '../rows/content.ts'
import { type Column, findTableHeader, stackCells } from '../rows/table-header.ts'

/** `unknown` is a title in words that no list contains. */
export type TitledRole = ColumnRole | 'unknown'

interface LocatedHeader {
  page: number
  /** Lower end of its titles. */
  bottom: number
  columns: Column[]
  /** Cells of the header without a known title. */
  unknown: Column[]
}

/** Roles of places below the titles of tables. */
export interface TitledColumns {
  /** Returns the role of the title above a place; undefined where no title is near. */
  findRole(page: number, box: Box): TitledRole | undefined
  /** Returns whether the table at a place has a column of results. */
  hasValueColumn(page: number, box: Box): boolean
}

export function findTitledColumns(lines: readonly Line[]): TitledColumns {
  const headers: LocatedHeader[] = []
  for (let at = 0; at < lines.length; at++) {
    const header = findTableHeader(lines, at)
    if (!header) continue
    const titleLines = lines.slice(at, at + header.lines)
    const last = titleLines.at(-1) as Line
    const { columns } = header
    const unknown = listUnknown(titleLines, columns)
    headers.push({ page: last.page, bottom: last.box.y + last.box.height, columns, unknown })
    at += header.lines - 1
  }
  const findAbove = (page: number, box: Box): LocatedHeader | undefined =>
    headers.findLast(
      (each) => each.page < page || (each.page === page && each.bottom <= box.y + box.height / 2),
    )
  return {
    findRole(page, box) {
      const above = findAbove(page, box)
      if (!above) return undefined
      const columns = [...above.columns, ...above.unknown]
      const found = findColumn({ columns, lines: 0 }, box.x, box.x + box.width, box.height)
      if (!found || found.distance >= box.height * 3) return undefined
      return above.unknown.includes(found.column) ? 'unknown' : found.column.role
    },
    hasValueColumn(page, box) {
      return findAbove(page, box)?.columns.some(({ role }) => role === 'value') ?? false
    },
  }
}

function listUnknown(titleLines: readonly Line[], known: readonly Column[]): Column[] {
  return stackCells(titleLines).flatMap((words): Column[] => {
    const left = Math.min(...words.map(({ box }) => box.x))
    const right = Math.max(...words.map(({ box }) => box.x + box.width))
    const isKnown = known.some((column) => column.left < right && column.right > left)
    return isKnown ? [] : [{ role: 'other', left, right, words }]
  })
}

import { buildLines, type Line } from '../layout/lines.ts'
import type { Box, PageText } from '../pages/page.ts'
import { findColumn } from '../rows/column-prior.ts'
import type { ColumnRole } from '../rows/content.ts'
import { findTableHeader, type TableHeader } from '../rows/table-header.ts'

interface LocatedHeader {
  page: number
  /** Where its titles end, downwards. */
  bottom: number
  header: TableHeader
}

/** The lines of a report, and what the titles of its tables say of places under them. */
export interface TitledColumns {
  lines: readonly Line[]
  /** What a title says stands at a place; undefined where no title is near. */
  findRole(page: number, box: Box): ColumnRole | undefined
}

export function findTitledColumns(pages: readonly PageText[]): TitledColumns {
  const lines = pages.flatMap((page) => buildLines(page))
  const headers: LocatedHeader[] = []
  for (let at = 0; at < lines.length; at++) {
    const header = findTableHeader(lines, at)
    if (!header) continue
    const last = lines[at + header.lines - 1] as Line
    headers.push({ page: last.page, bottom: last.box.y + last.box.height, header })
    at += header.lines - 1
  }
  return {
    lines,
    findRole(page, box) {
      const above = headers.findLast(
        (each) => each.page < page || (each.page === page && each.bottom <= box.y + box.height / 2),
      )
      if (!above) return undefined
      const found = findColumn(above.header, box.x, box.x + box.width, box.height)
      return found && found.distance < box.height * 3 ? found.column.role : undefined
    },
  }
}

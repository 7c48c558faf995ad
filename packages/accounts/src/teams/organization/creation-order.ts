import { INSTANT_KEY, KeysetPages, UUID_KEY } from '@salus/kernel/http/keyset-pages'

/** Number of rows on one page of a management list. */
export const PAGE_SIZE = 50

/** Position in a list that is ordered by (created_at, id): the last row of the previous page. */
export interface Position {
  createdAt: Date
  id: string
}

const PAGES = new KeysetPages({ createdAt: INSTANT_KEY, id: UUID_KEY })

/**
 * Reads the start of a page; undefined is the first page.
 * @throws AppError 400 `invalid_cursor`
 */
export function readPosition(
  scope: readonly unknown[],
  cursor: string | undefined,
): Position | undefined {
  return PAGES.read(scope, cursor) ?? undefined
}

/** Splits PAGE_SIZE + 1 rows into a page and the cursor of the next one, null on the last page. */
export function cutPage<Row extends { created_at: Date; id: string }>(
  scope: readonly unknown[],
  rows: Row[],
): { page: Row[]; nextCursor: string | null } {
  return PAGES.cut(scope, rows, PAGE_SIZE, (row) => ({ createdAt: row.created_at, id: row.id }))
}

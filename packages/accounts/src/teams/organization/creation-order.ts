import { decodeCursor, encodeCursor } from '@salus/kernel/http/cursor'
import { isUuid } from '@salus/kernel/ids'
import { parseInstant } from '@salus/kernel/time/instants'

/** Number of rows on one page of a management list. */
export const PAGE_SIZE = 50

/** Position in a list that is ordered by (created_at, id): the last row of the previous page. */
export interface Position {
  createdAt: Date
  id: string
}

/**
 * Years that PostgreSQL can read for sure, so that a forged cursor is a 400 and not a server error.
 */
const PLAIN_INSTANT = /^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

function isPosition([createdAt, id, ...rest]: unknown[]): boolean {
  return (
    typeof createdAt === 'string' &&
    PLAIN_INSTANT.test(createdAt) &&
    parseInstant(createdAt) !== undefined &&
    typeof id === 'string' &&
    isUuid(id) &&
    rest.length === 0
  )
}

/**
 * Reads the start of a page; undefined is the first page.
 * @throws AppError 400 `invalid_cursor`
 */
export function readPosition(
  scope: readonly unknown[],
  cursor: string | undefined,
): Position | undefined {
  if (!cursor) return undefined
  const [createdAt, id] = decodeCursor(scope, cursor, isPosition) as [string, string]
  return { createdAt: new Date(createdAt), id }
}

/** Splits PAGE_SIZE + 1 rows into a page and the cursor of the next one, null on the last page. */
export function cutPage<Row extends { created_at: Date; id: string }>(
  scope: readonly unknown[],
  rows: Row[],
): { page: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  if (rows.length <= PAGE_SIZE || last === undefined) return { page, nextCursor: null }
  return { page, nextCursor: encodeCursor(scope, [last.created_at.toISOString(), last.id]) }
}

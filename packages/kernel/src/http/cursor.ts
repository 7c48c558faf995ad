import { createHash } from 'node:crypto'
import { badRequest } from '../errors.ts'
import { parseInstant } from '../time/instants.ts'

const INVALID_CURSOR = badRequest(
  'invalid_cursor',
  'The cursor is malformed or belongs to another path or other filters.',
)

/** Returns a short fingerprint of the path and filters that a cursor is bound to. */
function fingerprint(scope: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(scope)).digest('base64url').slice(0, 12)
}

/**
 * Creates an opaque, URL-safe cursor: a fingerprint of what it belongs to, followed by the
 * position. It holds no secret, and a forged position can only move within the caller's own rows.
 */
export function encodeCursor(scope: readonly unknown[], position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([fingerprint(scope), ...position])).toString('base64url')
}

/**
 * Reads a cursor back.
 * @param toPosition Returns undefined for what is no position of the list.
 * @throws AppError 400 `invalid_cursor` for a malformed one, or one of another path or filters.
 */
export function decodeCursor<Position>(
  scope: readonly unknown[],
  cursor: string,
  toPosition: (parts: readonly unknown[]) => Position | undefined,
): Position {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw INVALID_CURSOR
  }
  if (!Array.isArray(parsed) || parsed[0] !== fingerprint(scope)) throw INVALID_CURSOR
  const position = toPosition(parsed.slice(1))
  if (position === undefined) throw INVALID_CURSOR
  return position
}

/** PostgreSQL does not accept larger offsets, and no zone has them. */
const POSTGRES_TEXT = /^[12]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+(0\d|1[0-4])$/

/**
 * True for an existing time in the form in which cursors of lists hold it, which is PostgreSQL's.
 */
export function isListedInstant(value: unknown): boolean {
  return typeof value === 'string' && POSTGRES_TEXT.test(value) && parseInstant(value) !== undefined
}

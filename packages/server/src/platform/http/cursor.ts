import { createHash } from 'node:crypto'
import { badRequest } from '../errors.ts'

const INVALID_CURSOR = badRequest(
  'invalid_cursor',
  'The cursor is malformed or belongs to another path or other filters.',
)

/** A short fingerprint of the path and filters that a cursor is bound to. */
function fingerprint(scope: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(scope)).digest('base64url').slice(0, 12)
}

/**
 * Makes an opaque, URL-safe cursor: the position behind a fingerprint of what it belongs to.
 * Nothing secret is in it, and a forged position can only move within the caller's own rows.
 */
export function encodeCursor(scope: readonly unknown[], position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([fingerprint(scope), ...position])).toString('base64url')
}

/**
 * Reads a cursor back.
 * @throws AppError 400 `invalid_cursor` for a malformed one, or one of another path or filters.
 */
export function decodeCursor(
  scope: readonly unknown[],
  cursor: string,
  isPosition: (position: unknown[]) => boolean,
): unknown[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw INVALID_CURSOR
  }
  if (!Array.isArray(parsed) || parsed[0] !== fingerprint(scope)) throw INVALID_CURSOR
  const position = parsed.slice(1)
  if (!isPosition(position)) throw INVALID_CURSOR
  return position
}

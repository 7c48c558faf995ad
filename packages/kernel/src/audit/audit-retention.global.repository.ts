import { sql } from 'kysely'
import type { Db } from '../postgres/database.ts'
import type { AuditSegment } from './audit-segments.global.repository.ts'

/** Returns segments in ClickHouse that ended before a time and are in no archive. */
export function listUnarchivedSegments(db: Db, before: Date): Promise<AuditSegment[]> {
  return db
    .selectFrom('audit_segments')
    .selectAll()
    .where('moved_at', 'is not', null)
    .where('archived_at', 'is', null)
    .where('removed_at', 'is', null)
    .where('closed_at', '<', before)
    .orderBy('id')
    .execute()
}

/** Records that verified parts of an archive have the segments. */
export async function recordArchive(db: Db, ids: readonly number[], now: Date): Promise<void> {
  await sql`update audit_segments set archived_at = ${now}
    where id = any(${[...ids]}::int[])`.execute(db)
}

/**
 * Returns the date before which all segments were opened that may be removed: whole months, the
 * first one first, in which everything is older than the time, and archived unless that is not
 * needed.
 */
export async function findRemovableDate(
  db: Db,
  { before, needsArchive }: { before: Date; needsArchive: boolean },
): Promise<string | undefined> {
  const { rows } = await sql<{ ends: string; is_removable: boolean; is_removed: boolean }>`
    select ((date_trunc('month', opened_at at time zone 'UTC') + interval '1 month')::date)::text as ends,
      bool_and(moved_at is not null and closed_at < ${before}
        and greatest(last_at, closed_at) < ${before}
        and (archived_at is not null or ${!needsArchive})) as is_removable,
      bool_and(removed_at is not null) as is_removed
    from audit_segments group by 1 order by 1`.execute(db)
  const left = rows.filter((month) => !month.is_removed)
  const kept = left.findIndex((month) => !month.is_removable)
  return left.slice(0, kept === -1 ? left.length : kept).at(-1)?.ends
}

/** Records that the rows of segments that were opened before a date are removed. */
export async function removeSegments(db: Db, before: string, now: Date): Promise<void> {
  await sql`update audit_segments set removed_at = ${now}
    where removed_at is null and opened_at < (${before}::timestamp at time zone 'UTC')`.execute(db)
  await sql`update audit_progress set removed_before = ${before}::date`.execute(db)
}

import type { Db } from '@salus/kernel/postgres/database'
import type { ExportRow } from './exports.repository.ts'

/** Exports of all environments: a link names one by a secret, and one job removes expired ones. */

/** Returns the completed export of a live user whose link has the hash and has not expired. */
export function findExportByLink(db: Db, hash: Buffer, now: Date): Promise<ExportRow | undefined> {
  return db
    .selectFrom('person_exports')
    .innerJoin('users', (join) =>
      join
        .onRef('users.environment_id', '=', 'person_exports.environment_id')
        .onRef('users.id', '=', 'person_exports.user_id'),
    )
    .selectAll('person_exports')
    .where('person_exports.link_hash', '=', hash)
    .where('person_exports.link_expires_at', '>', now)
    .where('person_exports.expires_at', '>', now)
    .where('person_exports.status', '=', 'completed')
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
}

export function listEndedExports(
  db: Db,
  now: Date,
  limit: number,
): Promise<Pick<ExportRow, 'environment_id' | 'id'>[]> {
  return db
    .selectFrom('person_exports')
    .select(['environment_id', 'id'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

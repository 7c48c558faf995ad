import type { Db } from '@salus/kernel/postgres/database'

/** Returns expired exports of all environments, the oldest first. */
export function listEndedBulkExports(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ environment_id: string; id: string }[]> {
  return db
    .selectFrom('fhir_exports')
    .select(['environment_id', 'id'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

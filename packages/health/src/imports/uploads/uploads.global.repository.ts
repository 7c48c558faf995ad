import type { Db } from '@salus/kernel/postgres/database'
import type { UploadRow } from './uploads.repository.ts'

/** Returns some of the uploads of all environments that expired by then. */
export function listExpiredUploads(
  db: Db,
  now: Date,
  limit: number,
): Promise<Pick<UploadRow, 'id' | 'bytes'>[]> {
  return db
    .selectFrom('import_uploads')
    .select(['id', 'bytes'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

export async function deleteExpiredUpload(db: Db, id: string, now: Date): Promise<void> {
  await db
    .deleteFrom('import_uploads')
    .where('id', '=', id)
    .where('expires_at', '<=', now)
    .execute()
}

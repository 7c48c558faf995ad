import type { Scope } from '@salus/kernel/scope'
import type { ColumnType } from 'kysely'

interface SyncReportsTable {
  environment_id: string
  user_id: string
  provider: string
  report: ColumnType<unknown, string, string>
  received_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    sdk_sync_reports: SyncReportsTable
  }
}

/** Stores a report in place of the previous one. @param report JSON */
export async function upsertSyncReport(
  { db, environment }: Scope,
  of: { userId: string; provider: string },
  report: string,
  receivedAt: Date,
): Promise<void> {
  const content = { report, received_at: receivedAt }
  await db
    .insertInto('sdk_sync_reports')
    .values({
      environment_id: environment.id,
      user_id: of.userId,
      provider: of.provider,
      ...content,
    })
    .onConflict((conflict) =>
      conflict.columns(['environment_id', 'user_id', 'provider']).doUpdateSet(content),
    )
    .execute()
}

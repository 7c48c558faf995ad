import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Keeps backups from taking the instant of the two stores until the transaction ends, as a writer
 * of ClickHouse does.
 */
export async function holdBackups(db: Db): Promise<void> {
  await sql`lock table pending_publications in row exclusive mode`.execute(db)
}

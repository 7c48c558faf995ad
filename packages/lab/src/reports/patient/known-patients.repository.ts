import type { RowScope, TransactionScope } from '@salus/kernel/scope'
import type { LabReport } from '@salus/lab-report-parser'
import { sql } from 'kysely'
import type { JobRow } from '../lab-reports.repository.ts'

/** The patient in the metadata of an earlier report. */
export type ReadMetadataRow = Pick<JobRow, 'id' | 'patient_match'> &
  Pick<LabReport, 'header' | 'language'>

/** Returns the metadata of a person's completed reports, newest first, without the given one. */
export async function listReadMetadata(
  { db, environment }: RowScope,
  userId: string,
  { exceptId, limit }: { exceptId: string; limit: number },
): Promise<ReadMetadataRow[]> {
  return db
    .selectFrom('lab_report_jobs')
    .select(['id', 'patient_match'])
    .select([
      sql<LabReport['header']>`report -> 'header'`.as('header'),
      sql<string>`report ->> 'language'`.as('language'),
    ])
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('status', '=', 'completed')
    .where('report', 'is not', null)
    .where('id', '<>', exceptId)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
}

/** Blocks other comparisons for the person until the transaction ends. */
export async function lockPatient(
  { db, environment }: TransactionScope,
  userId: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${environment.id + userId}, 8))`.execute(
    db,
  )
}

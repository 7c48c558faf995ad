import type { RowScope, TransactionScope } from '@salus/kernel/scope'
import type { LabReport } from '@salus/lab-report-parser'
import { sql } from 'kysely'
import type { JobRow } from '../lab-reports.repository.ts'

/** What the head of an earlier report says of its patient. */
export type ReadHeadRow = Pick<JobRow, 'id' | 'patient_match'> &
  Pick<LabReport, 'header' | 'language'>

/** Heads of the completed reports of a person, the newest first; all but the given one. */
export async function listReadHeads(
  { db, environment }: RowScope,
  userId: string,
  { exceptId, limit }: { exceptId: string; limit: number },
): Promise<ReadHeadRow[]> {
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

/** Until the transaction ends no other compares a report with what is known of the person. */
export async function lockPatient(
  { db, environment }: TransactionScope,
  userId: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${environment.id + userId}, 8))`.execute(
    db,
  )
}

import type { RowScope, TransactionScope } from '@salus/kernel/scope'
import type { Insertable, Selectable } from 'kysely'
import type { LabReportCorrectionsTable, LabReportReviewsTable } from '../lab-reports.tables.ts'

export type CorrectionRow = Selectable<LabReportCorrectionsTable>
export type ReviewRow = Selectable<LabReportReviewsTable>

/** Returns the corrections of a job, in order. */
export function listCorrections(
  { db, environment }: RowScope,
  jobId: string,
): Promise<CorrectionRow[]> {
  return db
    .selectFrom('lab_report_corrections')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('job_id', '=', jobId)
    .orderBy('id')
    .execute()
}

/** Returns the corrections of the metadata of jobs, in order. */
export function listMetadataCorrections(
  { db, environment }: RowScope,
  jobIds: readonly string[],
): Promise<CorrectionRow[]> {
  return db
    .selectFrom('lab_report_corrections')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('job_id', 'in', [...jobIds])
    .where('position', 'is', null)
    .orderBy('id')
    .execute()
}

export async function insertCorrections(
  { db, environment }: TransactionScope,
  corrections: readonly Omit<Insertable<LabReportCorrectionsTable>, 'environment_id'>[],
): Promise<void> {
  if (corrections.length === 0) return
  const rows = corrections.map((each) => ({ ...each, environment_id: environment.id }))
  await db.insertInto('lab_report_corrections').values(rows).execute()
}

export function findReview(
  { db, environment }: RowScope,
  jobId: string,
): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('lab_report_reviews')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('job_id', '=', jobId)
    .executeTakeFirst()
}

export async function insertReview(
  { db, environment }: TransactionScope,
  review: Omit<Insertable<LabReportReviewsTable>, 'environment_id'>,
): Promise<void> {
  await db
    .insertInto('lab_report_reviews')
    .values({ ...review, environment_id: environment.id })
    .execute()
}

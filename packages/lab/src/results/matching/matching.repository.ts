import type { Scope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { OrderRow } from '../../orders/index.ts'

/** The number by which a laboratory knows a sample. */
export interface SampleNumber {
  labId: number
  sampleId: string
}

/** Most reports of one sample that are looked at. */
const MOST_ACCEPTED = 20
/** Most orders of the same birth dates that are looked at. */
const MOST_ORDERS = 1_000

/** Orders that have one of these numbers at its laboratory, in one statement and no order. */
export function listOrdersOfSamples(
  { db, environment }: Scope,
  samples: readonly SampleNumber[],
): Promise<OrderRow[]> {
  const labIds = samples.map(({ labId }) => labId)
  const sampleIds = samples.map(({ sampleId }) => sampleId)
  return db
    .selectFrom('orders')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where(
      sql<boolean>`(lab_id, sample_id) in (
        select * from unnest(${labIds}::integer[], ${sampleIds}::text[])
      )`,
    )
    .execute()
}

/** Reports of a sample that reviewers put into orders, the last decision first. */
export function listAcceptedReports({ db, environment }: Scope, labId: number, sampleId: string) {
  return db
    .selectFrom('unmatched_results')
    .select(['report', 'resolved_order_id'])
    .where('environment_id', '=', environment.id)
    .where('lab_id', '=', labId)
    .where('status', '=', 'resolved')
    .where('resolution_action', '=', 'accept')
    .where(sql<boolean>`report ->> 'sample_id' = ${sampleId}`)
    .orderBy('reviewed_at', 'desc')
    .limit(MOST_ACCEPTED)
    .execute()
}

/** Orders of living people with a patient born on one of the days, newest first. */
export function listOrdersOfBirthDates(
  { db, environment }: Scope,
  dates: readonly string[],
): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('is_hidden', '=', false)
    .where('patient_dob', '=', sql<string>`any(${[...dates]}::date[])`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MOST_ORDERS)
    .execute()
}

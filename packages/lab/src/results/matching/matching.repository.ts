import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { Scope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { OrderRow } from '../../orders/index.ts'

/** The id of a sample at its laboratory. */
export interface SampleNumber {
  labId: number
  sampleId: string
}

/** Most held results of one sample that are compared. */
const MOST_ACCEPTED = 20
/** Most orders with the same birth dates that are compared. */
const MOST_ORDERS = 1_000

/** Returns the orders with these sample ids at their laboratories in one statement, unsorted. */
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

/** Returns the results of a sample that reviewers assigned to orders, the last decision first. */
export function listAcceptedResults({ db, environment }: Scope, labId: number, sampleId: string) {
  return prepared(db)
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

/**
 * Returns orders, of people who are not deleted, whose patient was born on one of the days, newest
 * first.
 */
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

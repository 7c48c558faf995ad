import { sql } from 'kysely'
import type { Db } from '../../../platform/postgres/database.ts'
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

export function listOrdersOfSamples(
  db: Db,
  environmentId: string,
  samples: readonly SampleNumber[],
): Promise<OrderRow[]> {
  const labIds = samples.map(({ labId }) => labId)
  const sampleIds = samples.map(({ sampleId }) => sampleId)
  return db
    .selectFrom('orders')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where(
      sql<boolean>`(lab_id, sample_id) in (
        select * from unnest(${labIds}::integer[], ${sampleIds}::text[])
      )`,
    )
    .execute()
}

/** Reports of a sample that reviewers put into orders, the last decision first. */
export function listAcceptedReports(
  db: Db,
  environmentId: string,
  labId: number,
  sampleId: string,
) {
  return db
    .selectFrom('unmatched_results')
    .select(['report', 'resolved_order_id'])
    .where('environment_id', '=', environmentId)
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
  db: Db,
  environmentId: string,
  dates: readonly string[],
): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('is_hidden', '=', false)
    .where('patient_dob', '=', sql<string>`any(${[...dates]}::date[])`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MOST_ORDERS)
    .execute()
}

/** What a report tells of what was asked for. */
export interface ReportedCodes {
  /** The laboratory's codes of orderables. */
  ordered: readonly string[]
  /** Its codes of results, and their LOINC codes. */
  results: readonly string[]
  loincs: readonly string[]
}

/** Orderable markers of a laboratory that a report may answer; the catalog is the installation's. */
export async function listMarkersOfReport(
  db: Db,
  labId: number,
  { ordered, results, loincs }: ReportedCodes,
): Promise<number[]> {
  const rows = await db
    .selectFrom('markers')
    .select('markers.id')
    .where('markers.lab_id', '=', labId)
    .where('markers.is_active', '=', true)
    .where('markers.is_orderable', '=', true)
    .where(
      sql<boolean>`(
        markers.provider_id = any(${[...ordered]}::text[])
        or exists (
          select from expected_results e left join loincs l on l.id = e.loinc_id
          where e.marker_id = markers.id
            and (e.provider_id = any(${[...results]}::text[]) or l.code = any(${[...loincs]}::text[]))
        )
      )`,
    )
    .orderBy('markers.id')
    .execute()
  return rows.map(({ id }) => id)
}

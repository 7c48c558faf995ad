import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { MergedTable } from '../../../catalog/index.ts'

export const PAYORS_MERGE: MergedTable = {
  table: 'payors',
  key: ['payor_code'],
  // The other payors belong to teams.
  condition: 'payors.environment_id is null',
  columns: {
    payor_code: 'text',
    name: 'text',
    aliases: 'text[]',
    address: 'jsonb',
    external_ids: 'jsonb',
    federal_code: 'text',
    plan_states: 'text[]',
    is_sample: 'boolean',
    is_active: 'boolean',
    search_text: 'text',
  },
  fixed: { id: 'uuid', created_at: 'timestamptz' },
}

/** Arbitrary id of the advisory lock that serializes loads. */
const LOAD_LOCK_ID = 7_258_716_013

/** Makes other loads wait until the transaction ends. */
export async function lockPayorLoads(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOAD_LOCK_ID})`.execute(db)
}

/**
 * Deactivates the payors of the installation, samples or not, that are not among these.
 * @returns the number of deactivated payors
 */
export async function deactivateOtherPayors(
  db: Db,
  isSample: boolean,
  codes: readonly string[],
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('payors')
    .set({ is_active: false })
    .where('environment_id', 'is', null)
    .where('is_sample', '=', isSample)
    .where('is_active', '=', true)
    .where(sql<boolean>`payor_code <> all(${[...codes]}::text[])`)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Returns the codes of the operator's payors, which the samples must not change. */
export async function listOperatorCodes(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('payors')
    .select('payor_code')
    .where('environment_id', 'is', null)
    .where('is_sample', '=', false)
    .execute()
  return rows.map((row) => row.payor_code)
}

import type { Db } from '@salus/kernel/postgres/database'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { PhysiciansTable } from '../orders.tables.ts'

export type PhysicianRow = Selectable<PhysiciansTable>

const COLUMNS = [
  'id',
  'team_id',
  'first_name',
  'last_name',
  'npi',
  'licensed_states',
  'signature_image',
  'is_sample',
  'created_at',
] as const

/**
 * Returns a physician of the installation who may order in a state; always the same one. Physicians
 * of the shipped sample order in sandboxes only.
 */
export function findNetworkPhysician(
  db: Db,
  environment: EnvironmentKind,
  state: string,
): Promise<PhysicianRow | undefined> {
  let query = prepared(db).selectFrom('physicians').select(COLUMNS).where('team_id', 'is', null)
  if (environment !== 'sandbox') query = query.where('is_sample', '=', false)
  return query
    .where(sql<boolean>`licensed_states @> ${[state]}::text[]`)
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst()
}

/**
 * Returns the physicians who ordered for a team and those whom the operator assigned to it, by
 * name.
 */
export async function listPhysiciansOfTeam(
  db: Db,
  teamId: string,
): Promise<{ first_name: string; last_name: string; npi: string }[]> {
  return db
    .selectFrom('physicians')
    .select(['first_name', 'last_name', 'npi'])
    .where('team_id', '=', teamId)
    .orderBy('last_name')
    .orderBy('first_name')
    .orderBy('npi')
    .execute()
}

/**
 * Stores a physician of a team by NPI. A known one is neither changed nor locked, so that orders of
 * one physician do not wait for each other.
 */
export async function storePhysician(
  db: Db,
  teamId: string,
  physician: Insertable<PhysiciansTable>,
): Promise<void> {
  await db
    .insertInto('physicians')
    .values({
      id: physician.id,
      team_id: teamId,
      first_name: physician.first_name,
      last_name: physician.last_name,
      npi: physician.npi,
      licensed_states: physician.licensed_states,
      signature_image: physician.signature_image,
      created_at: physician.created_at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

import { type Selectable, sql } from 'kysely'
import { recordsOf } from '../../platform/postgres/bulk.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { DataType } from './data-types.ts'
import type {
  TeamSourcePrioritiesTable,
  UserSourcePrioritiesTable,
} from './source-priorities.tables.ts'

export type TeamPriorityRow = Omit<
  Selectable<TeamSourcePrioritiesTable>,
  'environment_id' | 'updated_at'
>
export type UserPriorityRow = Omit<
  Selectable<UserSourcePrioritiesTable>,
  'environment_id' | 'user_id' | 'position' | 'updated_at'
>

/** What a team has set, for one data type or for all. */
export function listTeamPriorities(
  db: Db,
  environmentId: string,
  dataType: DataType | undefined,
): Promise<TeamPriorityRow[]> {
  const rows = db
    .selectFrom('team_source_priorities')
    .select(['data_type', 'provider', 'resource', 'source_type', 'priority'])
    .where('environment_id', '=', environmentId)
  return (dataType === undefined ? rows : rows.where('data_type', '=', dataType)).execute()
}

export async function upsertTeamPriorities(
  db: Db,
  environmentId: string,
  rows: readonly TeamPriorityRow[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return
  const priorities = rows.map(({ data_type, provider, resource, source_type, priority }) => ({
    environment_id: environmentId,
    data_type,
    provider,
    resource,
    source_type,
    priority,
    updated_at: at,
  }))
  const { columns, records } = recordsOf('team_source_priorities', priorities)
  await db
    .insertInto('team_source_priorities')
    .columns(columns)
    .expression(records)
    .onConflict((conflict) =>
      conflict
        .columns(['environment_id', 'data_type', 'provider', 'resource', 'source_type'])
        .doUpdateSet({
          priority: sql`excluded.priority`,
          updated_at: sql`excluded.updated_at`,
        }),
    )
    .execute()
}

/** The rules of a person in the order in which they were put. */
export function listUserPriorities(
  db: Db,
  environmentId: string,
  userId: string,
): Promise<UserPriorityRow[]> {
  return db
    .selectFrom('user_source_priorities')
    .select(['resource', 'provider', 'source_type', 'app_id', 'priority'])
    .where('environment_id', '=', environmentId)
    .where('user_id', '=', userId)
    .orderBy('position')
    .execute()
}

/** Makes replacements of one person's list wait for each other until the transaction ends. */
export async function lockUserPriorities(
  db: Db,
  environmentId: string,
  userId: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${environmentId + userId}, 7))`.execute(
    db,
  )
}

export async function deleteUserPriorities(
  db: Db,
  environmentId: string,
  userId: string,
): Promise<void> {
  await db
    .deleteFrom('user_source_priorities')
    .where('environment_id', '=', environmentId)
    .where('user_id', '=', userId)
    .execute()
}

export async function insertUserPriorities(
  db: Db,
  environmentId: string,
  userId: string,
  rows: readonly UserPriorityRow[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return
  const priorities = rows.map(
    ({ resource, provider, source_type, app_id, priority }, position) => ({
      environment_id: environmentId,
      user_id: userId,
      position,
      resource,
      provider,
      source_type,
      app_id,
      priority,
      updated_at: at,
    }),
  )
  const { columns, records } = recordsOf('user_source_priorities', priorities)
  await db.insertInto('user_source_priorities').columns(columns).expression(records).execute()
}

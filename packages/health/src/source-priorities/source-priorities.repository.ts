import { recordsOf } from '@salus/kernel/postgres/bulk'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { DataType } from './data-types.ts'

/** Texts that mean "any" are empty, because they are part of the key. */
interface TeamSourcePrioritiesTable {
  environment_id: string
  data_type: DataType
  provider: string
  resource: string
  source_type: string
  priority: number
  updated_at: Date
}

interface UserSourcePrioritiesTable {
  environment_id: string
  user_id: string
  position: number
  resource: string
  provider: string
  source_type: string
  app_id: string
  priority: number
  updated_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    team_source_priorities: TeamSourcePrioritiesTable
    user_source_priorities: UserSourcePrioritiesTable
  }
}

export type TeamPriorityRow = Omit<
  Selectable<TeamSourcePrioritiesTable>,
  'environment_id' | 'updated_at'
>
export type UserPriorityRow = Omit<
  Selectable<UserSourcePrioritiesTable>,
  'environment_id' | 'user_id' | 'position' | 'updated_at'
>

/** Returns the priorities that a team set, for one data type or for all. */
export function listTeamPriorities(
  { db, environment }: Scope,
  dataType: DataType | undefined,
): Promise<TeamPriorityRow[]> {
  const rows = prepared(db)
    .selectFrom('team_source_priorities')
    .select(['data_type', 'provider', 'resource', 'source_type', 'priority'])
    .where('environment_id', '=', environment.id)
  return (dataType === undefined ? rows : rows.where('data_type', '=', dataType)).execute()
}

export async function upsertTeamPriorities(
  { db, environment }: Scope,
  rows: readonly TeamPriorityRow[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return
  const priorities = rows.map(({ data_type, provider, resource, source_type, priority }) => ({
    environment_id: environment.id,
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

/** Returns the rules of a user in the order in which they were put. */
export function listUserPriorities(
  { db, environment }: Scope,
  userId: string,
): Promise<UserPriorityRow[]> {
  return db
    .selectFrom('user_source_priorities')
    .select(['resource', 'provider', 'source_type', 'app_id', 'priority'])
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .orderBy('position')
    .execute()
}

/** Serializes replacements of one user's list until the transaction ends. */
export async function lockUserPriorities(
  { db, environment }: TransactionScope,
  userId: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${environment.id + userId}, 7))`.execute(
    db,
  )
}

export async function deleteUserPriorities(
  { db, environment }: Scope,
  userId: string,
): Promise<void> {
  await db
    .deleteFrom('user_source_priorities')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .execute()
}

export async function insertUserPriorities(
  { db, environment }: Scope,
  userId: string,
  rows: readonly UserPriorityRow[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return
  const priorities = rows.map(
    ({ resource, provider, source_type, app_id, priority }, position) => ({
      environment_id: environment.id,
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

/** Text that is another one after any change of what ranks the sources of a row of `users`. */
export const priorityVersionsSql = sql<string>`concat(
  (select string_agg(xmin::text, ' ' order by xmin::text) from user_source_priorities
    where environment_id = users.environment_id and user_id = users.id),
  ' of the team ',
  (select string_agg(xmin::text, ' ' order by xmin::text) from team_source_priorities
    where environment_id = users.environment_id)
)`

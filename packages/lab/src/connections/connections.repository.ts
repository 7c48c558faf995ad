import { notifyAtCommit } from '@salus/kernel/postgres/notifications'
import type { RowScope, TransactionScope } from '@salus/kernel/scope'
import { type Insertable, sql, type Updateable } from 'kysely'
import type { ConnectionRow } from './connections.global.repository.ts'
import type { LabConnectionsTable } from './connections.tables.ts'

/** Returns the connections of an environment by name, without deleted ones. */
export function listOfEnvironment({ db, environment }: RowScope): Promise<ConnectionRow[]> {
  return db
    .selectFrom('lab_connections')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
}

/** Counts the connections with an alert. */
export async function countAlertedConnections({ db, environment }: RowScope): Promise<number> {
  const { total } = await db
    .selectFrom('lab_connections')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('environment_id', '=', environment.id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`alerts <> '{}'`)
    .executeTakeFirstOrThrow()
  return total
}

/** Returns a connection by its name, also a deleted one, whose name stays taken. */
export function findConnection(
  { db, environment }: RowScope,
  name: string,
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('lab_connections')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Returns the enabled connection of an environment to a laboratory. */
export function findEnabled(
  { db, environment }: RowScope,
  labSlug: string,
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('lab_connections')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('lab_slug', '=', labSlug)
    .where('is_enabled', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function insertConnection(
  { db, environment }: RowScope,
  connection: Omit<Insertable<LabConnectionsTable>, 'environment_id'>,
): Promise<ConnectionRow> {
  return db
    .insertInto('lab_connections')
    .values({ ...connection, environment_id: environment.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateConnection(
  { db, environment }: RowScope,
  id: string,
  changes: Updateable<LabConnectionsTable>,
): Promise<ConnectionRow> {
  return db
    .updateTable('lab_connections')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns a connection, locked until the transaction ends, so that no number is given twice. */
export function lockConnection(
  { db, environment }: TransactionScope,
  id: string,
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('lab_connections')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Returns whether the operator holds back the orders of a connection. */
export async function isHeld({ db, environment }: RowScope, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('lab_connections')
    .select('is_held')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.is_held ?? false
}

/** Returns where the next poll of a connection continues; null before the first. */
export async function readPollPosition(
  { db, environment }: RowScope,
  id: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('lab_connections')
    .select('poll_position')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.poll_position ?? null
}

/** Notified when a connection changes. */
export const CONNECTIONS_CHANNEL = 'salus_lab_connections'

/** Has every process read the connections again. */
export async function notifyChange({ db }: TransactionScope): Promise<void> {
  await notifyAtCommit(db, CONNECTIONS_CHANNEL)
}

import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouse, QueryParameters } from './clickhouse.ts'
import { ClickHouseError } from './clickhouse-error.ts'

/** Names the rows of a table, with the values of the condition. */
export interface RowsOfTable {
  table: string
  /** SQL after `where`. */
  condition: string
  parameters: QueryParameters
}

/**
 * Removes rows for all readers; their bytes leave the disk with the next merge of their parts, or
 * with `eraseHiddenRows`. It writes one small column of each part that has such rows, so it costs a
 * fraction of `eraseRows` (docs/decisions/0131-erasures-share-a-rewrite.md).
 */
export function hideRows(
  clickhouse: ClickHouse,
  { table, condition, parameters }: RowsOfTable,
): Promise<void> {
  return change(clickhouse, table, {
    statement: `delete from ${table} where ${condition}`,
    setting: 'lightweight_deletes_sync',
    parameters,
  })
}

/**
 * Removes rows and their bytes, and those of hidden rows: it rewrites every part that has some, so
 * it costs as much for many people as for one. Files of former parts stay for some minutes.
 */
export function eraseRows(
  clickhouse: ClickHouse,
  { table, condition, parameters }: RowsOfTable,
): Promise<void> {
  return change(clickhouse, table, {
    statement: `alter table ${table} delete where ${condition}, apply deleted mask`,
    setting: 'mutations_sync',
    parameters,
  })
}

/** Does the same, after a look whether there is anything to remove, hidden rows included. */
export async function eraseRowsIfAny(clickhouse: ClickHouse, rows: RowsOfTable): Promise<void> {
  const found = await clickhouse.queryRows(
    `select 1 as is_there from ${rows.table} where ${rows.condition} limit 1
    settings apply_deleted_mask = 0`,
    rows.parameters,
  )
  if (found.length > 0) await eraseRows(clickhouse, rows)
}

export interface PersonRows {
  environmentId: string
  userId: string
}

/**
 * Erases all rows of people in tables that have `environment_id` and `user_id`. Each table is
 * rewritten once for all of them, on the shard of one person or on every shard. A server accepts
 * some ten thousand people in one statement.
 */
export async function eraseRowsOfPeople(
  clickhouse: ClickHouse,
  tables: readonly string[],
  people: readonly PersonRows[],
): Promise<void> {
  const rows = rowsOfPeople(people)
  for (const table of tables) await eraseRows(clickhouse, { table, ...rows })
}

/** Returns SQL for the rows of people, with its values. */
export function rowsOfPeople(people: readonly PersonRows[]): Omit<RowsOfTable, 'table'> {
  const [one, another] = people
  if (one !== undefined && another === undefined) {
    const condition = 'environment_id = {environmentId:UUID} and user_id = {userId:UUID}'
    return { condition, parameters: { environmentId: one.environmentId, userId: one.userId } }
  }
  return {
    condition: `(environment_id, user_id)
      in arrayZip({environmentIds:Array(UUID)}, {userIds:Array(UUID)})`,
    parameters: {
      environmentIds: people.map(({ environmentId }) => environmentId),
      userIds: people.map(({ userId }) => userId),
    },
  }
}

/** Removes the bytes of hidden rows; a table without any is not rewritten. */
export function eraseHiddenRows(clickhouse: ClickHouse, table: string): Promise<void> {
  return change(clickhouse, table, {
    statement: `alter table ${table} apply deleted mask`,
    setting: 'mutations_sync',
    parameters: {},
  })
}

interface Change {
  statement: string
  /** Setting with 1 for "return when it is done", and 0 for "return when it is recorded". */
  setting: string
  parameters: QueryParameters
}

/**
 * The embedded engine runs one statement that writes at a time, so inserts would wait while it
 * rewrites a table. The change is therefore recorded, and looked for until it is done. The record
 * survives a restart of the engine. Replicas learn of it later than the statement returns, so there
 * the statement itself waits.
 */
async function change(
  clickhouse: ClickHouse,
  table: string,
  { statement, setting, parameters }: Change,
): Promise<void> {
  const servers = clickhouse.cluster?.servers ?? [clickhouse]
  const [stored] =
    (await servers[0]?.queryRows<{ engine: string }>(
      'select engine from system.tables where database = currentDatabase() and name = {table:String}',
      { table },
    )) ?? []
  const isRecorded = stored?.engine === 'ReplacingMergeTree'
  await clickhouse.command(`${statement} settings ${setting} = ${isRecorded ? 0 : 1}`, parameters)
  if (isRecorded) await Promise.all(servers.map((server) => untilDone(server, table)))
}

const FIRST_LOOK_MS = 5
const MOST_BETWEEN_LOOKS_MS = 1000

/** Waits for the changes of a table that are recorded now, and for none that follow. */
async function untilDone(server: ClickHouse, table: string): Promise<void> {
  let last: string | undefined
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(2 * wait, MOST_BETWEEN_LOOKS_MS)) {
    const open = await server.queryRows<{ id: string; has_failed: number }>(
      `select mutation_id as id, latest_fail_reason <> '' as has_failed from system.mutations
      where database = currentDatabase() and table = {table:String} and not is_done
      order by create_time, toUInt64OrZero(extract(mutation_id, '[0-9]+'))`,
      { table },
    )
    last ??= open.at(-1)?.id
    if (last === undefined || !open.some(({ id }) => id === last)) return
    // Its text may contain values, and the engine tries again by itself.
    if (open.some(({ has_failed }) => has_failed === 1)) {
      throw new ClickHouseError(341, 'ClickHouse error 341 (UNFINISHED): a change of rows failed')
    }
    await delay(wait)
  }
}

import type { ClickHouse, ClusterMoves } from '@salus/kernel/clickhouse/clickhouse'
import { COPY_COMMENT } from '@salus/kernel/clickhouse/cluster/bucket-moves'
import { eraseHiddenRows, eraseRows, hideRows } from '@salus/kernel/clickhouse/remove-rows'
import { isUuid } from '@salus/kernel/ids'
import { type ClickHouseTable, listClickHouseTables } from '../store-copy/index.ts'

/** A person in a table. */
export interface PersonRows {
  environment_id: string
  user_id: string
  rows: number
  /** Of the rows that count, in any order and parts. */
  checksum: string
}

/** Rows of people on one shard. */
export interface PeopleOf {
  /** SQL for the bucket of a row. */
  bucketSql: string
  buckets: readonly number[]
}

/** Returns the tables that hold rows of people. */
export async function listPersonTables(server: ClickHouse): Promise<ClickHouseTable[]> {
  const tables = await listClickHouseTables(server)
  return tables.filter(({ columns }) => columns.includes('user_id'))
}

const list = (columns: readonly string[]): string => columns.map((name) => `\`${name}\``).join(', ')

const inBuckets = ({ bucketSql, buckets }: PeopleOf): string =>
  `${bucketSql} in (${buckets.join(', ')})`

/** Rows of the audit log may have no environment; no person is written as zeros there. */
const environmentSql = ({ name }: ClickHouseTable): string =>
  name === 'audit_history'
    ? "ifNull(environment_id, toUUID('00000000-0000-0000-0000-000000000000'))"
    : 'environment_id'

function inPeople(
  table: ClickHouseTable,
  people: readonly Pick<PersonRows, 'environment_id' | 'user_id'>[],
): string {
  const ids = people.map(({ environment_id: environment, user_id: user }) => {
    if (!isUuid(environment) || !isUuid(user)) throw new Error('Only UUIDs can be looked up.')
    return `('${environment}', '${user}')`
  })
  return `(${environmentSql(table)}, user_id) in (${ids.join(', ')})`
}

/**
 * Returns the rows that count. A summary that hides another one counts, which FINAL leaves out, so
 * the newest version is found by hand in such tables.
 */
function newestRows(table: ClickHouseTable, from: string, where: string): string {
  const { columns } = table
  if (!columns.includes('is_removed'))
    return `select ${list(columns)} from ${from} final where ${where}`
  return `select ${list(columns)} from ${from} where ${where}
    order by version desc, sipHash64(toString(tuple(${list(columns)})))
    limit 1 by environment_id, user_id, id`
}

/** Returns the bytes on the disk of a row of a table, on average. */
export async function measureRow(server: ClickHouse, { name }: ClickHouseTable): Promise<number> {
  const [size] = await server.queryRows<{ bytes: number }>(
    `select sum(bytes_on_disk) / greatest(1, sum(rows)) as bytes from system.parts
    where active and database = currentDatabase() and table = {name:String}`,
    { name },
  )
  return size?.bytes ?? 0
}

/** Size of a table on a server. */
interface StoredSize {
  name: string
  bytes: number
  rows: number
}

export function measureTables(server: ClickHouse): Promise<StoredSize[]> {
  return server.queryRows(
    `select table as name, sum(bytes_on_disk) as bytes, sum(rows) as rows from system.parts
    where active and database = currentDatabase() group by table`,
  )
}

/**
 * Returns the bytes of each bucket that has rows on a server.
 * @param bytesOfRow Bytes of a row by table, on average of all shards: small parts have more.
 */
export async function measureBuckets(
  server: ClickHouse,
  bucketSql: string,
  bytesOfRow: ReadonlyMap<string, number>,
): Promise<Map<number, number>> {
  const measured = new Map<number, number>()
  for (const { name } of await listPersonTables(server)) {
    const counted = await server.queryRows<{ bucket: number; rows: number }>(
      `select toUInt32(${bucketSql}) as bucket, count() as rows from ${name} group by bucket
      settings max_threads = 2`,
    )
    for (const { bucket, rows } of counted) {
      const bytes = rows * (bytesOfRow.get(name) ?? 0)
      measured.set(bucket, (measured.get(bucket) ?? 0) + bytes)
    }
  }
  return measured
}

/** Returns the people of buckets in a table of a server, with the number of their stored rows. */
export function listPeople(
  server: ClickHouse,
  table: ClickHouseTable,
  of: PeopleOf,
): Promise<Omit<PersonRows, 'checksum'>[]> {
  return server.queryRows(
    `select environment as environment_id, user_id, rows from (
      select ${environmentSql(table)} as environment, user_id, count() as rows from ${table.name}
      where ${inBuckets(of)} group by environment, user_id
    ) order by environment_id, user_id settings max_threads = 2`,
  )
}

/** Rows of a person in a table. */
export interface TableRows extends PersonRows {
  table: string
}

/** Returns checksums of people in tables, in one statement; those without rows are missing. */
export function checksumPeople(
  server: ClickHouse,
  tables: readonly ClickHouseTable[],
  of: PeopleOf,
  people: readonly Pick<PersonRows, 'environment_id' | 'user_id'>[],
): Promise<TableRows[]> {
  const ofTable = (table: ClickHouseTable): string => {
    const where = `${inPeople(table, people)} and ${inBuckets(of)}`
    return `select '${table.name}' as table, ${environmentSql(table)} as environment, user_id,
      count() as rows, toString(sum(sipHash64(toString(tuple(${list(table.columns)}))))) as checksum
    from (${newestRows(table, `\`${table.name}\``, where)})
    group by environment, user_id`
  }
  return server.queryRows(
    `select table, environment as environment_id, user_id, rows, checksum
    from (${tables.map(ofTable).join(' union all ')}) settings max_threads = 2`,
  )
}

/** Copies the rows that count of people from another shard, by its index, into a server. */
export async function copyPeople(
  moves: ClusterMoves,
  server: ClickHouse,
  table: ClickHouseTable,
  of: PeopleOf & { from: number },
  people: readonly Pick<PersonRows, 'environment_id' | 'user_id'>[],
): Promise<void> {
  const { name, columns } = table
  const from = `cluster('${moves.cluster}', currentDatabase(), '${name}')`
  const where = `shardNum() = ${of.from + 1} and ${inPeople(table, people)} and ${inBuckets(of)}`
  await server.command(
    `${COPY_COMMENT} insert into \`${name}\` (${list(columns)})
    ${newestRows(table, from, where)} settings max_threads = 2, prefer_localhost_replica = 0`,
  )
}

/** Hides rows of people at once; `dropHiddenRows` removes them. */
export async function hidePeople(
  server: ClickHouse,
  table: ClickHouseTable,
  of: PeopleOf,
  people: readonly Pick<PersonRows, 'environment_id' | 'user_id'>[],
): Promise<void> {
  const condition = `${inPeople(table, people)} and ${inBuckets(of)}`
  await hideRows(server, { table: table.name, condition, parameters: {} })
}

/** Removes the rows of buckets, and all that are hidden, from a server. */
export async function removeBuckets(server: ClickHouse, of: PeopleOf): Promise<void> {
  for (const { name } of await listPersonTables(server)) {
    const rows = await server.queryRows(
      `select 1 as is_there from \`${name}\` where ${inBuckets(of)} limit 1`,
    )
    if (rows.length === 0) continue
    await eraseRows(server, { table: name, condition: inBuckets(of), parameters: {} })
  }
}

/** Removes hidden rows from the files of a server. */
export async function dropHiddenRows(server: ClickHouse): Promise<void> {
  for (const { name } of await listPersonTables(server)) await eraseHiddenRows(server, name)
}

/** Returns the number of removals of rows that a server has not completed. */
export async function countMutations(server: ClickHouse): Promise<number> {
  const [row] = await server.queryRows<{ count: number }>(
    'select count() as count from system.mutations where database = currentDatabase() and not is_done',
  )
  return row?.count ?? 0
}

/** Returns the number of statements through a server that have run for longer than some seconds. */
export async function countOlderStatements(server: ClickHouse, seconds: number): Promise<number> {
  // Those that clients sent: parts of them on other servers come by another protocol than HTTP.
  const [row] = await server.queryRows<{ count: number }>(
    `select count() as count from system.processes
    where elapsed > {seconds:Float64} and interface = 2 and is_initial_query
      and startsWith(current_database, currentDatabase())`,
    { seconds },
  )
  return row?.count ?? 0
}

import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { unpackBody } from '@salus/kernel/events/event-body'
import type { RowScope } from '@salus/kernel/scope'
import { withContents } from '@salus/lab/inbox'
import { type RawBuilder, sql } from 'kysely'
import { type Belonging, PERSON_TABLES, type PersonTable } from './person-tables.registry.ts'

export type PersonRow = Record<string, unknown>

/** A column of a table as exports show it. */
export interface PersonColumn {
  name: string
  type: 'text' | 'integer' | 'number' | 'boolean' | 'instant' | 'structure'
}

/** Stores from which the rows of users are read. */
export interface PersonRowsScope extends RowScope {
  clickhouse: ClickHouse
}

/** Number of rows that are in memory at a time. */
const FETCHED_AT_ONCE = 200
const LINES_AT_ONCE = 2_000

const POSTGRES_TABLES = PERSON_TABLES.filter(({ store }) => store === 'postgresql')
const CLICKHOUSE_TABLES = PERSON_TABLES.filter(({ store }) => store === 'clickhouse')

const OF_PERSON = 'environment_id = {environmentId:UUID} and user_id = {userId:UUID}'

/** Whether a row belongs to the user: each way checks the table's environment too. */
function isTheirs(by: Belonging, environmentId: string, userId: string): RawBuilder<boolean> {
  const env = sql`${environmentId}::uuid`
  const user = sql`${userId}::uuid`
  const orders = sql`from orders where environment_id = ${env} and user_id = ${user}`
  const held = sql`environment_id = ${env} and (resolved_user_id = ${user}
    or (lab_id, report ->> 'sample_id') in (select lab_id, sample_id ${orders}))`
  const ways: Record<Belonging, RawBuilder<boolean>> = {
    id: sql`id = ${user}`,
    user_id: sql`user_id = ${user}`,
    order_id: sql`order_id in (select id ${orders})`,
    transaction_id: sql`id in (select transaction_id ${orders})`,
    appointment_id: sql`appointment_id in
      (select id from appointments where environment_id = ${env} and user_id = ${user})`,
    report_job_id: sql`job_id in
      (select id from lab_report_jobs where environment_id = ${env} and user_id = ${user})`,
    event_id: sql`event_id in
      (select id from events where environment_id = ${env} and user_id = ${user})`,
    held_result: sql`(${held})`,
    lab_message: sql`(order_id in (select id ${orders})
      or id in (select lab_message_id from unmatched_results where ${held}))`,
  }
  return sql<boolean>`(environment_id = ${env} and ${ways[by]})`
}

/** Counts the rows of a user in each table; tables without rows are left out. */
export async function countPersonRows(
  { db, clickhouse, environment }: PersonRowsScope,
  userId: string,
): Promise<Map<string, number>> {
  const counted = POSTGRES_TABLES.map(
    ({ name, by }) => sql`select ${name} as name, count(*)::int as rows from ${sql.table(name)}
      where ${isTheirs(by, environment.id, userId)}`,
  )
  const { rows } = await sql<Counted>`${sql.join(counted, sql` union all `)}`.execute(db)
  const stored = await clickhouse.queryRows<Counted>(
    CLICKHOUSE_TABLES.map(
      ({ name }) =>
        `select '${name}' as name, toUInt32(count()) as rows from ${name} final where ${OF_PERSON}`,
    ).join(' union all '),
    { environmentId: environment.id, userId },
  )
  const all = [...rows, ...stored].filter((table) => table.rows > 0)
  return new Map(all.map((table) => [table.name, table.rows]))
}

interface Counted {
  name: string
  rows: number
}

/**
 * Returns the first table of ClickHouse that still holds data of a user, including older versions.
 */
export async function findStoredPersonTable(
  { clickhouse, environment }: PersonRowsScope,
  userId: string,
): Promise<string | undefined> {
  const [found] = await clickhouse.queryRows<{ name: string }>(
    CLICKHOUSE_TABLES.filter(({ erased }) => erased === 'itself')
      .map(({ name }) => `(select '${name}' as name from ${name} where ${OF_PERSON} limit 1)`)
      .join(' union all '),
    { environmentId: environment.id, userId },
  )
  return found?.name
}

/**
 * Removes the user from PostgreSQL: tables of their own first, then the user with all dependent
 * rows. Files that rows name have to be removed before.
 */
export async function deletePersonRows(
  { db, environment }: RowScope,
  userId: string,
): Promise<void> {
  const transactions = await sql<{ id: string }>`select id from order_transactions
    where ${isTheirs('transaction_id', environment.id, userId)}`.execute(db)
  // Rows by which others are found are removed after them, the user at the end.
  const last = ['users', 'order_transactions']
  const before = POSTGRES_TABLES.filter(
    ({ name, erased }) => erased === 'itself' && !last.includes(name),
  )
  for (const { name, by } of before) {
    await sql`delete from ${sql.table(name)} where ${isTheirs(by, environment.id, userId)}`.execute(
      db,
    )
  }
  await sql`delete from users where environment_id = ${environment.id} and id = ${userId}
    and deleted_at is not null`.execute(db)
  const ids = transactions.rows.map(({ id }) => id)
  await sql`delete from order_transactions where environment_id = ${environment.id}
    and id = any(${ids}::uuid[])`.execute(db)
}

/** Returns the columns of a table that exports show. */
export async function listPersonColumns(
  { db, clickhouse }: PersonRowsScope,
  { store, name, without = [] }: PersonTable,
): Promise<PersonColumn[]> {
  const columns =
    store === 'postgresql'
      ? (
          await sql<StoredColumn>`select column_name as name, data_type as type
            from information_schema.columns
            where table_schema = current_schema() and table_name = ${name}
            order by ordinal_position`.execute(db)
        ).rows
      : await clickhouse.queryRows<StoredColumn>(
          `select name, type from system.columns where database = currentDatabase()
            and table = {name:String} and default_kind not in ('EPHEMERAL', 'MATERIALIZED')
          order by position`,
          { name },
        )
  const hidden = new Set(['environment_id', ...without])
  return columns
    .filter((column) => !hidden.has(column.name))
    .map((column) => ({ name: column.name, type: toColumnType(column.type) }))
}

interface StoredColumn {
  name: string
  type: string
}

/** Returns the type of a column from its name in one of the stores. */
function toColumnType(type: string): PersonColumn['type'] {
  const bare = type.replaceAll(/LowCardinality\(|Nullable\(|\)+$/g, '')
  if (/^(U?Int\d+|integer|bigint|smallint)$/.test(bare)) return 'integer'
  if (/^(Float\d+|double precision|real|numeric)$/.test(bare)) return 'number'
  if (/^bool(ean)?$/i.test(bare)) return 'boolean'
  if (/^(DateTime|timestamp)/.test(bare)) return 'instant'
  return /^(Array|ARRAY|jsonb?$)/.test(bare) ? 'structure' : 'text'
}

/** Streams all rows of a user in a table, in pieces that fit into memory. */
export function streamPersonRows(
  scope: PersonRowsScope,
  table: PersonTable,
  userId: string,
): AsyncGenerator<PersonRow[]> {
  return table.store === 'postgresql'
    ? streamPostgresRows(scope, table, userId)
    : streamClickHouseRows(scope, table, userId)
}

async function* streamPostgresRows(
  { db, clickhouse, environment }: PersonRowsScope,
  { name, by, without = [], concealed }: PersonTable,
  userId: string,
): AsyncGenerator<PersonRow[]> {
  const hasContents = name === 'lab_messages' || name === 'lab_outgoing_messages'
  const transaction = await db.startTransaction().setAccessMode('read only').execute()
  try {
    await sql`declare person_rows no scroll cursor for select * from ${sql.table(name)}
      where ${isTheirs(by, environment.id, userId)}`.execute(transaction)
    for (;;) {
      const fetch = sql<PersonRow>`fetch ${sql.lit(FETCHED_AT_ONCE)} from person_rows`
      const { rows } = await fetch.execute(transaction)
      if (rows.length === 0) return
      for (const row of rows.filter((each) => concealed?.where(each))) {
        for (const column of concealed?.columns ?? []) row[column] = null
      }
      const whole = hasContents
        ? await withContents({ clickhouse, environment }, rows as unknown as MessageRow[])
        : rows
      yield whole.map((row) => showRow(row as PersonRow, ['environment_id', ...without]))
    }
  } finally {
    await transaction.rollback().execute()
  }
}

type MessageRow = Parameters<typeof withContents>[1][number]

/** Bytes of a row are texts: bodies of events, and messages of laboratories. */
function showRow(row: PersonRow, hidden: readonly string[]): PersonRow {
  for (const name of hidden) delete row[name]
  for (const [name, value] of Object.entries(row)) {
    if (!Buffer.isBuffer(value)) continue
    row[name] = unpackBody(value).toString('utf8')
  }
  return row
}

async function* streamClickHouseRows(
  { clickhouse, environment }: PersonRowsScope,
  { name, without = [] }: PersonTable,
  userId: string,
): AsyncGenerator<PersonRow[]> {
  const hidden = ['environment_id', ...without.filter((column) => column !== 'environment_id')]
  const stream = clickhouse.queryStream(
    `select * except (${hidden.join(', ')}) from ${name} final where ${OF_PERSON}
    ${name === 'samples' ? 'order by environment_id, user_id, series, started_at' : ''}
    settings date_time_output_format = 'iso', output_format_json_quote_64bit_integers = 0`,
    { environmentId: environment.id, userId },
    'JSONEachRow',
  )
  let rows: PersonRow[] = []
  for await (const line of readLines(stream)) {
    rows.push(JSON.parse(line))
    if (rows.length < LINES_AT_ONCE) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

/** Yields the lines of a stream whose chunks may end inside of one. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield line
  }
  if (rest !== '') yield rest
}

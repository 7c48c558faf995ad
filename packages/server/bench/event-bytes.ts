import { randomUUID } from 'node:crypto'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { leastEventId } from '@salus/kernel/events/event-id'
import { readMigrations } from '@salus/kernel/migrations'
import { openDatabase } from '@salus/kernel/postgres/database'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import type pg from 'pg'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'
import { moveOldEvents } from '../src/webhooks/history/move-events.ts'
import { expireEvents } from '../src/webhooks/messages/recovery.ts'
import type { Row } from './measure.ts'
import { thousands } from './measure.ts'

const DAY_MS = 86_400_000
const TABLES = ['events', 'webhook_deliveries', 'webhook_attempts', 'waiting_events']
const HISTORY = ['event_history', 'webhook_attempt_history']

interface Measured {
  heap: number
  indexes: number
  wal: number
  clickhouse: number
}

/**
 * Bytes of an event with one delivery and one attempt, as statements of the service write them:
 * while it is recent, when it is old, and after retention; with the processor time of a move.
 */
export async function benchEventBytes(
  clickhouse: ClickHouse,
  { databaseUrl, events }: { databaseUrl: string; events: number },
): Promise<Row[]> {
  const { db, pool, close } = openDatabase({ url: databaseUrl, poolSize: 4 })
  await migratePostgres(pool, readMigrations(`${MIGRATIONS_FOLDER}/postgres`))
  await pool.query(`insert into event_history_state (created_at, all_events_since)
    values (now() - interval '2 hours', now() - interval '2 hours') on conflict (singleton) do update
    set created_at = excluded.created_at, all_events_since = excluded.all_events_since`)
  const now = Date.now()
  const at = now - 2 * DAY_MS
  const empty = await measure(pool, clickhouse)
  await writeEvents(pool, events, at)
  const recent = await measure(pool, clickhouse)
  const relations = await measureRelations(pool)
  const signal = new AbortController().signal
  const stores = { db, clickhouse, clock: { now: () => new Date(now) } }
  const startedAt = process.cpuUsage()
  const moved = await moveOldEvents(stores, signal)
  const spent = process.cpuUsage(startedAt)
  if (moved !== events) throw new Error(`${moved} of ${events} events were moved.`)
  const moveWal = (await measure(pool, clickhouse)).wal - recent.wal
  for (const name of HISTORY) await clickhouse.command(`optimize table ${name} final`)
  await pool.query(`vacuum ${TABLES.join(', ')}`)
  const old = await measure(pool, clickhouse)
  const retention = performance.now()
  await expireEvents(stores, 1, signal)
  const retentionMs = performance.now() - retention
  const dropped = await measure(pool, clickhouse)
  await close()
  const each = (bytes: number): string => `${Math.round(bytes / events)} B`
  const line = (job: string, salus: string): Row => ({
    ...{ job, salus, comparedWith: '', other: '', ratio: '', goal: '', isMet: null },
  })
  return [
    line('events of the run', thousands(events)),
    line(
      'recent: an event with delivery and attempt in PostgreSQL',
      `${each(recent.heap + recent.indexes - empty.heap - empty.indexes)} (heap ${each(recent.heap - empty.heap)}, indexes ${each(recent.indexes - empty.indexes)}), WAL ${each(recent.wal - empty.wal)}`,
    ),
    ...relations.map(({ name, bytes }) => line(`recent: ${name}`, each(bytes))),
    line(
      'old: the same',
      `PostgreSQL ${each(old.heap + old.indexes - empty.heap - empty.indexes)}, ClickHouse ${each(old.clickhouse - empty.clickhouse)}`,
    ),
    line('WAL of moving it', each(moveWal)),
    line('processor time of moving it', `${((spent.user + spent.system) / events).toFixed(1)} µs`),
    line('retention of the day', `${retentionMs.toFixed(0)} ms, ${each(dropped.clickhouse)} left`),
  ]
}

/** A message as an upload of four samples raises it. */
const BODY = `convert_to(json_build_object('event_type', 'daily.data.steps.created', 'data',
  json_build_object('user_id', user_id, 'source', json_build_object('provider', 'health_connect',
    'type', 'watch', 'app_id', 'com.example.watch'), 'data', json_build_array(
      json_build_object('start', at, 'end', at, 'unit', 'count', 'value', number % 4000),
      json_build_object('start', at, 'end', at, 'unit', 'count', 'value', number % 700))),
  'user_id', user_id, 'client_user_id', user_id, 'team_id', environment_id)::text, 'utf8')`

/** Writes in parts of 500, as batches of uploads do, so that the log has what it has in service. */
async function writeEvents(pool: pg.Pool, events: number, at: number): Promise<void> {
  const [environmentId, endpointId] = [await makeEnvironment(pool), randomUUID()]
  await pool.query(
    `insert into webhook_endpoints (environment_id, id, url, secret, created_at, updated_at)
    values ($1, $2, 'https://hooks.example.com', '', now(), now())`,
    [environmentId, endpointId],
  )
  const users = Array.from({ length: 1_000 }, () => randomUUID())
  for (let first = 0; first < events; first += 500) {
    const time = new Date(at + first)
    await pool.query(
      `with numbers as (
        select number, ($4::uuid[])[1 + (number * 7919) % 1000] as user_id, $5::timestamptz as at,
          $2::uuid as environment_id from generate_series($1::int, $1::int + 499) as number
      ), bodies as (select numbers.*, ${BODY} as body from numbers), written as (
        insert into events (environment_id, id, event_type, user_id, body, body_bytes, created_at)
        select environment_id, $3 || upper(substr(md5(number::text), 1, 16)),
          'daily.data.steps.created', user_id, body, length(body), at from bodies
        returning environment_id, id, sequence, user_id
      )
      insert into webhook_deliveries (environment_id, event_id, endpoint_id, sequence, user_id,
        status, updated_at)
      select environment_id, id, $6, sequence, user_id, 'pending', $5::timestamptz from written`,
      [first, environmentId, leastEventId(time.getTime()).slice(0, 14), users, time, endpointId],
    )
    await pool.query(
      `with sent as (
        update webhook_deliveries set status = 'delivered', attempts = 1
        where endpoint_id = $1 and status = 'pending' and next_attempt_at is null
        returning environment_id, event_id, endpoint_id
      )
      insert into webhook_attempts
      select environment_id, event_id, endpoint_id, 1, $2::timestamptz, 204, null, 12, 'ok'
      from sent`,
      [endpointId, time],
    )
  }
}

/** Makes an environment of a team; returns its id. */
export async function makeEnvironment(pool: pg.Pool): Promise<string> {
  const [organizationId, teamId, id] = [randomUUID(), randomUUID(), randomUUID()]
  await pool.query(`insert into organizations (id, name, created_at) values ($1, 'bench', now())`, [
    organizationId,
  ])
  await pool.query(
    `insert into teams (id, organization_id, name, region, created_at)
    values ($1, $2, 'bench', 'us', now())`,
    [teamId, organizationId],
  )
  await pool.query(
    `insert into team_environments (id, team_id, environment, settings)
    values ($1, $2, 'sandbox', '{}')`,
    [id, teamId],
  )
  return id
}

/** Heaps and indexes by their bytes, the largest first. */
async function measureRelations(pool: pg.Pool): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await pool.query<{ name: string; bytes: number }>(
    `select name, bytes::float8 from (
      select 'heap of ' || name as name, pg_table_size(name::regclass) as bytes
      from unnest($1::text[]) as name
      union all
      select 'index ' || indexrelid::regclass, pg_relation_size(indexrelid) from pg_index
      where indrelid = any($1::text[]::regclass[])
    ) as relations where bytes > 100000 order by bytes desc`,
    [TABLES],
  )
  return rows
}

async function measure(pool: pg.Pool, clickhouse: ClickHouse): Promise<Measured> {
  const { rows } = await pool.query<{ heap: number; indexes: number; wal: number }>(
    `select sum(pg_table_size(name::regclass))::float8 as heap,
      sum(pg_indexes_size(name::regclass))::float8 as indexes,
      (pg_current_wal_lsn() - '0/0')::float8 as wal
    from unnest($1::text[]) as name`,
    [TABLES],
  )
  const [parts] = await clickhouse.queryRows<{ bytes: number }>(
    `select toFloat64(sum(bytes_on_disk)) as bytes from system.parts
    where active and database = currentDatabase() and table in {tables:Array(String)}`,
    { tables: HISTORY },
  )
  const { heap = 0, indexes = 0, wal = 0 } = rows[0] ?? {}
  return { heap, indexes, wal, clickhouse: parts?.bytes ?? 0 }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type pg from 'pg'
import { thousands } from '../measure.ts'
import type { EventNumbers } from './fill-recent.ts'

const RECENT = ['events', 'webhook_deliveries', 'webhook_attempts', 'waiting_events']
const OLD = ['event_history', 'webhook_attempt_history']
const PATIENCE_MS = 600_000

/** Bytes of the events in each store, and of a whole database. */
interface EventSizes {
  heap: number
  indexes: number
  clickhouse: number
  parts: number
  database: number
}

/** Reads sizes after all merges. */
export async function readSizes(pool: pg.Pool, clickhouse: ClickHouse): Promise<EventSizes> {
  for (const table of OLD) await clickhouse.command(`optimize table ${table} final`)
  const { rows } = await pool.query<{ heap: number; indexes: number; database: number }>(
    `select sum(pg_table_size(name::regclass))::float8 as heap,
      sum(pg_indexes_size(name::regclass))::float8 as indexes,
      pg_database_size(current_database())::float8 as database
    from unnest($1::text[]) as name`,
    [RECENT],
  )
  const [{ heap, indexes, database } = { heap: 0, indexes: 0, database: 0 }] = rows
  const [{ bytes, parts } = { bytes: 0, parts: 0 }] = await clickhouse.queryRows<{
    bytes: number
    parts: number
  }>(
    `select toFloat64(sum(bytes_on_disk)) as bytes, toFloat64(count()) as parts from system.parts
    where active and database = currentDatabase() and table in {tables:Array(String)}`,
    { tables: OLD },
  )
  return { heap, indexes, database, clickhouse: bytes, parts }
}

const megabytes = (bytes: number): string => `${thousands(bytes / 1e6)} MB`

export function describeSizes(
  { heap, indexes, clickhouse, parts, database }: EventSizes,
  { events, recent }: EventNumbers,
): string[] {
  const each = (bytes: number): string => `${(bytes / recent).toFixed(0)} B`
  return [
    `an event in PostgreSQL with delivery and attempts: ${each(heap + indexes)} (heap ${each(heap)}, indexes ${each(indexes)})`,
    `an event in ClickHouse: ${(clickhouse / (events - recent)).toFixed(1)} B (${parts} parts)`,
    `on disk: PostgreSQL ${megabytes(database)}, of them events ${megabytes(heap + indexes)}; ClickHouse ${megabytes(clickhouse)}`,
  ]
}

/** How long retention takes, and when the disk has the room again. */
export async function describeRetention(
  clickhouse: ClickHouse,
  drop: () => Promise<number>,
): Promise<string[]> {
  const listParts = async (): Promise<Part[]> =>
    clickhouse.queryRows<Part>(
      `select table || ' ' || name as id, active, toFloat64(bytes_on_disk) as bytes
      from system.parts where database = currentDatabase() and table in {tables:Array(String)}`,
      { tables: OLD },
    )
  const before = (await listParts()).filter(({ active }) => active)
  const startedAt = performance.now()
  const partitions = await drop()
  const ms = performance.now() - startedAt
  const active = new Set((await listParts()).filter((part) => part.active).map(({ id }) => id))
  const dropped = new Set(before.filter(({ id }) => !active.has(id)).map(({ id }) => id))
  const bytes = before.reduce((sum, part) => sum + (dropped.has(part.id) ? part.bytes : 0), 0)
  while ((await listParts()).some(({ id }) => dropped.has(id))) {
    if (performance.now() - startedAt > PATIENCE_MS) break
    await delay(200)
  }
  const returned = (performance.now() - startedAt) / 1000
  return [
    `retention dropped ${partitions} partitions of ${megabytes(bytes)} in ${ms.toFixed(0)} ms; the disk had them back after ${returned.toFixed(1)} s`,
  ]
}

interface Part {
  id: string
  active: number
  bytes: number
}

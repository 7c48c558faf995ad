import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type pg from 'pg'
import type { Sizes } from './capacity-figures.ts'

/** What the bench of capacity asks the two stores: what they hold, and whether work is left. */

export async function waitForDeliveries(pool: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ left: number }>(
      `select ((select count(*) from waiting_events) +
        (select count(*) from webhook_deliveries where status = 'pending'))::int as left`,
    )
    if (rows[0]?.left === 0) return
    await sleep(50)
  }
}

/** The first start loads tables in the background, which is no cost of people. */
export async function waitForJobs(pool: pg.Pool): Promise<void> {
  const due = 'select from graphile_worker.jobs where locked_at is not null or run_at <= now()'
  while ((await pool.query(`${due} limit 1`)).rowCount !== 0) await sleep(200)
}

export async function readLogPosition(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    "select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes",
  )
  return Number(rows[0]?.bytes)
}

/**
 * Bytes of every table, after what a quiet hour does: rows are merged, and room of deleted ones is
 * free.
 */
export async function readSizes(pool: pg.Pool, clickhouse: ClickHouse): Promise<[Sizes, Sizes]> {
  const tables = await clickhouse.queryRows<{ name: string }>(
    "select name from system.tables where database = currentDatabase() and engine like '%MergeTree'",
  )
  for (const { name } of tables) await clickhouse.command(`optimize table ${name} final`)
  const parts = await clickhouse.queryRows<{ name: string; bytes: number }>(
    `select table as name, sum(bytes_on_disk) as bytes from system.parts
    where active and database = currentDatabase() group by name`,
  )
  await pool.query('vacuum')
  const { rows } = await pool.query<{ name: string; bytes: number }>(
    `select relname::text as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return [toSizes(rows), toSizes(parts)]
}

const toSizes = (rows: { name: string; bytes: number }[]): Sizes =>
  Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]))

/** What was added a day, altogether and to the tables that took most of it. */
export function describeGrowth(after: Sizes, before: Sizes, days: number): string {
  const grown = Object.entries(after)
    .map(([name, bytes]) => ({ name, bytes: (bytes - (before[name] ?? 0)) / days }))
    .toSorted((one, other) => other.bytes - one.bytes)
  const total = grown.reduce((sum, { bytes }) => sum + bytes, 0)
  const most = grown.slice(0, 4).map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`)
  return `${kilobytes(total)}: ${most.join(', ')}`
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

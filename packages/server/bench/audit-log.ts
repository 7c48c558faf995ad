import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import {
  CHAIN_START,
  ChainCheck,
  type ChainHead,
  type ChainKey,
  hashEntry,
} from '@salus/kernel/audit/audit-chain'
import { listChains } from '@salus/kernel/audit/audit-chains.global.repository'
import { appendEntries } from '@salus/kernel/audit/audit-log.global.repository'
import { listAuditRows } from '@salus/kernel/audit/list-audit-rows'
import { moveAuditRows } from '@salus/kernel/audit/move-audit-rows'
import { readAuditLog } from '@salus/kernel/audit/read-audit-log'
import { createLogger } from '@salus/kernel/log'
import { recordsOf } from '@salus/kernel/postgres/bulk'
import { systemClock } from '@salus/kernel/time/clock'
import { sql } from 'kysely'
import { auditEntry } from '../test/audit-fixture.ts'
import { createTestDatabase } from '../test/database.ts'
import { createTestClickHouse } from '../test/test-clickhouse.ts'
import { median } from './measure.ts'

/**
 * The audit log by itself, on a PostgreSQL and an embedded ClickHouse of its own: processor time
 * and write-ahead log of a row, one chain (as before each environment had its own) and chains in
 * turns; then bytes of a row in both stores, a move, and reading from both. Figures are processor
 * time of this process and of PostgreSQL. `node packages/server/bench/audit-log.ts --rows=1000000`.
 */
const ROWS = Number(process.argv.find((one) => one.startsWith('--rows='))?.split('=')[1] ?? 200_000)
const [ROUNDS, BATCHES, BATCH, ENVIRONMENTS, USERS] = [12, 20, 100, 10, 5_000]

const { db, pool, close } = await createTestDatabase()
const clickhouse = createTestClickHouse()
const stores = { db, clickhouse }
const key: ChainKey = { id: randomUUID(), key: Buffer.alloc(32, 5) }
const { rows: server } = await pool.query('select pg_backend_pid() as pid')
const postmaster = statOf(server[0].pid)?.parent

function statOf(pid: number | string): { parent: number; ticks: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ticks = fields.slice(11, 13).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), ticks }
  } catch {
    return undefined
  }
}

/** Microseconds of this process, and of the processes of PostgreSQL. */
function processorTime(): [own: number, postgres: number] {
  const { user, system } = process.cpuUsage()
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = statOf(pid)
    if (stat?.parent === postmaster) ticks += stat?.ticks ?? 0
  }
  return [user + system, ticks * 10_000]
}

const environments = Array.from({ length: ENVIRONMENTS }, () => randomUUID())
const users = Array.from({ length: USERS }, () => randomUUID())
const actors = environments.map(() => randomUUID())
const ROUTES = [
  '/v2/user/:user_id',
  '/v2/timeseries/:user_id/:resource',
  '/v2/summary/activity/:user_id',
]
let number = 0
let at = Date.parse('2026-11-01T00:00:00Z')
function makeEntry() {
  number += 1
  at += 100
  const environment = number % ENVIRONMENTS
  return auditEntry({
    at: new Date(at),
    environmentId: environments[environment] as string,
    actorId: actors[environment] as string,
    userId: users[(number * 7919) % USERS] as string,
    method: number % 3 === 0 ? 'POST' : 'GET',
    route: ROUTES[number % ROUTES.length] as string,
  })
}
const makeEntries = (count: number) => Array.from({ length: count }, makeEntry)

/** As version 0.1 appended, to one chain. */
let former: ChainHead = { sequence: 0, hash: CHAIN_START }
async function appendToOneChain(entries: ReturnType<typeof makeEntries>): Promise<void> {
  const after = former
  const rows = entries.map((entry) => {
    const previous_hash = former.hash
    former = { sequence: former.sequence + 1, hash: hashEntry(previous_hash, entry, key.key) }
    return {
      at: entry.at,
      environment_id: entry.environmentId,
      actor_kind: entry.actorKind,
      actor_id: entry.actorId,
      method: entry.method,
      route: entry.route,
      user_id: entry.userId,
      object_id: entry.objectId,
      ...former,
      status: entry.status,
      previous_hash,
      key_id: key.id,
    }
  })
  const { columns, records } = recordsOf('audit_log', rows)
  await sql`with head as (
      select coalesce(max(sequence), 0) = ${after.sequence} as is_there from audit_log
    ), settled as (
      delete from pending_audit_rows
      where id = any(${[]}::uuid[]) and (select is_there from head)
    ) insert into audit_log (${sql.join(columns.map((column) => sql.ref(column)))}) ${records}
    where (select is_there from head)`.execute(db)
}

const heads = new Map()
const appendToChains = (entries: ReturnType<typeof makeEntries>) =>
  appendEntries(db, entries, { key, heads })

const logPosition = async (): Promise<number> =>
  Number((await pool.query("select pg_current_wal_lsn() - '0/0' as bytes")).rows[0].bytes)

async function measure(work: () => Promise<unknown>, rows: number) {
  const [log, [own, postgres]] = [await logPosition(), processorTime()]
  const startedAt = performance.now()
  const result = await work()
  const ms = performance.now() - startedAt
  const [ownAfter, postgresAfter] = processorTime()
  const bytes = ((await logPosition()) - log) / rows
  return {
    result,
    ms,
    bytes,
    own: (ownAfter - own) / rows,
    postgres: (postgresAfter - postgres) / rows,
  }
}

const figures = { one: [] as Figures[], chains: [] as Figures[] }
type Figures = Awaited<ReturnType<typeof measure>>
for (let round = 0; round < ROUNDS + 2; round++) {
  const kinds = round % 2 === 0 ? (['one', 'chains'] as const) : (['chains', 'one'] as const)
  for (const kind of kinds) {
    const batches = Array.from({ length: BATCHES }, () => makeEntries(BATCH))
    const append = kind === 'one' ? appendToOneChain : appendToChains
    const measured = await measure(async () => {
      for (const entries of batches) await append(entries)
    }, BATCHES * BATCH)
    if (round >= 2) figures[kind].push(measured)
  }
}
const show = (list: Figures[]) =>
  (['own', 'postgres', 'bytes'] as const)
    .map((what) => median(list.map((one) => one[what])).toFixed(1))
    .join(' / ')
console.log(
  `writing a row, µs of Salus / µs of PostgreSQL / bytes of its log, batches of ${BATCH} in ${ENVIRONMENTS} environments:`,
)
console.log(`  one chain ${show(figures.one)}; a chain for each ${show(figures.chains)}`)

async function bytesOf(table: string): Promise<string> {
  const { rows } = await pool.query(`select count(*) as n from ${table}`)
  const size = await pool.query(
    `select coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree($1) where isleaf),
      pg_total_relation_size($1)) as bytes`,
    [table],
  )
  return `${(Number(size.rows[0].bytes) / Number(rows[0].n)).toFixed(0)} (${rows[0].n} rows)`
}

while (number < ROWS * 2) {
  await appendToOneChain(makeEntries(1_000))
  await appendToChains(makeEntries(1_000))
}
await pool.query('vacuum analyze audit_rows; vacuum analyze audit_log'.split(';')[0] as string)
console.log(
  `bytes of a row in PostgreSQL: audit_log ${await bytesOf('audit_log')}, audit_rows ${await bytesOf('audit_rows')}`,
)

const NO_FILTER = { changesOnly: false, hidesConsoleTokens: false }
const LISTS = {
  'first page': NO_FILTER,
  'page of an environment': { ...NO_FILTER, environmentId: environments[3] },
  'page of a person': { ...NO_FILTER, userId: users[17] },
  'a route that never was': { ...NO_FILTER, route: '/none' },
}
async function list(where: string): Promise<void> {
  for (const [name, filter] of Object.entries(LISTS)) {
    const times: Figures[] = []
    for (let round = 0; round < 7; round++) {
      times.push(await measure(() => listAuditRows(stores, filter, { before: null, limit: 50 }), 1))
    }
    const ms = (what: 'own' | 'postgres') =>
      (median(times.map((one) => one[what])) / 1000).toFixed(1)
    console.log(
      `  ${where}, ${name}: ${ms('own')} ms of Salus with its ClickHouse, ${ms('postgres')} ms of PostgreSQL`,
    )
  }
}
async function verify(where: string): Promise<void> {
  const check = new ChainCheck({ keys: [key], chains: await listChains(db) })
  const { ms, own, postgres } = await measure(async () => {
    for await (const row of readAuditLog(stores)) check.add(row)
    check.end()
  }, 1)
  const perRow = ((own + postgres) / check.rows).toFixed(1)
  console.log(
    `verification in ${where}: ${check.rows} rows, ${check.damages.length} damages, ${perRow} µs a row, ${(ms / 1000).toFixed(1)} s`,
  )
}
await pool.query('analyze')
await list('in PostgreSQL')
await verify('PostgreSQL')
const steps: [string, number][] = []
const moved = await measure(
  () =>
    moveAuditRows(
      {
        ...stores,
        clock: systemClock,
        log: createLogger('error'),
        segmentMs: -Infinity,
        beforeStep: (step) => void steps.push([step, performance.now()]),
      },
      new AbortController().signal,
    ),
  number,
)
const end = performance.now()
const finish = steps.find(([step]) => step === 'finish')?.[1] ?? end
console.log(
  `a move: ${moved.own.toFixed(1)} µs of Salus with its ClickHouse and ${moved.postgres.toFixed(1)} µs of PostgreSQL a row, ${(moved.ms / 1000).toFixed(1)} s; emptying the partition ${(end - finish).toFixed(0)} ms`,
)
await clickhouse.command('optimize table audit_history final')
const [size] = await clickhouse.queryRows<{ bytes: number; n: number }>(
  "select sum(bytes_on_disk) as bytes, sum(rows) as n from system.parts where table = 'audit_history' and active and database = currentDatabase()",
)
console.log(
  `bytes of a row in ClickHouse: ${(Number(size?.bytes) / Number(size?.n)).toFixed(1)} (${size?.n} rows)`,
)
const columns = await clickhouse.queryRows<{ name: string; bytes: number }>(
  `select column as name, sum(column_bytes_on_disk) as bytes from system.parts_columns
  where table = 'audit_history' and active and database = currentDatabase() group by column order by bytes desc limit 6`,
)
console.log(
  `  ${columns.map(({ name, bytes }) => `${name} ${(bytes / Number(size?.n)).toFixed(1)}`).join(', ')}`,
)
await list('in ClickHouse')
await verify('ClickHouse')
await clickhouse.close()
await close()

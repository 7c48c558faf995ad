import { join } from 'node:path'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { openEmbeddedClickHouse } from '@salus/kernel/clickhouse/embedded-clickhouse'
import { migrateClickHouse } from '@salus/kernel/clickhouse/migrate-clickhouse'
import { readMigrations } from '@salus/kernel/migrations'
import { openDatabase } from '@salus/kernel/postgres/database'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import type pg from 'pg'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'
import { runAlone } from './alone.ts'
import { benchBulk } from './bulk.ts'
import { benchCapacity } from './capacity.ts'
import { benchCluster } from './cluster.ts'
import { benchCompendium } from './compendium.ts'
import { benchConsole } from './console.ts'
import { benchEventBytes } from './event-bytes.ts'
import { benchHl7 } from './hl7.ts'
import { benchImport } from './import-export.ts'
import { benchImportFormats } from './import-formats.ts'
import { benchLabReports } from './lab-reports.ts'
import { benchLaboratories, LABORATORY_PARTS } from './laboratories.ts'
import { benchMapping } from './mapping.ts'
import { printMachine, printTable, type Row, thousands, times } from './measure.ts'
import { benchMergedSessions } from './merged-sessions.ts'
import { benchMerging } from './merging.ts'
import { benchMessageBytes } from './message-bytes.ts'
import { benchOverview } from './overview.ts'
import { benchPull } from './pull-history.ts'
import { benchPolls } from './pull-polls.ts'
import { benchQueries } from './queries.ts'
import { benchReadDay } from './read-day.ts'
import { newDirectory, removeDirectory, type ServerProcess, startServer } from './server-process.ts'
import { benchStart } from './start.ts'
import { benchTracing } from './tracing.ts'
import { benchUpload, SAMPLES_OF_A_REQUEST } from './upload.ts'
import { benchUploadEvents } from './upload-events.ts'
import { benchWebhooks } from './webhooks.ts'

/**
 * `npm run bench`: every figure beside the bare thing, measured in the same run. Names as arguments
 * run only those: start upload events read merging sessions import formats size orders booking
 * markers diagnoses order-list centers lab-wire fhir queries console cluster webhooks parse tracing
 * mapping hl7 compendium bulk pull poll capacity event-bytes message-bytes overview.
 * `--megabytes=N` sets the size of the export; `--against=FOLDER` starts another checkout in turns
 * with this one. `peers` compares with other stores; it runs only by its name, and alone:
 * `--only=salus,influxdb`, `--rounds=N`, `--people=N`, `--days=N`. `upload-processor` measures the
 * processor time of uploads, alone too: `--rounds=N`, `--against=FOLDER`; `upload-parts` that of
 * their parts in JavaScript, without stores; `narrow` that of narrow reads: `--rounds=N`,
 * `--against=FOLDER`; `pooling` that of the ways to PostgreSQL, `notifications` that of commits
 * that notify, `replicas` that of the primary with and without a replica, `dispatchers` the
 * dispatch of events, and `webhook-latency` the time from the commit of an event to its arrival:
 * `--rounds=N`.
 * `growth` asks the same at several sizes, alone too:
 * `--people=N --steps=1,10,100`, `--keep=FOLDER`. `many-events` prints what statements read, alone:
 * `--events=N --people=N --recent=SHARE`.
 */

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name)
const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1]
const megabytes = Number(option('megabytes') ?? 500)

const rows: Row[] = []

/** A figure that stands alone. */
function single(job: string, salus: string, goal = '', isMet: boolean | null = null): Row {
  return { job, salus, comparedWith: '', other: '', ratio: '', goal, isMet }
}

/** @returns samples a second over HTTP */
async function addUpload(
  server: ServerProcess,
  clickhouse: ClickHouse,
  pool: pg.Pool,
): Promise<number> {
  const { http, clickhouse: bare, postgres } = await benchUpload(server, clickhouse, pool)
  const salus = `${thousands(http)}/s`
  rows.push(
    {
      job: 'upload, 16 clients × 1,000 samples',
      salus,
      comparedWith: 'same rows straight into ClickHouse',
      other: `${thousands(bare)}/s`,
      ratio: times(http / bare),
      goal: '≥ 0.4',
      isMet: http / bare >= 0.4,
    },
    {
      job: 'upload, 16 clients × 1,000 samples',
      salus,
      comparedWith: 'INSERT … ON CONFLICT, PostgreSQL',
      other: `${thousands(postgres)}/s`,
      ratio: times(http / postgres),
      goal: '≥ 1.0',
      isMet: http / postgres >= 1,
    },
    single('upload, samples a second', salus, '≥ 100,000/s', http >= 100_000),
  )
  return http
}

async function addRead(server: ServerProcess, clickhouse: ClickHouse) {
  const { http, bare } = await benchReadDay(server, clickhouse)
  rows.push({
    job: 'read a day of 1-minute samples, p50',
    salus: `${http.p50.toFixed(2)} ms (p95 ${http.p95.toFixed(2)})`,
    comparedWith: 'bare query, same client',
    other: `${bare.p50.toFixed(2)} ms (p95 ${bare.p95.toFixed(2)})`,
    ratio: times(http.p50 / bare.p50),
    goal: '≤ 1.5',
    isMet: http.p50 / bare.p50 <= 1.5,
  })
}

async function addImport(server: ServerProcess, directory: string) {
  const result = await benchImport(server, directory, megabytes)
  rows.push(
    {
      job: `import ${Math.round(result.fileMegabytes)} MB, ${thousands(result.records)} records`,
      salus: `${result.jobSeconds.toFixed(1)} s (with upload ${result.totalSeconds.toFixed(1)} s)`,
      comparedWith: 'parsing alone with saxes',
      other: `${result.saxesSeconds.toFixed(1)} s`,
      ratio: times(result.jobSeconds / result.saxesSeconds),
      goal: '≤ 1.0',
      isMet: result.jobSeconds <= result.saxesSeconds,
    },
    single('the same import again', `${result.againSeconds.toFixed(1)} s with upload`),
    single('memory growth during the import', `${Math.round(result.peakMegabytes)} MB`),
  )
}

/** What events add, as a share of a whole upload over HTTP, measured just before. */
async function addUploadEvents(
  http: number,
  clickhouse: ClickHouse,
  pool: pg.Pool,
  databaseUrl: string,
) {
  await pool.query('create database events')
  const url = new URL(databaseUrl)
  url.pathname = '/events'
  const { plainMs, addedMs } = await benchUploadEvents(clickhouse, url.href)
  const wholeMs = (1000 * SAMPLES_OF_A_REQUEST) / http - addedMs
  rows.push({
    job: 'events of an upload of 1,000 samples, 16 at once',
    salus: `${addedMs.toFixed(2)} ms each`,
    comparedWith: `storing alone ${plainMs.toFixed(2)} ms; whole upload without`,
    other: `${wholeMs.toFixed(2)} ms`,
    ratio: `${((addedMs / wholeMs) * 100).toFixed(0)} %`,
    goal: '< 10 %',
    isMet: addedMs / wholeMs < 0.1,
  })
}

async function addWebhooks(directory: string, databaseUrl: string) {
  const { salus, bare, jobs, latency } = await benchWebhooks(directory, databaseUrl)
  const { p50, p99 } = latency
  rows.push(
    {
      job: 'webhooks, messages of 1 kB delivered by one process',
      salus: `${thousands(salus)}/s`,
      comparedWith: 'bare undici loop, same bodies, signed',
      other: `${thousands(bare)}/s`,
      ratio: times(salus / bare),
      goal: '≥ 0.5, 1,500/s',
      isMet: salus / bare >= 0.5 && salus >= 1500,
    },
    {
      job: 'the same',
      salus: `${thousands(salus)}/s`,
      comparedWith: 'one graphile-worker job a message, which only posts',
      other: `${thousands(jobs)}/s`,
      ratio: times(salus / jobs),
      goal: '',
      isMet: null,
    },
    single(
      'commit of an event to its arrival, 200 events/s',
      `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      '< 20 ms, < 150 ms',
      p50 < 20 && p99 < 150,
    ),
  )
}

/** Bytes a sample after all merges, on the rows that the upload wrote into both stores. */
async function addSize(clickhouse: ClickHouse, pool: pg.Pool) {
  await clickhouse.command('optimize table samples final')
  const [size] = await clickhouse.queryRows<{ bytes: number }>(
    `select sum(bytes_on_disk) / sum(rows) as bytes from system.parts
    where active and table = 'samples' and database = currentDatabase()`,
  )
  await pool.query('vacuum full bench_samples')
  const { rows: table } = await pool.query<{ bytes: number }>(
    `select pg_total_relation_size('bench_samples')::float8 / count(*) as bytes from bench_samples`,
  )
  const salus = size?.bytes ?? Number.NaN
  const postgres = table[0]?.bytes ?? Number.NaN
  rows.push({
    job: 'bytes a sample on disk after merge',
    salus: salus.toFixed(2),
    comparedWith: 'PostgreSQL row table with its key',
    other: postgres.toFixed(0),
    ratio: `${(postgres / salus).toFixed(0)}× less`,
    goal: '≤ 6, 20× less',
    isMet: salus <= 6 && postgres / salus >= 20,
  })
}

if (await runAlone(wanted, option)) process.exit()
const directory = newDirectory()
const postgres = await startEmbeddedPostgres({ directory: join(directory, 'pg'), log: () => {} })
const database = openDatabase({ url: postgres.url, poolSize: 16 })
const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'bare') })
await migrateClickHouse(clickhouse, readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse')))
if (isWanted('hl7')) rows.push(...benchHl7())
if (isWanted('compendium')) rows.push(...(await benchCompendium(postgres.url)))
if (isWanted('event-bytes')) {
  const events = Number(option('events') ?? 100_000)
  rows.push(...(await benchEventBytes(clickhouse, { databaseUrl: postgres.url, events })))
}
if (isWanted('overview')) {
  const people = Number(option('people') ?? 100_000)
  const samples = Number(option('samples') ?? 10_000_000)
  rows.push(...(await benchOverview(clickhouse, postgres.url, { people, samples })))
}
if (isWanted('message-bytes')) {
  const messages = Number(option('messages') ?? 20_000)
  rows.push(...(await benchMessageBytes(clickhouse, { databaseUrl: postgres.url, messages })))
}
if (isWanted('mapping')) rows.push(...benchMapping())
if (isWanted('start')) {
  const against = option('against')
  const external = { pool: database.pool, databaseUrl: postgres.url }
  rows.push(...(await benchStart({ directory, ...external, ...(against && { against }) })))
}
const server = await startServer(join(directory, 'salus'))
try {
  if (isWanted('upload') || isWanted('events') || isWanted('size')) {
    const http = await addUpload(server, clickhouse, database.pool)
    if (isWanted('events')) await addUploadEvents(http, clickhouse, database.pool, postgres.url)
  }
  if (isWanted('size')) await addSize(clickhouse, database.pool)
  if (isWanted('read')) await addRead(server, clickhouse)
  if (isWanted('merging')) rows.push(...(await benchMerging(server)))
  if (isWanted('sessions')) rows.push(...(await benchMergedSessions(server)))
  if (isWanted('import')) await addImport(server, directory)
  if (isWanted('formats')) rows.push(...(await benchImportFormats(server, directory, megabytes)))
  if (LABORATORY_PARTS.some(isWanted)) {
    await server.stop()
    rows.push(...(await benchLaboratories(directory, database.pool, postgres.url, isWanted)))
  }
  if (isWanted('queries')) {
    await server.stop()
    rows.push(...(await benchQueries(directory, clickhouse, database.pool)))
  }
  if (isWanted('console')) {
    await server.stop()
    rows.push(...(await benchConsole(directory)))
  }
  if (isWanted('cluster')) {
    await server.stop()
    rows.push(...(await benchCluster(directory)))
  }
  if (isWanted('bulk')) rows.push(...(await benchBulk(directory)))
  if (isWanted('pull')) {
    await server.stop()
    rows.push(...(await benchPull(directory, Number(option('people') ?? 20))))
  }
  if (isWanted('poll')) {
    await server.stop()
    const connections = Number(option('connections') ?? 10_000)
    const minutes = Number(option('minutes') ?? 3)
    const isProfiled = option('profile') !== undefined
    const apps = Number(option('apps') ?? 64)
    rows.push(...(await benchPolls(directory, { connections, apps, minutes, isProfiled })))
  }
  if (isWanted('capacity')) {
    await server.stop()
    const external = { pool: database.pool, databaseUrl: postgres.url, postgresPid: postgres.pid }
    const people = Number(option('people') ?? 60)
    rows.push(...(await benchCapacity({ directory, ...external, people })))
  }
  if (isWanted('parse')) {
    await server.stop()
    rows.push(...(await benchLabReports(directory)))
  }
  if (isWanted('tracing')) {
    await server.stop()
    rows.push(...(await benchTracing(directory)))
  }
  if (isWanted('webhooks')) {
    await server.stop()
    await addWebhooks(directory, postgres.url)
  }
} finally {
  await server.stop()
  await clickhouse.close()
  await database.close()
  await postgres.stop()
  removeDirectory(directory)
}
printMachine()
printTable(rows)

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { openRemoteClickHouse } from '@salus/kernel/clickhouse/remote-clickhouse'
import { type OpenDatabase, openDatabase } from '@salus/kernel/postgres/database'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import { dropOldDays } from '../src/webhooks/history/move-events.global.repository.ts'
import { moveOldEvents } from '../src/webhooks/history/move-events.ts'
import { startClickHouseServer } from '../test/clickhouse-server.ts'
import { createClient } from './client.ts'
import { QUERY_LOG } from './cluster-roles.ts'
import { somePeople } from './growth/fill-postgres.ts'
import { listJobs, type Question } from './growth/questions.ts'
import { makeTemplate } from './growth/template.ts'
import { DAYS, fillOldEvents } from './many-events/fill-old.ts'
import {
  type EventNumbers,
  fillPeople,
  fillRecentEvents,
  type Owner,
} from './many-events/fill-recent.ts'
import { LOG_PLANS, PlanLog } from './many-events/plans.ts'
import { listEventQuestions } from './many-events/questions.ts'
import { describeRetention, describeSizes, readSizes } from './many-events/sizes.ts'
import { Statements } from './many-events/statements.ts'
import { printMachine, thousands } from './measure.ts'
import { newDirectory, removeDirectory, type ServerProcess, startServer } from './server-process.ts'

const CALLS = 5
const IDLE_MS = 40_000
/** Until a line of the log and the jobs after a request are there. */
const AFTER_MS = 150
const MORE_AFTER_MS = 3_000
const MOVE_MS = 15_000

interface Stores {
  database: OpenDatabase
  clickhouse: ClickHouse
  settings: Record<string, string>
  log: PlanLog
  /** Takes all messages of the team. */
  sink: Server
}

/**
 * Fills both stores from inside with many events and people, and prints what each statement of the
 * usual requests and jobs reads.
 * @param only Beginnings of the names of requests, separated by commas; all by default.
 */
export async function benchManyEvents(numbers: EventNumbers, only?: string): Promise<void> {
  const directory = newDirectory()
  const log = new PlanLog()
  const postgres = await startEmbeddedPostgres({ directory: join(directory, 'pg'), log: log.add })
  const engine = await startClickHouseServer({ settings: QUERY_LOG })
  const url = `${engine.url}/salus`
  const clickhouse = await openRemoteClickHouse({ url })
  const database = openDatabase({ url: postgres.url, poolSize: 4 })
  const sink = createServer((request, response) => {
    request.resume().once('end', () => response.end('ok'))
  }).listen(0, '127.0.0.1')
  await once(sink, 'listening')
  const settings = {
    ...{ DATABASE_URL: postgres.url, CLICKHOUSE_URL: url },
    ...{ SALUS_WEBHOOKS_ALLOW_PRIVATE: 'true', SALUS_WEBHOOKS_ALLOW_HTTP: 'true' },
  }
  const stores = { database, clickhouse, settings, log, sink }
  try {
    const owner = await fill(stores, join(directory, 'salus'), numbers)
    const before = await readSizes(database.pool, clickhouse)
    await database.pool.query(LOG_PLANS.map((line) => `alter database salus set ${line};`).join(''))
    const server = await startServer(join(directory, 'salus'), settings)
    const statements = new Statements(log, clickhouse)
    const isWanted = (name: string): boolean =>
      only === undefined || only.split(',').some((beginning) => name.startsWith(beginning))
    await ask(stores, server, owner, { statements, isWanted }).finally(server.stop)
    const lines = describeSizes(before, numbers)
    lines.push(...(await measureMove(stores, statements)))
    printMachine()
    statements.print()
    lines.push(...(await describeRetention(clickhouse, () => dropFirstDays(stores))))
    for (const line of lines) console.log(line)
  } finally {
    sink.close()
    await database.close()
    await clickhouse.close()
    await engine.stop()
    await postgres.stop()
    removeDirectory(directory)
  }
}

async function fill(
  { database: { pool }, clickhouse, settings, sink }: Stores,
  directory: string,
  numbers: EventNumbers,
): Promise<Owner> {
  const server = await startServer(directory, settings)
  const client = createClient(server, 4)
  const address = sink.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const templateId = await makeTemplate(server, client, `http://127.0.0.1:${port}/`)
  await client.close()
  await server.stop()
  const { rows } = await pool.query<{ environment_id: string; id: string }>(
    `select environment_id, webhook_endpoints.id from webhook_endpoints
    join users using (environment_id) where users.id = $1`,
    [templateId],
  )
  const [{ environment_id: environmentId, id: endpointId } = { environment_id: '', id: '' }] = rows
  const owner = { environmentId, endpointId }
  const connection = await pool.connect()
  try {
    report('people')
    await fillPeople(connection, templateId, numbers)
    report('recent events')
    await fillRecentEvents(connection, owner, numbers)
    await connection.query('vacuum analyze')
  } finally {
    connection.release(true)
  }
  report('old events')
  await fillOldEvents(clickhouse, pool, owner, numbers)
  return owner
}

const report = (what: string): void =>
  console.log(`${new Date().toISOString().slice(11, 19)} ${what}`)

async function ask(
  { database: { pool } }: Stores,
  server: ServerProcess,
  { endpointId }: Owner,
  { statements, isWanted }: { statements: Statements; isWanted: (name: string) => boolean },
): Promise<void> {
  const client = createClient(server, 1)
  try {
    report('an idle server')
    await statements.ignore(() => delay(IDLE_MS))
    const people = await somePeople(pool)
    const { rows } = await pool.query<{ id: string; count: number; position: string }>(
      `select (select id from growth_people where number = 1), (select count(*) from users),
        (select transaction_id::text || '-0' from events order by transaction_id desc
          offset 10000 limit 1) as position`,
    )
    const [{ id: busyId, count, position } = { id: '', count: 0, position: '' }] = rows
    const subject = { server, client, people, count, step: 0, endpointId, busyId }
    const questions = await listEventQuestions({ ...subject, recentPosition: position })
    for (const question of questions) {
      if (isWanted(question.name)) await measure(statements, question)
    }
    for (const { name, start, isDone } of listJobs(subject).slice(0, 2)) {
      if (!isWanted(name)) continue
      report(name)
      await statements.measure(name, async () => {
        const id = await start(0)
        while (!(await isDone(id))) await delay(500)
      })
    }
  } finally {
    await client.close()
  }
}

async function measure(
  statements: Statements,
  { name, ask: call, calls = CALLS, hasMore = false }: Question,
): Promise<void> {
  report(name)
  const wait = (): Promise<void> => delay(hasMore ? MORE_AFTER_MS : AFTER_MS)
  if (calls > 1) await statements.ignore(() => call(0).then(wait))
  await statements.measure(name, async () => {
    for (let index = 1; index <= calls; index++) await call(index)
    await wait()
  })
}

/** Moves events for some seconds, as if they had been over for an hour. */
async function measureMove(
  { database: { db, pool }, clickhouse }: Stores,
  statements: Statements,
): Promise<string[]> {
  report('a move of events')
  const clock = { now: () => new Date(Date.now() + 2 * HOUR_MS) }
  const startedAt = performance.now()
  let moved = 0
  await statements.measure('move of events, each 5,000', async () => {
    moved = await moveOldEvents({ db, clickhouse, clock }, AbortSignal.timeout(MOVE_MS))
  })
  const seconds = (performance.now() - startedAt) / 1000
  await pool.query('vacuum events, webhook_deliveries, webhook_attempts')
  return [`moved ${thousands(moved)} events in ${seconds.toFixed(1)} s`]
}

/** The first day is no whole one. */
const dropFirstDays = ({ clickhouse }: Stores): Promise<number> =>
  dropOldDays(clickhouse, new Date(Date.now() - (DAYS - 1) * DAY_MS))

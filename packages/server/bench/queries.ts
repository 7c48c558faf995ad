import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type pg from 'pg'
import { Pool } from 'undici'
import { median, type Row, times } from './measure.ts'
import { BARE_BATCH, BATCH, PARQUET, QUERY_CASES, type QueryCase } from './queries-cases.ts'
import { fill, fillPostgres, fillServer, makePerson, type Person } from './queries-data.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const CONCURRENCIES = [1, 8, 32]
const WARM_UP = 3
/** Calls of one measurement; the slow side of PostgreSQL makes fewer. */
const CALLS = 40
const CALLS_OF_POSTGRES = 5

interface Sides {
  server: ServerProcess
  clickhouse: ClickHouse
  pool: pg.Pool
  person: Person
}

/**
 * Questions of docs/contract/09-aggregate.md, on one person with five years of samples among ten
 * thousand others: through HTTP, by the bare statement on the same rows in an engine of the same
 * kind, called in this process, and in PostgreSQL over a table of rows. Figures are the time of one
 * call, p50.
 */
export async function benchQueries(
  directory: string,
  clickhouse: ClickHouse,
  pool: pg.Pool,
): Promise<Row[]> {
  const folder = join(directory, 'queries')
  mkdirSync(folder)
  const first = await startServer(folder)
  const userId = await makePerson(first)
  await first.stop()
  const person = fillServer(folder, userId)
  await fill(clickhouse, person)
  await fillPostgres(pool, person)
  const server = await startServer(folder)
  try {
    return await measureAll({ server, clickhouse, pool, person })
  } finally {
    await server.stop()
  }
}

async function measureAll(sides: Sides): Promise<Row[]> {
  const rows: Row[] = []
  for (const question of QUERY_CASES) rows.push(...(await measureCase(sides, question)))
  rows.push(...(await measureBatch(sides)), await measureParquet(sides))
  return rows
}

async function measureCase(sides: Sides, question: QueryCase): Promise<Row[]> {
  const rows: Row[] = []
  let alone = Number.NaN
  for (const concurrency of CONCURRENCIES) {
    const salus = await overHttp(sides, question.body, concurrency)
    if (concurrency === 1) alone = salus
    const bare = await inTurns(concurrency, () => askEngine(sides, [question.clickhouse]))
    const most = question.goal.ofBare
    rows.push(row(`${question.name}, ${concurrency} at once`, salus, 'bare query', bare, most))
  }
  const rowsOfPostgres = await repeat(CALLS_OF_POSTGRES, () =>
    sides.pool.query(question.postgres, [sides.person.userId]),
  )
  const postgres = median(rowsOfPostgres)
  const least = question.goal.ofPostgres
  rows.push({
    job: `${question.name}, 1 at once`,
    salus: `${alone.toFixed(1)} ms`,
    comparedWith: 'PostgreSQL, row table',
    other: `${postgres.toFixed(1)} ms`,
    ratio: `${(postgres / alone).toFixed(1)}× faster`,
    goal: least === undefined ? '' : `≥ ${least}× faster`,
    isMet: least === undefined ? null : postgres / alone >= least,
  })
  return rows
}

async function measureBatch(sides: Sides): Promise<Row[]> {
  const rows: Row[] = []
  for (const concurrency of CONCURRENCIES) {
    const salus = await overHttp(sides, BATCH.body, concurrency)
    const bare = await inTurns(concurrency, () => askEngine(sides, BARE_BATCH))
    rows.push(
      row(`${BATCH.name}, ${concurrency} at once`, salus, 'the four bare queries', bare, 1.3),
    )
  }
  return rows
}

async function measureParquet(sides: Sides): Promise<Row> {
  const http = new Pool(sides.server.url, { connections: 1, pipelining: 1 })
  const firstBytes: number[] = []
  await repeat(CALLS, async () => {
    const startedAt = performance.now()
    const { body, statusCode } = await http.request({
      ...request(sides, PARQUET.body),
      headers: { ...headersOf(sides), accept: 'application/vnd.service.tar+gzip+parquet' },
    })
    if (statusCode !== 200) throw new Error(`Parquet: ${await body.text()}`)
    let isFirst = true
    for await (const _ of body) {
      if (isFirst) firstBytes.push(performance.now() - startedAt)
      isFirst = false
    }
  })
  await http.close()
  const { environmentId, userId } = sides.person
  const bare = median(
    await repeat(CALLS, () =>
      sides.clickhouse.queryBytes(PARQUET.clickhouse, { environmentId, userId }, 'Parquet'),
    ),
  )
  const p50 = median(firstBytes.slice(WARM_UP))
  return {
    job: `${PARQUET.name}, first byte`,
    salus: `${p50.toFixed(1)} ms`,
    comparedWith: 'bare query as Parquet, whole file',
    other: `${bare.toFixed(1)} ms`,
    ratio: times(p50 / bare),
    goal: '< 200 ms',
    isMet: p50 < 200,
  }
}

function row(job: string, salus: number, comparedWith: string, other: number, most = 1.3): Row {
  const ratio = salus / other
  return {
    job,
    salus: `${salus.toFixed(1)} ms`,
    comparedWith,
    other: `${other.toFixed(1)} ms`,
    ratio: times(ratio),
    goal: `≤ ${most}`,
    isMet: ratio <= most,
  }
}

const headersOf = ({ server }: Sides) => ({
  'x-service-api-key': server.apiKey,
  'content-type': 'application/json',
})

const request = ({ person }: Sides, body: object) => ({
  method: 'POST' as const,
  path: `/aggregate/v1/user/${person.userId}/query`,
  body: JSON.stringify(body),
})

async function overHttp(sides: Sides, body: object, concurrency: number): Promise<number> {
  const http = new Pool(sides.server.url, { connections: concurrency, pipelining: 1 })
  const ask = async (): Promise<void> => {
    const answer = await http.request({ ...request(sides, body), headers: headersOf(sides) })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(text.slice(0, 300))
  }
  const p50 = await inTurns(concurrency, ask)
  await http.close()
  return p50
}

async function askEngine({ clickhouse, person }: Sides, statements: readonly string[]) {
  const { environmentId, userId } = person
  const ask = (sql: string) => clickhouse.queryBytes(sql, { environmentId, userId }, 'JSONColumns')
  await Promise.all(statements.map(ask))
}

/** p50 of the milliseconds of a call, while as many as said are under way. */
async function inTurns(concurrency: number, call: () => Promise<void>): Promise<number> {
  const perClient = Math.max(WARM_UP + 2, Math.ceil(CALLS / concurrency) + WARM_UP)
  const all = await Promise.all(Array.from({ length: concurrency }, () => repeat(perClient, call)))
  return median(all.flatMap((one) => one.slice(WARM_UP)))
}

/** Milliseconds of each of several calls, one after the other. */
async function repeat(calls: number, call: () => Promise<unknown>): Promise<number[]> {
  const milliseconds: number[] = []
  for (let index = 0; index < calls; index++) {
    const startedAt = performance.now()
    await call()
    milliseconds.push(performance.now() - startedAt)
  }
  return milliseconds
}

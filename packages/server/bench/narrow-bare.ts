import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { openEmbeddedClickHouse } from '@salus/kernel/clickhouse/embedded-clickhouse'
import type { Question } from './narrow.ts'

const OWN_FILE = fileURLToPath(import.meta.url)

/** A bare HTTP server on a copy of a folder of ClickHouse, in a process of its own. */
interface BareReads {
  url: string
  pid: number
  stop(): Promise<void>
}

export async function startBareReads(directory: string): Promise<BareReads> {
  const env = { ...process.env, UV_THREADPOOL_SIZE: '12' }
  const child = fork(OWN_FILE, [directory], { execArgv: [], env })
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

const OF_PERSON = 'environment_id = {environmentId:UUID} and user_id = {userId:UUID}'
const BETWEEN = (column: string) =>
  `${column} between fromUnixTimestamp64Milli({from:Int64}, 'UTC') and fromUnixTimestamp64Milli({to:Int64}, 'UTC')`
const samples = (columns: string, rest: string): string =>
  `select ${columns} from samples final where ${OF_PERSON} and series = 'heartrate' and ${BETWEEN('started_at')} ${rest}`
const SAMPLES = samples(
  'provider, source_type, app_id, timezone_offset, started_at, ended_at, value',
  'order by started_at',
)

/** Statements of each question with their range. No user is looked up, and nothing is presented. */
const STATEMENTS: Record<string, (question: Question) => [string, from: number, to: number][]> = {
  'a day of samples': ({ day }) => [[SAMPLES, day, day + DAY_MS - 1]],
  'the last 24 hours': ({ now }) => [[SAMPLES, now - DAY_MS, now]],
  'the newest value': ({ now }) => [
    [samples('started_at, value', 'order by started_at desc limit 1'), now - DAY_MS, now],
  ],
  'a night with its stream': ({ day }) => [
    [
      `select * from sleep_summaries final where ${OF_PERSON} and ${BETWEEN('ended_at')}`,
      day,
      day + DAY_MS,
    ],
    [SAMPLES, day, day + 7 * HOUR_MS],
  ],
  'a week of summaries': ({ now }) => [
    [
      `select * from activity_summaries final where ${OF_PERSON} and ${BETWEEN('started_at')}`,
      now - 8 * DAY_MS,
      now,
    ],
  ],
}

async function serve(directory: string): Promise<void> {
  const clickhouse = await openEmbeddedClickHouse({ directory })
  const [row] = await clickhouse.queryRows<{ id: string }>(
    'select any(environment_id) as id from samples',
  )
  const environmentId = row?.id ?? ''
  const server = createServer(async (request, response) => {
    const question: Question = JSON.parse(await text(request))
    const name = decodeURIComponent(request.url ?? '').slice(1)
    response.setHeader('content-type', 'application/json')
    for (const [sql, from, to] of STATEMENTS[name]?.(question) ?? []) {
      const parameters = { environmentId, userId: question.userId, from, to }
      response.write(await clickhouse.queryBytes(sql, parameters, 'JSONEachRow'))
    }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.on('disconnect', () => process.exit())
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

if (process.argv[1] === OWN_FILE) await serve(process.argv[2] ?? '')

import { createHarness } from '../test/harness.ts'
import { median } from './measure.ts'
import { BARE_BATCH, BATCH, QUERY_CASES } from './queries-cases.ts'
import { fill } from './queries-data.ts'

// Prints the processor time of queries in one process, in turns with the bare statements on the
// same rows: of the whole process with the threads of the embedded ClickHouse, and of the main
// thread. PostgreSQL is another process, whose time is not in it.
//   node packages/server/bench/query-processor.ts [rounds] [fallback time zone]

const [rounds = '30', fallbackZone] = process.argv.slice(2)
const WARM_UP = 3

const salus = await createHarness()
const userId = await salus.makeUser('health_connect')
const { rows } = await salus.database.pool.query(
  'update users set fallback_time_zone = $2 where id = $1 returning environment_id',
  [userId, fallbackZone ?? null],
)
const person = { environmentId: rows[0].environment_id as string, userId }
await fill(salus.clickhouse, person)

const query = (body: object) => async (): Promise<void> => {
  const { statusCode } = await salus.app.inject({
    ...{ method: 'POST', url: `/aggregate/v1/user/${userId}/query`, payload: body },
    headers: { 'x-service-api-key': salus.apiKey },
  })
  if (statusCode !== 200) throw new Error(String(statusCode))
}
const bare = (statements: readonly string[]) => () =>
  Promise.all(
    statements.map((sql) => salus.clickhouse.queryBytes(sql, { ...person }, 'JSONColumns')),
  )

const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000
const cases = [
  ...QUERY_CASES.map(({ name, body, clickhouse }) => ({ name, body, statements: [clickhouse] })),
  { name: BATCH.name, body: BATCH.body, statements: BARE_BATCH },
]
for (const { name, body, statements } of cases) {
  const times = { process: [] as number[], thread: [] as number[], bare: [] as number[] }
  const [ask, askBare] = [query(body), bare(statements)]
  for (let round = 0; round < Number(rounds) + WARM_UP; round++) {
    const [ofProcess, ofThread] = [process.cpuUsage(), process.threadCpuUsage()]
    await ask()
    const salusMs = toMs(process.cpuUsage(ofProcess))
    const threadMs = toMs(process.threadCpuUsage(ofThread))
    const before = process.cpuUsage()
    await askBare()
    if (round < WARM_UP) continue
    times.process.push(salusMs)
    times.thread.push(threadMs)
    times.bare.push(toMs(process.cpuUsage(before)))
  }
  const [salusMs, threadMs, bareMs] = [times.process, times.thread, times.bare].map(median)
  console.log(
    `${name}: ${salusMs?.toFixed(1)} ms, main thread ${threadMs?.toFixed(1)} ms; bare ` +
      `${bareMs?.toFixed(1)} ms; ${((salusMs ?? 0) / (bareMs ?? 1)).toFixed(2)}×`,
  )
}
await salus.close()

import { readBuildId } from '../../kernel/src/build-id.ts'
import { buildApp } from '../src/app.ts'
import { createHarness } from '../test/harness.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { median } from './measure.ts'

// Prints the processor time of this process for reads with and without an answer of before, and
// with and without compression, in turns. PostgreSQL is another process, whose time is not in it.
//   node packages/server/bench/unchanged.ts

const ROUNDS = 5
const MINUTES_OF_A_DAY = 1440

const salus = await createHarness()
await readBuildId()
const off = await buildApp({
  ...salus.dependencies,
  config: { ...salus.dependencies.config, compression: false },
})
const userId = await salus.makeUser('health_connect')
for (let day = 0; day < 30; day++) {
  const samples = makeHeartRate(day, day * MINUTES_OF_A_DAY, MINUTES_OF_A_DAY)
  const url = `/v2/timeseries/${userId}/heartrate`
  const json = { 'content-type': 'application/json' }
  const { status, text } = await salus.call('POST', url, uploadBody(samples), json)
  if (status !== 200) throw new Error(text)
}
const list = (await salus.call('GET', `/v2/timeseries/${userId}/charts`)).body.data
const [from, to] = [list[0].oldest_data, list[0].newest_data].map((at: string) => at.slice(0, 10))
const urls = {
  'a day of heart rate': `/v2/timeseries/${userId}/heartrate/grouped?start_date=${from}&end_date=${from}`,
  'a page of 30 days': `/v2/timeseries/${userId}/heartrate/grouped?start_date=${from}&end_date=${to}`,
  'merged hours of 30 days': `/v2/timeseries/${userId}/heartrate/merged?start_date=${from}&end_date=${to}&slot=hour`,
  'activity of 30 days': `/v2/summary/activity/${userId}?start_date=${from}&end_date=${to}`,
}

/** Does not parse the answer, as harness.call does. */
const read = (url: string, headers: object = {}, app = salus.app) =>
  app.inject({ url, headers: { 'x-service-api-key': salus.apiKey, ...headers } })
const processMs = (): number => toMs(process.cpuUsage())
/** Without the threads of the embedded ClickHouse, which merges at any time. */
const threadMs = (): number => toMs(process.threadCpuUsage())
const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

type Ways = Record<string, () => ReturnType<typeof read>>

/** Returns median milliseconds of each way, in turns, and the bytes of its last answer. */
async function measure(ways: Ways, reads: number, clockMs: () => number): Promise<string[]> {
  const times = new Map<string, number[]>()
  const sizes = new Map<string, number>()
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [way, ask] of Object.entries(ways)) {
      const before = clockMs()
      for (let count = 0; count < reads; count++) {
        const { statusCode, rawPayload } = await ask()
        if (statusCode >= 400) throw new Error(`${way} ${statusCode}`)
        sizes.set(way, rawPayload.length)
      }
      // The first round warms up.
      if (round > 0) times.set(way, [...(times.get(way) ?? []), (clockMs() - before) / reads])
    }
  }
  return Object.keys(ways).map(
    (way) => `${way} ${median(times.get(way) ?? []).toFixed(2)} ms ${sizes.get(way)} B`,
  )
}

for (const [name, url] of Object.entries(urls)) {
  for (let time = 0; time < 3; time++) await read(url)
  const etag = String((await read(url)).headers.etag)
  const unchanged = {
    unchanged: () => read(url, { 'if-none-match': etag }),
    probe: () => read('/health/live'),
  }
  console.log(`${name}, the thread: ${(await measure(unchanged, 200, threadMs)).join(', ')}`)
}
for (const [name, url] of Object.entries(urls)) {
  const encoded = ['gzip', 'br', 'zstd'].map((encoding) => [
    encoding,
    () => read(url, { 'accept-encoding': encoding }),
  ])
  const ways = { full: () => read(url, {}, off), ...Object.fromEntries(encoded) }
  console.log(`${name}, the process: ${(await measure(ways, 10, processMs)).join(', ')}`)
}
await off.close()
await salus.close()

import { readBuildId } from '../../kernel/src/build-id.ts'
import { buildApp } from '../src/app.ts'
import { createHarness } from '../test/harness.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { median } from './measure.ts'

// Prints the processor time of this process for reads with and without an answer of before, and
// with and without compression, in turns. PostgreSQL is another process, whose time is not in it.
//   node packages/server/bench/unchanged.ts

const ROUNDS = 5
const READS = 20
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
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

console.log(
  '| read | bytes | full | unchanged | probe | gzip | br | zstd |\n|---|---|---|---|---|---|---|---|',
)
for (const [name, url] of Object.entries(urls)) {
  for (let time = 0; time < 3; time++) await read(url)
  const plain = await read(url)
  const etag = String(plain.headers.etag)
  const sizes: Record<string, number> = {}
  const ways: Record<string, () => ReturnType<typeof read>> = {
    full: () => read(url, {}, off),
    unchanged: () => read(url, { 'if-none-match': etag }),
    probe: () => read('/health/live'),
    ...Object.fromEntries(
      ['gzip', 'br', 'zstd'].map((encoding) => [
        encoding,
        () => read(url, { 'accept-encoding': encoding }),
      ]),
    ),
  }
  const times: Record<string, number[]> = {}
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [way, ask] of Object.entries(ways)) {
      const before = cpuMs()
      for (let count = 0; count < READS; count++) {
        const { statusCode, rawPayload } = await ask()
        if (statusCode !== (way === 'unchanged' ? 304 : 200))
          throw new Error(`${way} ${statusCode}`)
        sizes[way] = rawPayload.length
      }
      // The first round warms up.
      if (round > 0) times[way] = [...(times[way] ?? []), (cpuMs() - before) / READS]
    }
  }
  const cell = (way: string) => {
    const bytes = ['gzip', 'br', 'zstd'].includes(way) ? `, ${sizes[way]} B` : ''
    return `${median(times[way] ?? []).toFixed(2)} ms${bytes}`
  }
  const cells = Object.keys(ways).map(cell).join(' | ')
  console.log(`| ${name} | ${plain.rawPayload.length} | ${cells} |`)
}
await off.close()
await salus.close()

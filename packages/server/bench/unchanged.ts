import { readBuildId } from '../../kernel/src/build-id.ts'
import { buildApp } from '../src/app.ts'
import { callerOf, createHarness } from '../test/harness.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { median } from './measure.ts'

// Prints the processor time of this process for reads with and without an answer of before, and
// with and without compression, in turns. PostgreSQL is another process, whose time is not in it.
//   node packages/server/bench/unchanged.ts

const ROUNDS = 9
const READS = 60
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
  await salus.call('POST', `/v2/timeseries/${userId}/heartrate`, uploadBody(samples))
}
const list = (await salus.call('GET', `/v2/timeseries/${userId}/charts`)).body.data
const [from, to] = [list[0].oldest_data, list[0].newest_data].map((at: string) => at.slice(0, 10))
const urls = {
  'a day of heart rate': `/v2/timeseries/${userId}/heartrate/grouped?start_date=${from}&end_date=${from}`,
  'a page of 30 days': `/v2/timeseries/${userId}/heartrate/grouped?start_date=${from}&end_date=${to}`,
  'merged hours of 30 days': `/v2/timeseries/${userId}/heartrate/merged?start_date=${from}&end_date=${to}&slot=hour`,
  'activity of 30 days': `/v2/summary/activity/${userId}?start_date=${from}&end_date=${to}`,
}

const call = salus.call
const callOff = callerOf(off, salus.apiKey)
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

console.log('| read | bytes | full | 304 | gzip | br | zstd |\n|---|---|---|---|---|---|---|')
for (const [name, url] of Object.entries(urls)) {
  for (let time = 0; time < 3; time++) await call('GET', url)
  const plain = await call('GET', url)
  const etag = String(plain.headers.etag)
  const sizes: Record<string, number> = {}
  const ways: Record<string, () => ReturnType<typeof call>> = {
    full: () => callOff('GET', url),
    304: () => call('GET', url, undefined, { 'if-none-match': etag }),
    ...Object.fromEntries(
      ['gzip', 'br', 'zstd'].map((encoding) => [
        encoding,
        () => call('GET', url, undefined, { 'accept-encoding': encoding }),
      ]),
    ),
  }
  const times: Record<string, number[]> = {}
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [way, read] of Object.entries(ways)) {
      const before = cpuMs()
      for (let count = 0; count < READS; count++) {
        const answer = await read()
        if (answer.status !== (way === '304' ? 304 : 200))
          throw new Error(`${way} ${answer.status}`)
        sizes[way] = answer.bytes.length
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
  console.log(`| ${name} | ${plain.bytes.length} | ${cells} |`)
}
await off.close()
await salus.close()

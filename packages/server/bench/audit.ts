import { MINUTE_MS } from '@salus/contracts/time-units'
import { buildApp } from '../src/app.ts'
import { createHarness } from '../test/harness.ts'
import { median } from './measure.ts'

/**
 * What the audit log costs reads: CPU of this process and milliseconds a read of a user and of a
 * day of samples, with the log and without, in turns in the same app. Without, no caller is known
 * to the log. A round lasts for several batches of the log, and ends when its last rows are
 * written. Run by itself: `node packages/server/bench/audit.ts`.
 */
const ROUNDS = 16

const salus = await createHarness()
const userId = await salus.makeUser('manual')
const start = Date.parse('2026-02-01T00:00:00Z')
const data = Array.from({ length: 1440 }, (_, minute) => {
  const at = new Date(start + minute * MINUTE_MS).toISOString()
  return { start: at, end: at, type: 'automatic', unit: 'bpm', value: 60 + (minute % 40) }
})
const body = {
  stage: 'daily',
  provider: 'manual',
  time_zone: 'UTC',
  data: { source: { type: 'app' }, samples: data },
}
await salus.call('POST', `/v2/timeseries/${userId}/heartrate`, body)

let isAudited = true
const app = await buildApp(salus.dependencies)
app.addHook('preHandler', (request, _reply, done) => {
  if (!isAudited) request.actor = null
  done()
})
await app.ready()

const day = '2026-02-01'
const grouped = `/v2/timeseries/${userId}/heartrate/grouped?start_date=${day}&end_date=${day}`
const cases = [
  { name: 'a user', url: `/v2/user/${userId}`, reads: 1000 },
  { name: 'a day of samples', url: grouped, reads: 120 },
]
const headers = { 'x-service-api-key': salus.apiKey }

async function measure(url: string, count: number) {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  for (let read = 0; read < count; read += 4) {
    const reads = [0, 1, 2, 3].map(() => app.inject({ url, headers }))
    for (const answer of await Promise.all(reads)) {
      if (answer.statusCode !== 200) throw new Error(answer.body)
    }
  }
  const wall = (performance.now() - startedAt) / count
  await salus.dependencies.audit.flush()
  const { user, system } = process.cpuUsage(cpu)
  return { cpu: (user + system) / 1000 / count, wall }
}

for (const { name, url, reads } of cases) {
  const results = {
    with: { cpu: [] as number[], wall: [] as number[] },
    without: { cpu: [] as number[], wall: [] as number[] },
  }
  for (let round = 0; round < ROUNDS + 2; round++) {
    const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)
    for (const kind of order) {
      isAudited = kind === 'with'
      const { cpu, wall } = await measure(url, reads)
      if (round < 2) continue
      results[kind].cpu.push(cpu)
      results[kind].wall.push(wall)
    }
  }
  const show = (what: 'cpu' | 'wall') => {
    const [on, off] = [median(results.with[what]), median(results.without[what])]
    return `${on.toFixed(3)} ms with, ${off.toFixed(3)} without (${((on / off - 1) * 100).toFixed(1)} %)`
  }
  console.log(`${name}: CPU ${show('cpu')}; time ${show('wall')}`)
}
await app.close()
await salus.close()

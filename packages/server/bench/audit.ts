import { buildApp } from '../src/app.ts'
import { createHarness } from '../test/harness.ts'
import { median } from './measure.ts'

/**
 * What the audit log costs reads: CPU of this process and milliseconds a read of a user and of a day of
 * samples, with the log and without, in turns on the same stores. Without, no caller is known to the log.
 * Run by itself: `node packages/server/bench/audit.ts`.
 */
const ROUNDS = 30
const READS = 100

const salus = await createHarness()
const userId = await salus.makeUser('manual')
const start = Date.parse('2026-02-01T00:00:00Z')
const data = Array.from({ length: 1440 }, (_, minute) => {
  const at = new Date(start + minute * 60_000).toISOString()
  return { start: at, end: at, type: 'automatic', unit: 'bpm', value: 60 + (minute % 40) }
})
const body = {
  stage: 'daily',
  provider: 'manual',
  time_zone: 'UTC',
  data: { source: { type: 'app' }, samples: data },
}
await salus.call('POST', `/v2/timeseries/${userId}/heartrate`, body)

const without = await buildApp(salus.dependencies)
without.addHook('preHandler', (request, _reply, done) => {
  request.actor = null
  done()
})
await without.ready()

const day = '2026-02-01'
const paths = {
  'a user': `/v2/user/${userId}`,
  'a day of samples': `/v2/timeseries/${userId}/heartrate/grouped?start_date=${day}&end_date=${day}`,
}
const headers = { 'x-service-api-key': salus.apiKey }

async function measure(app: typeof without, url: string) {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  for (let read = 0; read < READS; read += 4) {
    const reads = [0, 1, 2, 3].map(() => app.inject({ url, headers }))
    for (const answer of await Promise.all(reads)) {
      if (answer.statusCode !== 200) throw new Error(answer.body)
    }
  }
  const { user, system } = process.cpuUsage(cpu)
  return { cpu: (user + system) / 1000 / READS, wall: (performance.now() - startedAt) / READS }
}

for (const [name, url] of Object.entries(paths)) {
  const results = {
    with: { cpu: [] as number[], wall: [] as number[] },
    without: { cpu: [] as number[], wall: [] as number[] },
  }
  for (let round = 0; round < ROUNDS + 2; round++) {
    const order = round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)
    for (const kind of order) {
      const { cpu, wall } = await measure(kind === 'with' ? salus.app : without, url)
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
await without.close()
await salus.close()

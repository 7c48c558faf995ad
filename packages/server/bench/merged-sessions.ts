import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { type Client, createClient } from './client.ts'
import { median, type Row, times } from './measure.ts'
import type { ServerProcess } from './server-process.ts'

const DAYS = 365
const FIRST_DAY = Date.parse('2025-01-01T00:00:00Z')
const APPS = ['com.example.watch', 'com.example.ring', 'com.example.copy']
const READS = 60

/**
 * A year of a person whose nights and workouts come from three sources: the merged reads and
 * queries beside the plain ones, which return three times as many records.
 */
export async function benchMergedSessions(server: ServerProcess): Promise<Row[]> {
  const client = createClient(server, 1)
  const userId = await client.makeUser()
  await upload(client, userId, 'sleep', (day) => makeItem(day, 22, 8 * 60))
  await upload(client, userId, 'workouts', (day) => makeItem(day, 17, 45))
  const range = 'start_date=2025-01-01&end_date=2025-12-31'
  const rows: Row[] = []
  for (const resource of ['sleep', 'workouts']) {
    const path = `/v2/summary/${resource}/${userId}`
    const plain = () => client.call('GET', `${path}?${range}`)
    const merged = () => client.call('GET', `${path}/merged?${range}`)
    const what = `a year of ${resource} of three sources`
    rows.push(await compare(`${what}, merged`, merged, 'the plain list', plain))
  }
  const query = (rule: object) => () =>
    client.call('POST', `/aggregate/v1/user/${userId}/query`, queryBody(rule))
  const [merged, plain] = [query({ source_rule: 'merged' }), query({})]
  const nights = 'a query of its nights by week, merged'
  const compared = await compare(nights, merged, 'one source a week', plain)
  rows.push({ ...compared, goal: '', isMet: null })
  await client.close()
  return rows
}

function queryBody(rule: object): string {
  const every = { date_trunc: { value: 1, unit: 'week' }, arg: { index: 'sleep' } }
  const select = [{ func: 'sum', arg: { sleep: 'duration_second' } }]
  const timeframe = { type: 'relative', anchor: '2025-12-31', past: { value: 1, unit: 'year' } }
  return JSON.stringify({ timeframe, queries: [{ select, group_by: [every], ...rule }] })
}

/** A record of a session of a day, some minutes later for each source. */
function makeItem(day: number, hour: number, minutes: number) {
  return APPS.map((app, source) => {
    const start = FIRST_DAY + day * DAY_MS + hour * HOUR_MS + source * 4 * MINUTE_MS
    return {
      id: `${app}-${hour}-${day}`,
      source_bundle: app,
      source_type: ['watch', 'ring', 'phone'][source],
      sport: 'running',
      start_date: new Date(start).toISOString(),
      end_date: new Date(start + minutes * MINUTE_MS).toISOString(),
    }
  })
}

async function upload(
  client: Client,
  userId: string,
  resource: string,
  itemsOf: (day: number) => object[],
): Promise<void> {
  const data = Array.from({ length: DAYS }, (_, day) => itemsOf(day)).flat()
  const body = JSON.stringify({ stage: 'historical', provider: 'health_connect', data })
  await client.call('POST', `/v2/summary/${resource}/${userId}`, body)
}

/** Milliseconds of two calls that take turns. */
async function compare(
  job: string,
  merged: () => Promise<string>,
  comparedWith: string,
  plain: () => Promise<string>,
): Promise<Row> {
  const took = { merged: [] as number[], plain: [] as number[] }
  for (let read = 0; read < READS + 10; read++) {
    const start = performance.now()
    await merged()
    const middle = performance.now()
    await plain()
    if (read < 10) continue
    took.merged.push(middle - start)
    took.plain.push(performance.now() - middle)
  }
  const [ofMerged, ofPlain] = [median(took.merged), median(took.plain)]
  return {
    job,
    salus: `${ofMerged.toFixed(1)} ms`,
    comparedWith,
    other: `${ofPlain.toFixed(1)} ms`,
    ratio: times(ofMerged / ofPlain),
    goal: '≤ 2',
    isMet: ofMerged / ofPlain <= 2,
  }
}

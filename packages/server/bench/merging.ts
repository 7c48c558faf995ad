import { setTimeout as delay } from 'node:timers/promises'
import { HOUR_MS } from '@salus/contracts/time-units'
import { type Client, createClient } from './client.ts'
import { median, type Row, secondsOf, times } from './measure.ts'
import type { ServerProcess } from './server-process.ts'

const FEW = 1_000
const MANY = 100_000
const ITEMS_OF_A_REQUEST = 5_000
const READS = 3
const DAY = Date.parse('2026-02-10T00:00:00Z')
/** All start within three hours of the day, and each overlaps most of the others. */
const SPREAD_MS = 3 * HOUR_MS
const SAMPLE_MS = HOUR_MS

/**
 * One day of a person with that many sources, a sample of an hour each, merged: how the time grows
 * with the sources, and how long another caller waits meanwhile.
 */
export async function benchMerging(server: ServerProcess): Promise<Row[]> {
  const client = createClient(server, 4)
  const few = await measure(client, FEW)
  const many = await measure(client, MANY)
  await client.close()
  const linearly = (few.seconds * MANY) / FEW
  return [
    {
      job: `merged day of ${MANY.toLocaleString('en-US')} overlapping sources`,
      salus: `${many.seconds.toFixed(2)} s`,
      comparedWith: `${FEW.toLocaleString('en-US')} sources, a hundred times`,
      other: `${linearly.toFixed(2)} s (${(few.seconds * 1000).toFixed(0)} ms each)`,
      ratio: times(many.seconds / linearly),
      goal: '≤ 2',
      isMet: many.seconds / linearly <= 2,
    },
    {
      job: 'longest wait of another caller meanwhile',
      salus: `${many.waitMs.toFixed(0)} ms`,
      comparedWith: 'the same while nothing else runs',
      other: `${many.idleWaitMs.toFixed(0)} ms`,
      ratio: '',
      goal: '≤ 100 ms',
      isMet: many.waitMs <= 100,
    },
  ]
}

async function measure(client: Client, sources: number) {
  const userId = await client.makeUser()
  for (let first = 0; first < sources; first += ITEMS_OF_A_REQUEST) {
    const count = Math.min(ITEMS_OF_A_REQUEST, sources - first)
    const data = Array.from({ length: count }, (_, index) => makeItem(first + index, sources))
    const body = JSON.stringify({ stage: 'daily', provider: 'health_connect', data })
    await client.call('POST', `/v2/timeseries/${userId}/steps`, body)
  }
  const path = `/v2/timeseries/${userId}/steps/merged?start_date=2026-02-10&end_date=2026-02-10&slot=day`
  const read = () => client.call('GET', path)
  const { longestMs: idleWaitMs } = await watch(client, () => delay(1000))
  const seconds: number[] = []
  let waitMs = 0
  for (let call = 0; call < READS; call++) {
    const { longestMs, took } = await watch(client, read)
    seconds.push(took)
    waitMs = Math.max(waitMs, longestMs)
  }
  return { seconds: median(seconds), waitMs, idleWaitMs }
}

function makeItem(index: number, sources: number): object {
  const start = DAY + Math.floor((index * SPREAD_MS) / sources)
  return {
    value: 100,
    unit: 'count',
    start_date: new Date(start).toISOString(),
    end_date: new Date(start + SAMPLE_MS).toISOString(),
    type: 'phone',
    source_bundle: `com.example.app${index}`,
  }
}

/** Asks whether the server is alive again and again while the work goes on. */
async function watch(client: Client, work: () => Promise<unknown>) {
  let isOver = false
  let longestMs = 0
  const asking = (async () => {
    while (!isOver) {
      const startedAt = performance.now()
      await client.call('GET', '/health/live')
      longestMs = Math.max(longestMs, performance.now() - startedAt)
      await delay(2)
    }
  })()
  const took = await secondsOf(work)
  isOver = true
  await asking
  return { took, longestMs }
}

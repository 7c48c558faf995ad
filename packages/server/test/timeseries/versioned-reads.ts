import assert from 'node:assert/strict'
import { readBuildId } from '@salus/kernel/build-id'
import { buildApp } from '../../src/app.ts'
import { type Answer, callerOf, type Harness } from '../harness.ts'
import { createTestIngest, storeAs } from '../ingest-fixture.ts'

const DAYS = 'start_date=2026-02-09&end_date=2026-02-13'
const OPEN = 'start_date=2026-02-09'

/** Reads whose answers have the version of a person's data, by what stands before the query. */
export const versionedReads = (userId: string): string[] => [
  `/v2/timeseries/${userId}/steps/grouped?${DAYS}`,
  `/v2/timeseries/${userId}/steps/grouped?start_date=2026-01-01&end_date=2026-12-31`,
  `/v2/timeseries/${userId}/steps?${DAYS}`,
  `/v2/timeseries/${userId}/steps/merged?${DAYS}&slot=hour`,
  `/v2/timeseries/${userId}/steps/chart?${DAYS}`,
  `/v2/timeseries/${userId}/charts`,
  `/v2/summary/activity/${userId}?${DAYS}`,
  `/v2/summary/activity/${userId}?${OPEN}`,
  `/v2/summary/activity/${userId}/merged?${DAYS}`,
  `/v2/summary/activity/${userId}/raw?${DAYS}`,
  `/v2/summary/sleep/${userId}?${DAYS}`,
  `/v2/summary/sleep/${userId}/merged?${DAYS}`,
  `/v2/summary/sleep_cycle/${userId}?${DAYS}`,
  `/v2/summary/workouts/${userId}?${DAYS}`,
  `/v2/summary/workouts/${userId}/raw?${DAYS}`,
  `/v2/summary/body/${userId}?${DAYS}`,
  `/v2/summary/meal/${userId}?${DAYS}`,
  `/v2/summary/electrocardiogram/${userId}?${DAYS}`,
  `/v2/summary/menstrual_cycle/${userId}?${OPEN}`,
  `/v2/summary/menstrual_cycle/${userId}?${DAYS}`,
  `/v2/summary/devices/${userId}/raw`,
]

/** Reads that depend on a profile, which a new person does not have. */
export const profileReads = (userId: string): string[] => [
  `/v2/summary/profile/${userId}`,
  `/v2/summary/profile/${userId}/raw`,
]

/** One of several processes on the same stores. */
export interface Process {
  call: Harness['call']
  ingest: Harness['ingest']
  store: ReturnType<typeof storeAs>
}

/** Two processes on the stores of a harness, as far as these share no memory. */
export async function startTwoProcesses(salus: Harness): Promise<{
  processes: readonly [Process, Process]
  close(): Promise<void>
}> {
  await readBuildId()
  const { dependencies, apiKey } = salus
  const others = [createTestIngest(dependencies), createTestIngest(dependencies)] as const
  const apps = [await buildApp(dependencies), await buildApp(dependencies)] as const
  const start = (index: 0 | 1): Process => ({
    call: callerOf(apps[index], apiKey),
    ingest: others[index],
    store: storeAs(others[index], dependencies),
  })
  return {
    processes: [start(0), start(1)],
    async close() {
      for (const app of apps) await app.close()
      for (const ingest of others) await ingest.idle()
    },
  }
}

/** Reads an address as a client that has an answer of before. */
export function readAgain({ call }: Process, url: string, tag: unknown): Promise<Answer> {
  return call('GET', url, undefined, { 'if-none-match': String(tag) })
}

/** Reads an address, and returns the tag of the answer, which must have one. */
export async function readTag({ call }: Process, url: string): Promise<string> {
  const { status, headers, text } = await call('GET', url)
  assert.equal(status, 200, `${url}: ${text}`)
  assert.match(String(headers.etag), /^W\/"[\w-]{32}"$/, url)
  return String(headers.etag)
}

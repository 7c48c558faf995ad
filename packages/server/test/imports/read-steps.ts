import assert from 'node:assert/strict'
import type { Harness } from '../harness.ts'

interface ReadSample {
  timestamp: string
  timezone_offset: number
}

/** The steps of a person, as a grouped read answers them. */
export async function stepsOf(salus: Harness, userId: string): Promise<ReadSample[]> {
  const period = 'start_date=2020-01-01&end_date=2030-01-01'
  const url = `/v2/timeseries/${userId}/steps/grouped?${period}`
  const { body } = await salus.call('GET', url)
  return body.groups.apple_health_kit.flatMap((group: { data: ReadSample[] }) => group.data)
}

/** Days of steps in May 2024, as a merged read answers them. */
export async function mergedDaysOf(salus: Harness, userId: string) {
  const period = 'start_date=2024-05-01&end_date=2024-05-31'
  const url = `/v2/timeseries/${userId}/steps/merged?${period}&slot=day`
  const { body, status, text } = await salus.call('GET', url)
  assert.equal(status, 200, text)
  return body.data as { calendar_date: string; value: number; timezone_offset: number }[]
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHarness } from './harness.ts'
import { useFixture } from './use-fixture.ts'

/** The data of an answered upload are in the next read, of whichever route. */

const salus = useFixture(createHarness)

const DAYS = 'start_date=2026-02-10&end_date=2026-02-10'
const STEPS = {
  timeframe: { type: 'relative', anchor: '2026-02-10', past: { unit: 'day' } },
  queries: [
    {
      select: [{ func: 'sum', arg: { timeseries: 'steps', field: 'value' } }],
      group_by: [{ date_trunc: { unit: 'day' }, arg: { index: 'timeseries' } }],
    },
  ],
}

async function stepsOf(userId: string): Promise<Record<string, unknown>> {
  const query = await salus.call('POST', `/aggregate/v1/user/${userId}/query`, STEPS)
  const merged = await salus.call('GET', `/v2/timeseries/${userId}/steps/merged?${DAYS}&slot=day`)
  const day = await salus.call('GET', `/v2/summary/activity/${userId}/merged?${DAYS}`)
  for (const { status, text } of [query, merged, day]) assert.equal(status, 200, text)
  return {
    query: query.body.results[0].table.sum,
    merged: merged.body.data.map(({ value }: { value: number }) => value),
    day: day.body.activity.map(({ steps }: { steps: number }) => steps),
  }
}

async function upload(userId: string, value: number, minute: number): Promise<void> {
  const at = (second: number): string =>
    new Date(Date.UTC(2026, 1, 10, 8, minute, second)).toISOString()
  const item = { value, unit: 'count', start_date: at(0), end_date: at(60), type: 'watch' }
  const body = { stage: 'daily', provider: 'manual', data: [item] }
  const { status, text } = await salus.call('POST', `/v2/timeseries/${userId}/steps`, body)
  assert.equal(status, 200, text)
}

test('an uploaded sample counts at once in a query, a merged read and the day', async () => {
  const userId = await salus.makeUser('manual')
  assert.deepEqual(await stepsOf(userId), { query: [], merged: [], day: [] })
  let sum = 0
  for (let minute = 0; minute < 20; minute += 5) {
    sum += 10 + minute
    await upload(userId, 10 + minute, minute)
    assert.deepEqual(await stepsOf(userId), { query: [sum], merged: [sum], day: [sum] })
  }
  await upload(userId, 1000, 0)
  sum += 990
  assert.deepEqual(await stepsOf(userId), { query: [sum], merged: [sum], day: [sum] }, 'replaced')
})

test('an uploaded summary is read and asked for at once, and so is its newer version', async () => {
  const userId = await salus.makeUser('manual')
  for (const steps of [4000, 9000]) {
    const data = [{ day_summary: { calendar_date: '2026-02-10', steps_sum: steps } }]
    const body = { stage: 'daily', provider: 'manual', data }
    await salus.call('POST', `/v2/summary/activity/${userId}`, body)
    const read = await salus.call('GET', `/v2/summary/activity/${userId}?${DAYS}`)
    assert.deepEqual(
      read.body.activity.map((day: { steps: number }) => day.steps),
      [steps],
    )
    const { timeframe } = STEPS
    const queries = [{ select: [{ activity: 'steps' }] }]
    const asked = await salus.call('POST', `/aggregate/v1/user/${userId}/query`, {
      timeframe,
      queries,
    })
    assert.deepEqual(asked.body.results[0].table.steps, [steps])
  }
})

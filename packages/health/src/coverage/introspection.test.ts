import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

interface Chunk {
  stage?: string
  from?: string
  to?: string
  days?: string[]
  isFinal?: boolean
  resource?: string
  provider?: string
}

async function send(userId: string, chunk: Chunk): Promise<void> {
  const { stage = 'historical', provider = 'manual', resource = 'steps', days = [] } = chunk
  const answer = await salus.call('POST', `/v2/timeseries/${userId}/${resource}`, {
    stage,
    provider,
    start_date: chunk.from,
    end_date: chunk.to,
    is_final_chunk: chunk.isFinal,
    data: days.map((day) => ({ value: 70, unit: 'count', start_date: `${day}T10:00:00Z` })),
  })
  assert.equal(answer.status, 200, answer.text)
}

async function pullsOf(userId: string) {
  const { body } = await salus.call('GET', `/v2/introspect/historical_pull?user_id=${userId}`)
  return body.data[0]?.provider ?? {}
}

test('daily uploads leave no history; historical ones do, and the last chunk ends it', async () => {
  const userId = await salus.makeUser('manual')
  await send(userId, { stage: 'daily', days: ['2026-01-01'] })
  assert.deepEqual(await pullsOf(userId), {})

  const from = '2026-01-01T00:00:00Z'
  const to = '2026-01-31T00:00:00Z'
  await send(userId, { from, to, days: ['2026-01-02', '2026-01-03'], isFinal: false })
  const { steps } = (await pullsOf(userId)).manual.pulled
  assert.deepEqual(steps, {
    status: 'in_progress',
    range_start: '2026-01-01T00:00:00+00:00',
    range_end: '2026-01-31T00:00:00+00:00',
    timeline: {
      scheduled_at: '2026-03-01T12:00:00+00:00',
      started_at: '2026-03-01T12:00:00+00:00',
      ended_at: null,
    },
    days_with_data: 3,
    release: '0.1.0',
    trace_id: steps.trace_id,
    error_details: null,
  })

  assert.match(steps.trace_id, /^[0-9a-f]{32}$/)

  salus.clock.advance(60)
  await send(userId, { from: '2025-12-01T00:00:00Z', to, days: ['2025-12-05'] })
  const ended = (await pullsOf(userId)).manual
  assert.equal(ended.pulled.steps.status, 'success')
  assert.equal(ended.pulled.steps.range_start, '2025-12-01T00:00:00+00:00')
  assert.equal(ended.pulled.steps.timeline.started_at, '2026-03-01T12:00:00+00:00')
  assert.equal(ended.pulled.steps.timeline.ended_at, '2026-03-01T12:01:00+00:00')
  assert.equal(ended.pulled.steps.days_with_data, 4)
  assert.ok(ended.not_pulled.includes('heartrate') && !ended.not_pulled.includes('steps'))
})

test('a chunk after the end begins a new run, and an empty one counts', async () => {
  const userId = await salus.makeUser('manual')
  await send(userId, { from: '2026-01-01T00:00:00Z', to: '2026-01-31T00:00:00Z' })
  await send(userId, { from: '2026-02-01T00:00:00Z', to: '2026-02-10T00:00:00Z', isFinal: false })
  const { steps } = (await pullsOf(userId)).manual.pulled
  assert.deepEqual([steps.status, steps.range_start], ['in_progress', '2026-02-01T00:00:00+00:00'])
  assert.equal(steps.days_with_data, 0)
})

test('days with summaries count as those with samples do', async () => {
  const userId = await salus.makeUser('manual')
  const days = ['2026-01-03', '2026-01-05']
  const body = {
    ...{ stage: 'historical', provider: 'manual', is_final_chunk: true },
    ...{ start_date: '2026-01-01T00:00:00Z', end_date: '2026-01-31T00:00:00Z' },
    data: days.map((day) => ({ day_summary: { calendar_date: day, steps_sum: 7000 } })),
  }
  await salus.call('POST', `/v2/summary/activity/${userId}`, body)
  const { activity } = (await pullsOf(userId)).manual.pulled
  assert.equal(activity.days_with_data, 2)
})

test('resources have their event names, and the provider filter leaves out others', async () => {
  const userId = await salus.makeUser('manual', 'health_connect')
  const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-31T00:00:00Z' }
  await send(userId, { ...range, resource: 'body_weight' })
  await send(userId, { ...range, provider: 'health_connect' })
  const all = await pullsOf(userId)
  assert.deepEqual(Object.keys(all), ['health_connect', 'manual'])
  assert.deepEqual(Object.keys(all.manual.pulled), ['weight'])
  const url = `/v2/introspect/historical_pull?user_id=${userId}&provider=manual`
  const { body } = await salus.call('GET', url)
  assert.deepEqual(Object.keys(body.data[0].provider), ['manual'])
})

test('users come in pages by user_limit, with either name of the cursor, and only of the caller', async () => {
  const before = await salus.call('GET', '/v2/introspect/historical_pull?user_limit=500')
  const users = await Promise.all([1, 2, 3].map(() => salus.makeUser('manual')))
  for (const userId of users) await send(userId, {})
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const name = seen.length % 2 === 0 ? 'next_cursor' : 'cursor'
    const url = `/v2/introspect/historical_pull?user_limit=1${cursor && `&${name}=${cursor}`}`
    const { body } = await salus.call('GET', url)
    seen.push(...body.data.map((entry: { user_id: string }) => entry.user_id))
    assert.equal(body.next, body.next_cursor)
    if (body.next_cursor === null) break
    cursor = body.next_cursor
  }
  assert.equal(seen.length, before.body.data.length + 3)
  assert.equal(new Set(seen).size, seen.length)
  assert.ok(users.every((userId) => seen.includes(userId)))

  const other = await salus.makeTeam()
  const foreign = await salus.call('GET', '/v2/introspect/historical_pull', undefined, {
    'x-service-api-key': other.sandboxKey,
  })
  assert.deepEqual(foreign.body, { data: [], next: null, next_cursor: null })
  const wrong = await salus.call('GET', '/v2/introspect/historical_pull?next_cursor=x')
  assert.deepEqual([wrong.status, wrong.body.detail.error_type], [400, 'invalid_cursor'])
})

test('a cursor of another team is refused like a malformed one', async () => {
  for (let count = 0; count < 2; count += 1) await send(await salus.makeUser('manual'), {})
  const other = { 'x-service-api-key': (await salus.makeTeam()).sandboxKey }
  for (const list of ['historical_pull', 'resources']) {
    const url = `/v2/introspect/${list}?user_limit=1`
    const { next_cursor: cursor } = (await salus.call('GET', url)).body
    assert.equal((await salus.call('GET', `${url}&next_cursor=${cursor}`)).status, 200)
    const foreign = await salus.call('GET', `${url}&next_cursor=${cursor}`, undefined, other)
    assert.deepEqual([foreign.status, foreign.body.detail.error_type], [400, 'invalid_cursor'])
  }
})

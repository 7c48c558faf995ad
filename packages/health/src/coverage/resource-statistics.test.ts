import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { createHarness } from '../../../server/test/harness.ts'
import { createSampleFixture, createTestIngest } from '../../../server/test/ingest-fixture.ts'
import { rowScope } from '../../../server/test/scope.ts'
import { changeSettings, storedEvents } from '../../../server/test/stored-events.ts'
import { storeSummary } from '../../../server/test/summaries/store-summary.ts'
import { IOS_ITEMS } from '../../../server/test/summaries/upload-items.registry.ts'
import { uploadSummary } from '../../../server/test/summaries/upload-summary.ts'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { recordAttempts } from '../connections/index.ts'

const salus = useFixture(createHarness)

async function resources(query: string, headers = {}) {
  const url = `/v2/introspect/resources?${query}`
  const { status, body, text } = await salus.call('GET', url, undefined, headers)
  assert.equal(status, 200, text)
  return body
}

async function environmentOf(userId: string): Promise<string> {
  const { db } = salus.database
  const row = await db
    .selectFrom('users')
    .select('environment_id')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.environment_id
}

async function upload(
  userId: string,
  resource: string,
  times: string[],
  provider = 'manual',
  { value = 70, unit = 'kg', ...change }: { value?: number; unit?: string; stage?: string } = {},
) {
  const data = times.map((start_date) => ({ value, unit, start_date }))
  const body = { stage: 'daily', provider, data, ...change }
  const answer = await salus.call('POST', `/v2/timeseries/${userId}/${resource}`, body)
  assert.equal(answer.status, 200, answer.text)
}

/**
 * Time of the last attempt, as HH:MM, and objects sent, by resource; nothing without an attempt.
 */
async function attemptsOf(userId: string, provider = 'manual') {
  const [item] = (await resources(`user_id=${userId}`)).data
  const found: Record<string, [time: string, sent: number]> = {}
  for (const [resource, { last_attempt, sent_count }] of Object.entries<{
    last_attempt: { timestamp: string; status: string } | null
    sent_count: number
  }>(item.provider[provider])) {
    if (last_attempt === null) continue
    assert.equal(last_attempt.status, 'success')
    found[resource] = [last_attempt.timestamp.slice(11, 16), sent_count]
  }
  return found
}

/** Lets minutes pass; returns the time, as HH:MM. */
function afterMinutes(minutes: number): string {
  salus.clock.advance(minutes * 60)
  return salus.clock.now().toISOString().slice(11, 16)
}

test('each resource of a connection has its oldest and newest data and its last attempt', async () => {
  const userId = await salus.makeUser('manual', 'health_connect')
  await upload(userId, 'body_weight', ['2026-02-03T10:00:00Z', '2026-02-01T10:00:00Z'])
  await storeSummary(salus, userId, 'sleep', { started_at: '2026-02-02T22:00:00Z' })
  await storeSummary(salus, userId, 'sleep', { started_at: '2026-02-04T22:00:00Z' })
  await storeSummary(salus, userId, 'sleep', {
    started_at: '2026-02-03T22:00:00Z',
    stage_start_offset_second: [0],
    stage_end_offset_second: [60],
    stage_type: [2],
  })
  const removed = { started_at: '2026-02-09T22:00:00Z', is_removed: 1 } as const
  await storeSummary(salus, userId, 'sleep', removed)
  const scope = rowScope(salus.database.db, { id: await environmentOf(userId) })
  const attempts = [
    ['10:00', 'success', 2],
    ['11:00', 'failure', 0],
    ['10:30', 'success', 3],
  ] as const
  for (const [time, last_attempt_status, sent_count] of attempts) {
    const last_attempt_at = new Date(`2026-03-02T${time}:00Z`)
    const attempt = { user_id: userId, provider: 'manual', resource: 'weight' }
    await recordAttempts(scope, [{ ...attempt, last_attempt_at, last_attempt_status, sent_count }])
  }
  const unknown = { last_attempt: null, sent_count: null }
  const { data, next, next_cursor } = await resources(`user_id=${userId}`)
  assert.deepEqual([next, next_cursor], [null, null])
  assert.deepEqual(data, [
    {
      user_id: userId,
      provider: {
        health_connect: {},
        manual: {
          sleep: {
            ...unknown,
            oldest_data: '2026-02-02T22:00:00+00:00',
            newest_data: '2026-02-04T22:00:00+00:00',
          },
          sleep_cycle: {
            ...unknown,
            oldest_data: '2026-02-03T22:00:00+00:00',
            newest_data: '2026-02-03T22:00:00+00:00',
          },
          weight: {
            last_attempt: { timestamp: '2026-03-02T11:00:00+00:00', status: 'failure' },
            oldest_data: '2026-02-01T10:00:00+00:00',
            newest_data: '2026-02-03T10:00:00+00:00',
            sent_count: 7,
          },
        },
      },
    },
  ])
  const [one] = (await resources(`user_id=${userId}&provider=health_connect`)).data
  assert.deepEqual(one.provider, { health_connect: {} })
  assert.deepEqual((await resources(`user_id=${userId}&provider=fitbit`)).data, [])
})

test('users come a page at a time, and only those of the own environment', async () => {
  const users = new Set<string>()
  for (let count = 0; count < 3; count++) users.add(await salus.makeUser('samsung_health'))
  await salus.makeUser('manual')
  const filter = 'provider=samsung_health&user_limit=2'
  const first = await resources(filter)
  assert.equal(first.data.length, 2)
  assert.equal(first.next, first.next_cursor)
  const second = await resources(`${filter}&next_cursor=${first.next_cursor}`)
  assert.equal(second.next_cursor, null)
  const same = await resources(`${filter}&cursor=${first.next_cursor}`)
  assert.deepEqual(same, second)
  const found = [...first.data, ...second.data].map((item: { user_id: string }) => item.user_id)
  assert.deepEqual(new Set(found), users)
  assert.equal(found.length, 3)

  const team = await salus.makeTeam()
  const [id] = users
  const stranger = { 'x-service-api-key': team.sandboxKey }
  assert.deepEqual((await resources(`user_id=${id}`, stranger)).data, [])
  assert.deepEqual((await resources(`user_id=${newId()}`)).data, [])
  const foreign = `/v2/introspect/resources?next_cursor=${first.next_cursor}`
  assert.equal((await salus.call('GET', foreign)).body.detail.error_type, 'invalid_cursor')
  assert.equal((await salus.call('GET', '/v2/introspect/resources?user_limit=501')).status, 422)
})

const SERIES_NAMES = ['steps', 'heartrate', 'water', 'caffeine', 'distance', 'hrv', 'vo2_max']
const MORNING = ['2026-02-10T08:00:00Z', '2026-02-10T08:01:00Z']

test('each upload is an attempt, and counts the new samples in its events', async () => {
  const userId = await salus.makeUser('manual', 'health_connect')
  const first = afterMinutes(1)
  await upload(userId, 'body_weight', MORNING)
  assert.deepEqual(await attemptsOf(userId), { weight: [first, 2] })
  await upload(userId, 'body_weight', MORNING.slice(0, 1), 'health_connect')
  assert.deepEqual(await attemptsOf(userId, 'health_connect'), { weight: [first, 1] })
  const same = afterMinutes(1)
  await upload(userId, 'body_weight', MORNING)
  assert.deepEqual(await attemptsOf(userId), { weight: [same, 2] })
  const changed = afterMinutes(1)
  await upload(userId, 'body_weight', [...MORNING, '2026-02-10T08:02:00Z'], 'manual', { value: 71 })
  assert.deepEqual(await attemptsOf(userId), { weight: [changed, 3] })
  const empty = afterMinutes(1)
  await upload(userId, 'body_weight', [])
  await upload(userId, 'body_fat', ['never'])
  assert.deepEqual(await attemptsOf(userId), { weight: [empty, 3], fat: [empty, 0] })
  assert.deepEqual(await attemptsOf(userId, 'health_connect'), { weight: [first, 1] })
})

test('history is an attempt too, and only counts samples in events', async () => {
  const userId = await salus.makeUser('manual')
  const time = afterMinutes(1)
  const stage = 'historical'
  await upload(userId, 'body_weight', MORNING, 'manual', { stage })
  assert.deepEqual(await attemptsOf(userId), { weight: [time, 0] })
  await changeSettings(salus, { push_historical_data: true })
  await upload(userId, 'body_fat', MORNING, 'manual', { stage, value: 20, unit: '%' })
  await changeSettings(salus, { push_historical_data: false })
  assert.deepEqual(await attemptsOf(userId), { weight: [time, 0], fat: [time, 2] })
})

test('an upload of summaries is an attempt at all that came with it', async () => {
  const provider = 'apple_health_kit'
  const userId = await salus.makeUser(provider)
  const first = afterMinutes(1)
  for (const resource of ['sleep', 'workouts'] as const) {
    const { status } = await uploadSummary(salus, userId, resource, [IOS_ITEMS[resource]])
    assert.equal(status, 200)
  }
  const expected = new Map<string, number>()
  for (const { event_type, payload } of await storedEvents(salus, userId, /^daily.*created$/)) {
    const resource = event_type.split('.')[2] as string
    expected.set(resource, (expected.get(resource) ?? 0) + (payload.data.data?.length ?? 1))
  }
  const attempts = await attemptsOf(userId, provider)
  const sent = Object.entries(attempts).map(([resource, [, count]]) => [resource, count])
  assert.deepEqual(Object.fromEntries(sent), Object.fromEntries([...expected].toSorted()))
  assert.deepEqual(attempts.sleep_cycle, [first, 1])
  assert.deepEqual(attempts.workout_distance, [first, 2])
  const second = afterMinutes(1)
  await uploadSummary(salus, userId, 'sleep', [IOS_ITEMS.sleep])
  const after = await attemptsOf(userId, provider)
  for (const resource of ['sleep', 'sleep_cycle', 'heartrate']) {
    assert.deepEqual(after[resource], [second, attempts[resource]?.[1]], resource)
  }
  assert.deepEqual(after.workouts, [first, 1])
})

test('uploads of a person at the same time, by several processes, lose no count', async () => {
  const providers = ['manual', 'health_connect']
  const userId = await salus.makeUser(...providers)
  const environmentId = await environmentOf(userId)
  const { dependencies } = salus
  const processes = Array.from({ length: 8 }, () =>
    createSampleFixture(createTestIngest({ ...dependencies, batchWaitMs: 0 }), dependencies),
  )
  const publication = {
    environment: {
      id: environmentId,
      teamId: salus.teamId,
      settings: { event_type_prefixes: null },
    },
    user: { id: userId, client_user_id: 'person' },
    deviceId: null,
    baseUrl: 'https://salus.test',
  }
  const ROUNDS = 10
  for (let round = 0; round < ROUNDS; round++) {
    // Each names the series, and the providers, in an order of its own.
    const uploads = processes.flatMap((writer, index) =>
      (index % 2 ? providers : providers.toReversed()).map((provider) => {
        const startedAt = Date.UTC(2026, 1, round + 1, index)
        const samples = SERIES_NAMES.map((series) => plainSample({ series, startedAt }))
        if (index % 4 > 1) samples.reverse()
        return writer.write({ environmentId, userId, provider }, samples, publication)
      }),
    )
    const history = providers.flatMap((provider) =>
      SERIES_NAMES.map((series) => upload(userId, series, [], provider, { stage: 'historical' })),
    )
    await Promise.all([...uploads, ...history])
  }
  for (const provider of providers) {
    const counts = Object.values(await attemptsOf(userId, provider)).map(([, sent]) => sent)
    assert.deepEqual(counts, Array(SERIES_NAMES.length).fill(processes.length * ROUNDS))
  }
})

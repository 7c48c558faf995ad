import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createHarness, type Harness } from '../../test/harness.ts'
import { noteAttempt } from '../connections/index.ts'
import { newId } from '../platform/ids.ts'
import { storeSummary } from '../summaries/testing/store-summary.ts'

let salus: Harness
before(async () => {
  salus = await createHarness()
})
after(() => salus.close())

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

function upload(userId: string, resource: string, times: string[], provider = 'manual') {
  const data = times.map((start_date) => ({ value: 70, unit: 'kg', start_date }))
  return salus.call('POST', `/v2/timeseries/${userId}/${resource}`, {
    stage: 'daily',
    provider,
    data,
  })
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
  const environmentId = await environmentOf(userId)
  const { db } = salus.database
  const attempts = [
    { at: new Date('2026-02-05T10:00:00Z'), status: 'success', sent: 2 },
    { at: new Date('2026-02-05T11:00:00Z'), status: 'failure', sent: 0 },
    { at: new Date('2026-02-05T10:30:00Z'), status: 'success', sent: 3 },
  ] as const
  for (const attempt of attempts) {
    await noteAttempt(db, environmentId, userId, 'manual', 'weight', attempt)
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
            last_attempt: { timestamp: '2026-02-05T11:00:00+00:00', status: 'failure' },
            oldest_data: '2026-02-01T10:00:00+00:00',
            newest_data: '2026-02-03T10:00:00+00:00',
            sent_count: 5,
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

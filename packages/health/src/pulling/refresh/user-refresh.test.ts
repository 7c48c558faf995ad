import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@salus/kernel/ids'
import { addJob } from '@salus/kernel/jobs/jobs'
import { createPullingFixture, PROVIDER } from '../../../../server/test/pulling/pulling-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { putPullPreferences } from '../index.ts'
import { PLAN_PULLS } from '../planning/plan-connection.service.ts'

const pulling = useFixture(createPullingFixture)
before(() =>
  putPullPreferences(pulling.scope, { provider: PROVIDER, days: 1, resourceOverrides: {} }),
)

const refresh = (userId: string, query = '') =>
  pulling.harness.call('POST', `/v2/user/refresh/${userId}${query}`)

async function connect() {
  const userId = await pulling.connect()
  await pulling.puller.poll()
  pulling.harness.clock.advance(120)
  return userId
}

test('a refresh brings what is newest and says which sources did', async () => {
  const userId = await connect()
  const before = await pulling.countSamples(userId, 'heartrate')
  const { status, body } = await refresh(userId)
  assert.deepEqual(body, {
    success: true,
    user_id: userId,
    refreshed_sources: [PROVIDER],
    in_progress_sources: [],
    failed_sources: [],
  })
  assert.equal(status, 200)
  const { instants } = await pulling.countSamples(userId, 'heartrate')
  assert.equal(instants, before.instants + 2)
})

test('a refresh that takes longer than the time out goes on', async () => {
  const userId = await connect()
  let goOn = () => {}
  pulling.vendor.hold = new Promise((resolve) => {
    goOn = () => resolve()
  })
  const { status, body } = await refresh(userId, '?timeout=5')
  goOn()
  pulling.vendor.hold = undefined
  assert.equal(status, 202)
  assert.deepEqual([body.success, body.in_progress_sources], [true, [PROVIDER]])
  await pulling.puller.poll()
})

test('a new connection is waited for until it is pulled', async () => {
  const userId = await pulling.connect({ isPlanned: false })
  const { db, environment } = pulling.scope
  const planned = { environmentId: environment.id, userId, provider: PROVIDER, isTriggered: false }
  await addJob(db, PLAN_PULLS, planned)
  const answer = refresh(userId)
  await sleep(300)
  await pulling.plan(userId)
  await pulling.puller.poll()
  const { status, body } = await answer
  assert.deepEqual([status, body.refreshed_sources], [200, [PROVIDER]])
})

test('a refresh that works with no source is an error', async () => {
  const unconnected = await pulling.harness.makeUser('health_connect')
  const none = await refresh(unconnected)
  assert.equal(none.status, 400)
  assert.deepEqual(none.body, {
    success: false,
    user_id: unconnected,
    error: 'The user has no connection that can be refreshed.',
    failed_sources: [],
  })
  const userId = await connect()
  pulling.vendor.mood = 'down'
  const { status, body } = await refresh(userId)
  pulling.vendor.mood = 'well'
  assert.equal(status, 400)
  assert.deepEqual([body.success, body.failed_sources], [false, [PROVIDER]])
})

test('eight an hour are allowed, of people whom the team has', async () => {
  const userId = await pulling.harness.makeUser()
  const statuses = await Promise.all(Array.from({ length: 9 }, () => refresh(userId)))
  assert.deepEqual(statuses.map(({ status }) => status).sort(), [...Array(8).fill(400), 429])
  pulling.harness.clock.advance(3601)
  assert.equal((await refresh(userId)).status, 400)
  assert.equal((await refresh(newId())).status, 404)
  for (const timeout of [-1, 61]) {
    assert.equal((await refresh(userId, `?timeout=${timeout}`)).status, 422)
  }
})

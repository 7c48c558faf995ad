import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { createCredentialStore } from '@salus/kernel/crypto/credential-store'
import { createPullingFixture, PROVIDER } from '../../../../server/test/pulling/pulling-fixture.ts'
import { changeSettings, storedEvents } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { findConnection, pauseConnections } from '../../connections/index.ts'
import { revokeEndedGrants, revokeGrant } from '../access/revoke-grant.service.ts'
import {
  listPullPreferences,
  putPullPreferences,
  removePullPreferences,
  startPulling,
  triggerHistory,
} from '../index.ts'

const pulling = useFixture(createPullingFixture)

const daysAgo = (at: number) =>
  Math.floor(pulling.harness.clock.now().getTime() / DAY_MS) - Math.floor(at / DAY_MS)
const prefer = (days: number | null, resourceOverrides: Record<string, number> = {}) =>
  putPullPreferences(pulling.scope, { provider: PROVIDER, days, resourceOverrides })

/** Days before today from which each collection is pulled. */
async function plannedDays(userId: string) {
  const tasks = await pulling.tasksOf(userId)
  return Object.fromEntries(
    Object.entries(tasks).map(([name, { coverage }]) => [
      name,
      coverage[0] === undefined ? null : daysAgo(coverage[0].from),
    ]),
  )
}

describe('the history of a connection', () => {
  test('is as long as the provider has it, or as the team prefers', async () => {
    pulling.vendor.mood = 'down'
    assert.deepEqual(await plannedDays(await pulling.connect()), { heart: 180, weights: 180 })
    await prefer(30, { weight: 60 })
    assert.deepEqual(await listPullPreferences(pulling.scope), [
      { provider: PROVIDER, days: 30, resourceOverrides: { weight: 60 } },
    ])
    assert.deepEqual(await plannedDays(await pulling.connect()), { heart: 30, weights: 60 })
    await prefer(null, { weight: 0 })
    const userId = await pulling.connect()
    assert.deepEqual(await plannedDays(userId), { heart: 180, weights: null })
    assert.deepEqual(Object.keys((await pulling.historyOf(userId)).pulled), ['heartrate'])
    await removePullPreferences(pulling.scope, [PROVIDER])
    assert.deepEqual(await listPullPreferences(pulling.scope), [])
  })

  test('is cut by the bounds of the person, with a day of tolerance, and stored within them', async () => {
    // Users of other tests are not pulled, once their tasks in progress have ended.
    await pulling.puller.poll()
    await pulling.harness.database.pool.query('update pull_tasks set due_at = null')
    pulling.vendor.mood = 'well'
    const userId = await pulling.harness.makeUser()
    const bounds = { ingestion_start: '2026-02-20', ingestion_end: '2026-02-25' }
    await pulling.harness.call('PATCH', `/v2/user/${userId}`, bounds)
    pulling.vendor.asked = []
    await pulling.connectUser(userId)
    await pulling.puller.poll()
    const ranges = pulling.vendor.asked.map(({ range }) => [range.from, range.to])
    const whole = [Date.UTC(2026, 1, 19), Date.UTC(2026, 1, 27)]
    assert.deepEqual(ranges, [whole, whole])
    const { instants } = await pulling.countSamples(userId, 'heartrate')
    // The vendor's samples have no zone here, so the day before and after may be within.
    assert.equal(instants, 8 * 24 * 60)
  })

  test('of what the person did not allow is not asked for, and said to be not pulled', async () => {
    await prefer(2)
    pulling.vendor.asked = []
    const userId = await pulling.connect({ scopes: ['heart'] })
    await pulling.puller.poll()
    assert.ok(pulling.vendor.asked.every(({ collection }) => collection === 'heart'))
    const { pulled, not_pulled } = await pulling.historyOf(userId)
    assert.deepEqual(Object.keys(pulled), ['heartrate'])
    assert.ok(not_pulled.includes('sleep'))
    assert.ok(!not_pulled.includes('heartrate'))
  })

  test('has events of each of its data only for a team that wants them', async () => {
    const types = async (userId: string) =>
      new Set((await storedEvents(pulling.harness, userId)).map(({ event_type }) => event_type))
    const without = await pulling.connect()
    await pulling.puller.poll()
    assert.ok(!(await types(without)).has('daily.data.heartrate.created'))
    await changeSettings(pulling.harness, { push_historical_data: true })
    const puller = pulling.harness.startPuller({ pollMs: 3_600_000 })
    await pulling.puller.stop()
    const withEvents = await pulling.connect()
    await puller.poll()
    assert.ok((await types(withEvents)).has('daily.data.heartrate.created'))
    pulling.puller = puller
  })

  test('is planned by a job that its connection adds, in the same transaction', async () => {
    const userId = await pulling.connect({ isPlanned: false })
    const connection = await findConnection(pulling.scope, userId, PROVIDER)
    assert.ok(connection)
    await pulling.scope.transaction((tx) => startPulling(tx, connection))
    const worker = await pulling.harness.startJobs()
    for (let waits = 0; Object.keys(await pulling.tasksOf(userId)).length === 0; waits++) {
      assert.ok(waits < 200)
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    await worker.stop()
    await pulling.puller.poll()
    assert.equal((await pulling.historyOf(userId)).pulled.heartrate.status, 'success')
  })
})

describe('a triggered pull', () => {
  const jobs = async () => {
    const { rows } = await pulling.harness.database.pool.query(
      `select run_at, payload from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where identifier = 'plan_pulls' order by run_at`,
    )
    return rows.map(({ run_at }) => run_at.getTime() as number)
  }

  test('begins some people at a time, other calls included', async () => {
    const people = Array.from({ length: 160 }, () => crypto.randomUUID())
    const begin = pulling.harness.clock.now().getTime()
    await pulling.scope.transaction((tx) => triggerHistory(tx, people, PROVIDER))
    await pulling.scope.transaction((tx) => triggerHistory(tx, people.slice(0, 3), PROVIDER))
    const waits = (await jobs()).map((at) => Math.round((at - begin) / MINUTE_MS))
    const counts = [0, 5, 10].map((minute) => waits.filter((wait) => wait === minute).length)
    assert.deepEqual(counts, [150, 10, 3])
  })

  test('pulls everything again with another event, in a run of its own', async () => {
    const userId = await pulling.connect()
    await pulling.puller.poll()
    const first = (await pulling.historyOf(userId)).pulled.heartrate
    const before = await pulling.countSamples(userId, 'heartrate')
    pulling.vendor.asked = []
    pulling.harness.clock.advance(1)
    await pulling.plan(userId, true)
    await pulling.puller.poll()
    const { pulled } = await pulling.historyOf(userId)
    assert.ok(pulling.vendor.asked.length >= 2)
    assert.equal(pulled.heartrate.status, 'success')
    assert.notEqual(pulled.heartrate.trace_id, first.trace_id)
    const events = await storedEvents(pulling.harness, userId, /^historical.*heartrate/)
    assert.equal(events.length, 2)
    assert.deepEqual(await pulling.countSamples(userId, 'heartrate'), before)
  })

  test('does nothing for people who are paused', async () => {
    const userId = await pulling.connect()
    await pulling.puller.poll()
    await pulling.scope.transaction((tx) => pauseConnections(tx, [userId], PROVIDER))
    const before = await pulling.tasksOf(userId)
    await pulling.plan(userId, true)
    assert.deepEqual(await pulling.tasksOf(userId), before)
  })
})

describe('a connection that is removed', () => {
  const attempt = { isLast: false }
  const hasCredential = async (userId: string) => {
    const { dependencies } = pulling.harness
    const environmentId = pulling.scope.environment.id
    const store = createCredentialStore(dependencies.db, dependencies)
    return (await store.find({ environmentId, userId, name: PROVIDER })) !== undefined
  }
  const revoke = (userId: string, isLast = false) =>
    revokeGrant(
      pulling.harness.dependencies,
      pulling.scope,
      { userId, provider: PROVIDER },
      { ...attempt, isLast },
    )

  test('is ended at the vendor, which is tried again until it works, and its credential goes', async () => {
    const userId = await pulling.connect()
    await pulling.puller.poll()
    await pulling.harness.call('DELETE', `/v2/user/${userId}/${PROVIDER}`)
    pulling.vendor.mood = 'down'
    await assert.rejects(revoke(userId), { message: 'oura: unavailable' })
    assert.ok(await hasCredential(userId))
    pulling.vendor.mood = 'well'
    pulling.vendor.revoked = []
    await revoke(userId)
    assert.equal(pulling.vendor.revoked.length, 1)
    assert.ok(!(await hasCredential(userId)))
    const { heart } = await pulling.tasksOf(userId)
    assert.equal(heart?.due_at, null)
  })

  test('and made again meanwhile keeps its new credential', async () => {
    const userId = await pulling.connect({ accountId: 'again' })
    await pulling.harness.call('DELETE', `/v2/user/${userId}/${PROVIDER}`)
    await pulling.connectUser(userId, { accountId: 'again' })
    pulling.vendor.revoked = []
    await revoke(userId)
    assert.deepEqual(pulling.vendor.revoked, [])
    assert.ok(await hasCredential(userId))
  })

  test('with its person is found, too; and without the vendor its credential goes at last', async () => {
    const userId = await pulling.connect()
    await pulling.harness.call('DELETE', `/v2/user/${userId}`)
    await revokeEndedGrants(pulling.harness.dependencies)
    const { rows } = await pulling.harness.database.pool.query(
      `select payload from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where identifier = 'revoke-grant'`,
    )
    assert.ok(rows.some(({ payload }) => payload.userId === userId))
    pulling.vendor.mood = 'down'
    await revoke(userId, true)
    assert.ok(!(await hasCredential(userId)))
    pulling.vendor.mood = 'well'
  })
})

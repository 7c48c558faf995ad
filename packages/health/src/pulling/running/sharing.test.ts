import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { createCredentialStore } from '@salus/kernel/crypto/credential-store'
import { openSession } from '@salus/kernel/postgres/session'
import { createPullingFixture, PROVIDER } from '../../../../server/test/pulling/pulling-fixture.ts'
import { storedEvents } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { readCredential } from '../../connectors/index.ts'
import { BudgetSpent, Budgets } from '../access/budgets.ts'
import { TokenKeeper } from '../access/token-keeper.ts'
import { putPullPreferences } from '../index.ts'

/** Several processes that pull: each puller here is one. */

const pulling = useFixture(createPullingFixture)
before(() =>
  putPullPreferences(pulling.scope, { provider: PROVIDER, days: 3, resourceOverrides: {} }),
)
beforeEach(async () => {
  // Users of other tests are not pulled.
  await pulling.harness.database.pool.query('update pull_tasks set due_at = null')
  Object.assign(pulling.vendor, { mood: 'well', asked: [], refreshCount: 0, hold: undefined })
})

const now = () => pulling.harness.clock.now().getTime()
const minutesSince = (days: number) =>
  Math.ceil((now() - (Math.floor(now() / DAY_MS) - days) * DAY_MS) / MINUTE_MS)
const another = () => pulling.harness.startPuller({ pollMs: 3_600_000, random: () => 0.5 })
const historyEvents = async (userId: string) =>
  (await storedEvents(pulling.harness, userId, /^historical/)).length

test('pullers share the tasks: each window is pulled once', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => pulling.connect()))
  const other = another()
  await Promise.all([pulling.puller.poll(), other.poll()])
  await Promise.all([pulling.puller.poll(), other.poll()])
  await other.stop()
  const windows = pulling.vendor.asked.map(({ collection }) => collection)
  assert.equal(windows.filter((name) => name === 'heart').length, 12)
  for (const userId of people) {
    const minutes = minutesSince(3)
    assert.deepEqual(await pulling.countSamples(userId, 'heartrate'), {
      rows: minutes,
      instants: minutes,
    })
    assert.equal(await historyEvents(userId), 2)
  }
})

test('data that a puller stored and did not record are pulled again, with one event', async () => {
  const userId = await pulling.connect()
  // As after kill -9 between the two: the tasks are leased, and the data are stored.
  const { pool } = pulling.harness.database
  const before = await pulling.tasksOf(userId)
  await pulling.puller.poll()
  const { heart } = before
  await pool.query(
    `update pull_tasks set coverage = $1, kind = 'backfill', lease = gen_random_uuid(), due_at = $2
    where user_id = $3 and collection = 'heart'`,
    [JSON.stringify(heart?.coverage), new Date(now() + 90_000), userId],
  )
  pulling.vendor.asked = []
  await pulling.puller.poll()
  assert.equal(pulling.vendor.asked.length, 0)
  const minutes = minutesSince(3)
  pulling.harness.clock.advance(91)
  await pulling.puller.poll()
  assert.ok(pulling.vendor.asked.some(({ collection }) => collection === 'heart'))
  const { rows, instants } = await pulling.countSamples(userId, 'heartrate')
  assert.equal(rows, instants)
  assert.ok(instants >= minutes)
  assert.equal(await historyEvents(userId), 2)
})

test('a puller that stops gives back what it was at, and another one goes on', async () => {
  const stopped = another()
  let goOn = () => {}
  pulling.vendor.hold = new Promise((resolve) => {
    goOn = () => resolve()
  })
  const userId = await pulling.connect()
  const working = stopped.poll()
  while (pulling.vendor.requestCount === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await new Promise((resolve) => setTimeout(resolve, 50))
  const stopping = stopped.stop()
  goOn()
  await Promise.all([stopping, working])
  pulling.vendor.hold = undefined
  await pulling.puller.poll()
  const { heart } = await pulling.tasksOf(userId)
  assert.deepEqual(
    heart?.coverage.map(({ state }) => state),
    ['held'],
  )
  const minutes = minutesSince(3)
  assert.deepEqual(await pulling.countSamples(userId, 'heartrate'), {
    rows: minutes,
    instants: minutes,
  })
})

describe('an expired token', () => {
  const credentialOf = async (userId: string) => {
    const { dependencies } = pulling.harness
    const store = createCredentialStore(dependencies.db, dependencies)
    const environmentId = pulling.scope.environment.id
    const found = await readCredential(store, { environmentId, userId, name: PROVIDER })
    assert.ok(found)
    return found
  }

  test('is renewed once for fifty jobs of three processes', async () => {
    const userId = await pulling.connect({ expiresInSeconds: 60, isPlanned: false })
    const { connector } = pulling.vendor
    const account = { connector, environment: pulling.scope.environment, userId }
    const { dependencies } = pulling.harness
    const sessions = await Promise.all(
      [1, 2, 3].map(() =>
        openSession(dependencies.pool, { channels: [], onNotification() {}, onLost() {} }),
      ),
    )
    const keepers = sessions.map((session) => new TokenKeeper(dependencies, session))
    const got = await Promise.all(
      Array.from({ length: 50 }, (_, index) => keepers[index % 3]?.currentCredential(account)),
    )
    for (const session of sessions) session.close()
    assert.equal(pulling.vendor.refreshCount, 1)
    const tokens = new Set(got.map((credential) => credential?.tokens.accessToken))
    assert.deepEqual([...tokens], [(await credentialOf(userId)).tokens.accessToken])
  })

  test('is renewed before it ends, and one that ended earlier when it is refused', async () => {
    const userId = await pulling.connect({ expiresInSeconds: 60 })
    await pulling.puller.poll()
    assert.equal(pulling.vendor.refreshCount, 1)
    const { tokens } = await credentialOf(userId)
    const access = (pulling.vendor as unknown as { access: Set<string> }).access
    access.delete(tokens.accessToken)
    pulling.harness.clock.advance(20 * 60)
    await pulling.puller.poll()
    assert.equal(pulling.vendor.refreshCount, 2)
    const { heart } = await pulling.tasksOf(userId)
    assert.equal(heart?.failures, 0)
  })

  test('that cannot be renewed for now ends nothing', async () => {
    const userId = await pulling.connect({ expiresInSeconds: 60 })
    pulling.vendor.mood = 'down'
    await pulling.puller.poll()
    const { body } = await pulling.harness.call('GET', `/v2/user/providers/${userId}`)
    assert.equal(body.providers[0].status, 'connected')
    pulling.vendor.mood = 'well'
    pulling.harness.clock.advance(600)
    await pulling.puller.poll()
    assert.equal((await pulling.historyOf(userId)).pulled.heartrate.status, 'success')
  })
})

describe('budgets', () => {
  const budgetOwnerOf = (requests: number, seconds: number, per: 'app' | 'credential' = 'app') => {
    const budgets = [{ per, requests, seconds }]
    const connector = { ...pulling.vendor.connector, budgets }
    const app = { clientId: `app of ${requests}/${seconds}`, clientSecret: '' }
    return { connector, kind: 'production', app, connectionId: 'one' }
  }
  const takeRequests = async (processes: Budgets[], owner: ReturnType<typeof budgetOwnerOf>) => {
    let taken = 0
    for (const budgets of processes) {
      for (;;) {
        const isTaken = await budgets.takeRequest(owner).then(
          () => true,
          (error: unknown) => {
            assert.ok(error instanceof BudgetSpent)
            assert.ok(error.until > now())
            return false
          },
        )
        if (!isTaken) break
        taken += 1
      }
    }
    return taken
  }

  test('are shared: processes together never request more than a vendor allows in any such time', async () => {
    const processes = [1, 2, 3].map(() => new Budgets(pulling.harness.dependencies))
    const owner = budgetOwnerOf(120, 60)
    const taken: number[] = []
    for (let second = 0; second < 120; second++) {
      taken.push(await takeRequests(processes, owner))
      pulling.harness.clock.advance(1)
    }
    for (let start = 0; start <= 60; start++) {
      const inWindow = taken.slice(start, start + 60).reduce((sum, count) => sum + count, 0)
      assert.ok(inWindow <= 120, `${inWindow} from ${start}`)
    }
    const all = taken.reduce((sum, count) => sum + count, 0)
    assert.ok(all > 200, String(all))
  })

  test('that are spent are waited for one after the other, as fast as they fill', async () => {
    const budgets = new Budgets(pulling.harness.dependencies)
    const owner = budgetOwnerOf(6_000, 300)
    await takeRequests([budgets], owner)
    const turns: number[] = []
    for (let count = 0; count < 40; count++) {
      await assert.rejects(budgets.takeRequest(owner), (error: unknown) => {
        assert.ok(error instanceof BudgetSpent)
        turns.push(error.until)
        return true
      })
    }
    const gaps = turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0))
    // 5,400 in five minutes are one in 56 milliseconds.
    assert.ok(
      gaps.every((gap) => gap === 55 || gap === 56),
      String(gaps),
    )
  })

  test('that a vendor blocked are blocked for all processes, and of others not', async () => {
    const [one, other] = [1, 2].map(() => new Budgets(pulling.harness.dependencies)) as [
      Budgets,
      Budgets,
    ]
    const owner = budgetOwnerOf(1000, 60, 'credential')
    await one.takeRequest(owner)
    const { until } = await one.blockBudget(owner, 30_000, 'narrowest')
    assert.equal(until, now() + 30_000)
    await assert.rejects(one.takeRequest(owner), { until })
    await assert.rejects(other.takeRequest(owner), { until })
    await other.takeRequest({ ...owner, connectionId: 'two' })
    pulling.harness.clock.advance(31)
    await other.takeRequest(owner)
  })

  test('of an address are those of all apps and teams, and blocked as a whole', async () => {
    const budgets = new Budgets(pulling.harness.dependencies)
    const credential = { per: 'credential', requests: 1000, seconds: 60 } as const
    const ofAddress = { per: 'address', requests: 1000, seconds: 60 } as const
    const connector = { slug: 'kardia', budgets: [credential, ofAddress] } as never
    const owner = { connector, kind: 'production', app: undefined, connectionId: 'one' }
    const app = { clientId: 'other', clientSecret: 's' }
    const { until } = await budgets.blockBudget(owner, 60_000, 'widest')
    await assert.rejects(budgets.takeRequest({ ...owner, app, connectionId: 'two' }), { until })
    await budgets.takeRequest({ ...owner, kind: 'sandbox' })
    pulling.harness.clock.advance(61)
    await budgets.takeRequest(owner)
  })

  test('of a limit that the vendor does not name are blocked for the account, and for all after three', async () => {
    const budgets = new Budgets(pulling.harness.dependencies)
    const assumed = { per: 'app', requests: 1000, seconds: 60, isAssumed: true } as const
    for (const limits of [[assumed], []]) {
      const connector = { slug: `kardia-${limits.length}`, budgets: limits } as never
      const ownerOf = (connectionId: string) => ({
        ...{ connector, kind: 'production', connectionId },
        app: { clientId: 'app', clientSecret: 's' },
      })
      const { until } = await budgets.blockBudget(ownerOf('one'), 60_000, 'narrowest')
      await assert.rejects(budgets.takeRequest(ownerOf('one')), { until, isBlocked: true })
      await budgets.takeRequest(ownerOf('two'))
      await budgets.blockBudget(ownerOf('two'), 60_000, 'narrowest')
      await budgets.takeRequest(ownerOf('three'))
      await budgets.blockBudget(ownerOf('three'), 60_000, 'narrowest')
      await assert.rejects(budgets.takeRequest(ownerOf('four')), { until, isBlocked: true })
      pulling.harness.clock.advance(61)
      for (const account of ['one', 'four']) await budgets.takeRequest(ownerOf(account))
    }
  })

  test('of an app that the vendor limits are blocked for all of its accounts', async () => {
    const budgets = new Budgets(pulling.harness.dependencies)
    const owner = budgetOwnerOf(1000, 60)
    const { until } = await budgets.blockBudget(owner, 60_000, 'narrowest')
    await assert.rejects(budgets.takeRequest({ ...owner, connectionId: 'two' }), { until })
  })
})

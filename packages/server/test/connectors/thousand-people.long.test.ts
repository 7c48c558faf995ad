import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { type Budget, CONNECTORS, type Connector } from '@salus/health/connectors'
import { createLinking } from '../linking/linking-fixture.ts'
import { useFixture } from '../use-fixture.ts'
import { connectAccount } from './connect-account.ts'

/**
 * A thousand people of all vendors at once, in a week of history: every vendor's published limit
 * holds in every span of its length, every history comes to its end, and memory stays level.
 */

const PEOPLE = 1_000
const DAYS = 7
const STEP_MINUTES = 5
/** Strava serves an app 1,000 requests a day. */
const MOST_STEPS = (4 * 24 * 60) / STEP_MINUTES

const linking = useFixture(createLinking)

test('a thousand people are pulled within the limits of their vendors', async (t) => {
  const requests = new Map<string, number[]>()
  linking.emulator.app.addHook('onRequest', async (request) => {
    const [, slug = '', path = ''] = /\/providers\/(\w+)\/(.*)/.exec(request.url) ?? []
    if (/oauth|token|authorize|account|login|console/i.test(path)) return
    const times = requests.get(slug) ?? []
    requests.set(slug, times)
    times.push(linking.now())
  })
  for (const { slug } of CONNECTORS) await linking.wantDays(DAYS, slug)
  const each = Math.ceil(PEOPLE / CONNECTORS.length)
  const pending = new Map<Connector, string[]>()
  for (const connector of CONNECTORS) {
    const users: string[] = []
    for (let number = 0; number < each; number++) {
      const account = `person${number}.${connector.slug}@example.com`
      users.push(await connectAccount(linking, connector, account))
    }
    pending.set(connector, users)
  }
  const memory: number[] = []
  const startedAt = performance.now()
  let steps = 0
  for (; pending.size > 0 && steps < MOST_STEPS; steps++) {
    await linking.advance(STEP_MINUTES)
    memory.push(process.memoryUsage().rss / 1e6)
    for (const [connector, users] of pending) {
      if (!(await isOver(connector, users))) continue
      pending.delete(connector)
      // Polls of those who are done would only take time.
      await linking.harness.database.pool.query(
        'update pull_tasks set due_at = null where provider = $1',
        [connector.slug],
      )
    }
  }
  assert.deepEqual(
    [...pending.keys()].map(({ slug }) => slug),
    [],
    'every history ends',
  )
  const minutes = (performance.now() - startedAt) / MINUTE_MS
  t.diagnostic(
    `${each * CONNECTORS.length} people, ${minutes.toFixed(1)} minutes, ${steps} steps of ${STEP_MINUTES}`,
  )
  t.diagnostic(
    `memory: first ${memory[0]?.toFixed(0)} MB, most ${Math.max(...memory).toFixed(0)} MB`,
  )
  for (const connector of CONNECTORS) {
    const times = requests.get(connector.slug) ?? []
    for (const budget of connector.budgets) {
      if (budget.per !== 'app') continue
      const most = mostWithin(times, budget)
      const limit = budget.requests + (budget.requestsPerUser ?? 0) * each
      t.diagnostic(
        `${connector.slug}: ${times.length} requests, at most ${most} of ${limit} in ${budget.seconds} s`,
      )
      assert.ok(most <= limit, `${connector.slug}: ${most} of ${limit} in ${budget.seconds} s`)
    }
  }
})

/** The largest number of requests in any span as long as that of a budget. */
function mostWithin(times: readonly number[], { seconds }: Budget): number {
  let [most, first] = [0, 0]
  for (const [last, at] of times.entries()) {
    while ((times[first] ?? at) <= at - seconds * 1000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** Whether the histories of all have come to their end. */
async function isOver({ slug }: Connector, users: readonly string[]): Promise<boolean> {
  const { rows } = await linking.harness.database.pool.query(
    `select count(*)::int as count from pull_tasks
      where user_id = any($1::uuid[]) and provider = $2
        and coverage::text like '%"pending"%'`,
    [users, slug],
  )
  return rows[0].count === 0
}

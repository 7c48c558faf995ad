import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS, HOUR_SECONDS } from '@salus/contracts/time-units'
import { createPullingFixture, PROVIDER } from '../../../../server/test/pulling/pulling-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { putPullPreferences } from '../index.ts'

/** The vendor refuses all requests of this deployment. */
const pulling = useFixture(() =>
  createPullingFixture(
    {},
    {
      budgets: [
        { per: 'credential', requests: 10_000, seconds: 60 },
        { per: 'address', requests: 10_000, seconds: 60 },
      ],
      failureOf: ({ status }) =>
        status === 403 ? { kind: 'blocked', retryAfterMs: HOUR_MS } : undefined,
    },
  ),
)

const statusOf = async (userId: string) =>
  (await pulling.harness.call('GET', `/v2/user/providers/${userId}`)).body.providers[0].status

test('a vendor that refuses the deployment gets no requests of anyone for a while', async () => {
  const days = { provider: PROVIDER, days: 3, resourceOverrides: {} }
  await putPullPreferences(pulling.scope, days)
  pulling.vendor.mood = 'refuses'
  const one = await pulling.connect()
  await pulling.puller.poll()
  const { requestCount } = pulling.vendor
  assert.ok(requestCount > 0)
  const other = await pulling.connect()
  await pulling.puller.poll()
  pulling.harness.clock.advance(HOUR_SECONDS - 60)
  await pulling.puller.poll()
  assert.equal(pulling.vendor.requestCount, requestCount)
  for (const user of [one, other]) {
    assert.equal(await statusOf(user), 'connected')
    const { status, error_details } = (await pulling.historyOf(user)).pulled.heartrate
    assert.deepEqual([status, error_details], ['retrying', 'provider_rate_limit_exceeded'])
  }
  pulling.vendor.mood = 'well'
  for (let minute = 0; minute < 10; minute++) {
    pulling.harness.clock.advance(60)
    await pulling.puller.poll()
  }
  for (const user of [one, other]) {
    assert.equal((await pulling.historyOf(user)).pulled.heartrate.status, 'success')
  }
})

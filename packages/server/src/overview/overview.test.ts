import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { useFixture } from '../../test/use-fixture.ts'
import { allowMoves, moveEvents } from '../../test/webhooks/moved-events.ts'
import {
  createWebhookHarness,
  HEARTRATE,
  openNewEnvironment,
} from '../../test/webhooks/webhook-environment.ts'
import type { Overview } from './overview.schema.ts'

const salus = useFixture(createWebhookHarness)

const dayOf = ({ days }: Overview, date: string) => days.find((day) => day.date === date)

test('an empty environment has thirty days of zeros', async () => {
  const environment = await openNewEnvironment(salus)
  const overview: Overview = await environment.succeed('GET', '/overview')
  assert.equal(overview.days.length, 30)
  assert.equal(overview.days.at(-1)?.date, '2026-03-01')
  const sums = overview.days.flatMap(({ date: _, ...counts }) => Object.values(counts))
  assert.equal(
    sums.reduce((sum, value) => sum + value, 0),
    0,
  )
  assert.deepEqual(new Set(Object.values(overview.waiting)), new Set([0]))
  assert.deepEqual(overview.people, { total: 0, active: 0, active_before: 0 })
})

test('samples, people, connections and events are counted', async () => {
  const userId = await salus.makeUser('manual')
  const data = [
    { value: 70, unit: 'kg', start_date: '2026-02-27T08:00:00Z' },
    { value: 71, unit: 'kg', start_date: '2026-02-28T08:00:00Z' },
    { value: 72, unit: 'kg', start_date: '2026-02-20T08:00:00Z' },
  ]
  const body = { stage: 'daily', provider: 'manual', data }
  const { status } = await salus.call('POST', `/v2/timeseries/${userId}/body_weight`, body)
  assert.equal(status, 200)
  await salus.database.pool.query(
    `update connections set status = 'error' where user_id = $1 and provider = 'manual'`,
    [userId],
  )
  const { body: overview } = await salus.manage('GET', `/team/${salus.teamId}/sandbox/overview`)
  assert.deepEqual(overview.people, { total: 1, active: 1, active_before: 1 })
  assert.deepEqual(overview.connections, { connected: 0, error: 1, paused: 0 })
  assert.equal(overview.waiting.connections, 1)
  assert.deepEqual(overview.samples, { stored: 3, is_estimated: false })
  const { people, samples } = dayOf(overview, '2026-02-27') ?? {}
  assert.deepEqual([people, samples], [1, 1])
  assert.ok((dayOf(overview, '2026-03-01')?.data_events ?? 0) >= 1)
})

test('events and attempts are counted once, whichever store has them', async () => {
  const environment = await openNewEnvironment(salus)
  const webhook = await environment.makeWebhook()
  const ids = [
    await environment.raise({ userId: newId() }),
    await environment.raise({ userId: newId(), type: HEARTRATE }),
  ]
  await environment.raise({ userId: newId(), type: 'provider.connection.created' })
  await salus.database.pool.query(
    `insert into webhook_deliveries (environment_id, event_id, endpoint_id, sequence, status, attempts, updated_at)
    select environment_id, id, $2, sequence, 'delivered', 2, created_at from events
    where environment_id = $1 and id = any($3)`,
    [environment.environmentId, webhook.id, ids],
  )
  await salus.database.pool.query('delete from waiting_events where environment_id = $1', [
    environment.environmentId,
  ])
  await salus.database.pool.query(
    `insert into webhook_attempts (environment_id, event_id, endpoint_id, number, attempted_at, response_status, duration_ms, response_body)
    select environment_id, event_id, endpoint_id, number, updated_at, case number when 1 then 500 else 200 end, 5, ''
    from webhook_deliveries cross join generate_series(1, 2) as number where environment_id = $1`,
    [environment.environmentId],
  )
  const count = async () => {
    const overview: Overview = await environment.succeed('GET', '/overview')
    const { data_events, attempts_succeeded, attempts_failed } = dayOf(overview, '2026-03-01') ?? {}
    const { data } = await environment.succeed(
      'GET',
      `/webhook/${webhook.id}/attempt_histogram?interval=1h`,
    )
    return [data_events, attempts_succeeded, attempts_failed, data.length, data.at(-1)]
  }
  const expected = [2, 2, 2, 24, { from: '2026-03-01T12:00:00+00:00', succeeded: 2, failed: 2 }]
  assert.deepEqual(await count(), expected)
  await allowMoves(salus)
  const inTwoHours = new Date(salus.clock.now().getTime() + 2 * 3_600_000)
  assert.ok((await moveEvents(salus, inTwoHours)) >= 2)
  assert.deepEqual(await count(), expected)
})

test('a histogram has thirty days, and only the endpoints of its environment', async () => {
  const [one, other] = [await openNewEnvironment(salus), await openNewEnvironment(salus)]
  const { id } = await one.makeWebhook()
  const { interval, data } = await one.succeed(
    'GET',
    `/webhook/${id}/attempt_histogram?interval=1d`,
  )
  assert.deepEqual([interval, data.length, data[0].from], ['1d', 30, '2026-01-31T00:00:00+00:00'])
  const path = `/webhook/${id}/attempt_histogram`
  assert.equal((await other.call('GET', path)).status, 404)
  assert.equal((await one.call('GET', `${path}?interval=5m`)).status, 422)
})

test('webhooks that fail or were disabled need attention', async () => {
  const environment = await openNewEnvironment(salus)
  const [failing, gone] = [await environment.makeWebhook(), await environment.makeWebhook()]
  await environment.makeWebhook({ disabled: true })
  await salus.database.pool.query('update webhook_endpoints set failures = 3 where id = $1', [
    failing.id,
  ])
  await salus.database.pool.query(
    `update webhook_endpoints set disabled_at = now(), disabled_reason = 'gone' where id = $1`,
    [gone.id],
  )
  const { waiting, webhooks }: Overview = await environment.succeed('GET', '/overview')
  assert.deepEqual([waiting.webhooks_failing, waiting.webhooks_disabled, webhooks.total], [1, 1, 3])
})

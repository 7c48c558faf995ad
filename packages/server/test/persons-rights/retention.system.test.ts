import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { series } from '@salus/contracts/series'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { RETAINED_RESOURCES } from '../../../rights/src/retention/retention.registry.ts'
import { createHarness, type Harness } from '../harness.ts'
import { INSURANCE } from '../insurance/route-cases.ts'
import { START } from '../route-cases.ts'
import { validUpload } from '../sample-items.ts'
import { makeSubject, type Subject } from '../subject.ts'
import { useFixture } from '../use-fixture.ts'

const harness = useFixture(createHarness)
let subject: Subject

before(async () => {
  subject = await makeSubject(harness)
  // In place of the policy that the person has.
  await call('POST', `/v2/user/${subject.userId}/insurance`, INSURANCE)
})

const call: Harness['call'] = (...request) => harness.call(...request)
const manage = (method: string, path: string, body?: object) =>
  harness.manage(method, `/team/${harness.teamId}/sandbox${path}`, body)
const upload = (userId: string, name: 'heartrate' | 'steps', at: string) =>
  call('POST', `/v2/timeseries/${userId}/${name}`, validUpload(series(name), at))
const read = async (userId: string, name: string): Promise<number> => {
  const rows = await harness.clickhouse.queryRows<{ rows: number }>(
    `select toUInt32(count()) as rows from samples
    where user_id = {userId:UUID} and series = {name:String}`,
    { userId, name },
  )
  return rows[0]?.rows ?? 0
}
const apply = () =>
  harness.dependencies.jobs.handlers.apply_retention?.({}, new AbortController().signal, {
    isLast: false,
  })

test('removes what is older, of the resource of the rule only, of no user under a hold', async () => {
  const [plain, held] = [await harness.makeUser('manual'), await harness.makeUser('manual')]
  for (const userId of [plain, held]) {
    await upload(userId, 'heartrate', '2025-01-01T08:00:00Z')
    await upload(userId, 'heartrate', START)
    await upload(userId, 'steps', '2025-01-01T08:00:00Z')
  }
  const [before, steps] = [await read(plain, 'heartrate'), await read(plain, 'steps')]
  const hold = { user_id: held, reason: 'A dispute' }
  await manage('POST', '/legal_hold', hold)
  const rules = [{ resource: 'heartrate', days: 365 }]
  const { body: dry } = await manage('POST', '/retention/dry_run', { rules })
  assert.deepEqual([dry.effects[0].people, dry.held_people > 0], [1, true])
  assert.equal(dry.effects[0].rows, before / 2)
  await apply()
  assert.equal(await read(plain, 'heartrate'), before, 'a dry run sets nothing')
  assert.equal((await manage('PUT', '/retention', { rules })).status, 200)
  await apply()
  assert.equal(await read(plain, 'heartrate'), before / 2)
  assert.equal(await read(plain, 'steps'), steps)
  assert.equal(await read(held, 'heartrate'), before)
  const { body } = await manage('GET', '/retention')
  assert.equal(body.rules[0].last_removed, before / 2)
  assert.notEqual(body.rules[0].applied_at, null)
})

test('works for every resource, and rules are replaced as a whole', async () => {
  const { data: resources } = (await manage('GET', '/retention/resource')).body
  assert.deepEqual(
    resources.map(
      ({ resource, minimum_days: least }: { resource: string; minimum_days: number }) => [
        resource,
        least,
      ],
    ),
    RETAINED_RESOURCES.map(({ name, minimumDays }) => [name, minimumDays]),
  )
  const { rules: none } = (await manage('PUT', '/retention', { rules: [] })).body
  assert.deepEqual(none, [])
  const rules = RETAINED_RESOURCES.map(({ name: resource, minimumDays: days }) => ({
    resource,
    days,
  }))
  assert.equal(new Set(rules.map(({ resource }) => resource)).size, rules.length)
  harness.clock.advance(800 * DAY_SECONDS)
  const { body: dry } = await manage('POST', '/retention/dry_run', { rules })
  const filled = dry.effects.filter(({ rows }: { rows: number }) => rows > 0)
  assert.ok(filled.length > 9, JSON.stringify(filled))
  for (const name of ['lab_report', 'lab_order', 'lab_message', 'insurance_policy']) {
    assert.ok(
      filled.some(({ resource }: { resource: string }) => resource === name),
      name,
    )
  }
  await manage('PUT', '/retention', { rules })
  await apply()
  const { body: again } = await manage('POST', '/retention/dry_run', { rules })
  for (const { resource, rows } of again.effects) assert.equal(rows, 0, resource)
  assert.equal(await read(subject.userId, 'heartrate'), 0)
  const orders = [subject.orderId, subject.scheduledOrderId]
  const found = await Promise.all(orders.map((id) => call('GET', `/v3/order/${id}`)))
  assert.deepEqual(
    found.map(({ status }) => status),
    [404, 200],
    'one has ended, and one is to come',
  )
  const policy = await call('GET', `/v2/user/${subject.userId}/insurance/latest`)
  assert.equal(policy.status, 200, 'the policy that counts stays')
  assert.equal((await manage('PUT', '/retention', { rules: [] })).status, 200)
})

test('takes no unknown resource, none twice, and no days that are none', async () => {
  const rule = { resource: 'heartrate', days: 365 }
  for (const rules of [[rule, rule], [{ ...rule, resource: 'x' }], [{ ...rule, days: 0 }]]) {
    assert.equal((await manage('PUT', '/retention', { rules })).status, 422)
  }
})

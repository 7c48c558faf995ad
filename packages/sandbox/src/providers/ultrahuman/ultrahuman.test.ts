import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

/** The emulated Ultrahuman over HTTP. */

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

const SCOPES = ['profile', 'ring_data', 'cgm_data']

async function grant(account: string, scopes = SCOPES): Promise<string> {
  return (await vendors.emulator.grant('ultrahuman', account, scopes)).access_token
}
const read = (path: string, token: string) =>
  vendors.call('GET', `ultrahuman/api/api/partners/v1/user_data/${path}`, { token })

interface Entry {
  type: string
  object: { total: number; values: { value: number }[] }
}

test('serves a day at a time, as the truth says', async () => {
  const token = await grant('anna')
  const to = vendors.now.getTime()
  const truth = vendors.emulator.truthOf('ultrahuman', 'anna', { from: to - 9 * DAY_MS, to })
  for (const day of truth.metrics as { date: string; metrics: object[] }[]) {
    const { body, status } = await read(`metrics?date=${day.date}`, token)
    assert.deepEqual([status, body.error, body.status], [200, null, 200])
    assert.deepEqual(body.data.metrics, { [day.date]: day.metrics })
    assert.match(body.data.latest_time_zone, /\//)
  }
  const { body } = await read('metrics?date=2026-02-26', token)
  const metrics: Entry[] = body.data.metrics['2026-02-26']
  const types = new Set(metrics.map(({ type }) => type))
  for (const type of ['hr', 'hrv', 'temp', 'steps', 'glucose', 'sleep', 'recovery_index']) {
    assert.ok(types.has(type), type)
  }
  const steps = metrics.find(({ type }) => type === 'steps')?.object
  const sum = steps?.values.reduce((total, { value }) => total + value, 0)
  assert.equal(sum, steps?.total)
  assert.deepEqual((await read('metrics?date=2027-01-01', token)).body.data.metrics, {
    '2027-01-01': [],
  })
})

test('a day grows, and scopes hold', async () => {
  const token = await grant('anna+live')
  const count = async () => {
    const { body } = await read('metrics?date=2026-03-02', token)
    const metrics: Entry[] = body.data.metrics['2026-03-02']
    return metrics.find(({ type }) => type === 'hr')?.object.values.length ?? 0
  }
  const before = await count()
  vendors.pass(HOUR_MS)
  assert.equal(await count(), before + 12)
  const sensor = await grant('anna', ['cgm_data'])
  const { body } = await read('metrics?date=2026-02-26', sensor)
  assert.deepEqual(
    body.data.metrics['2026-02-26'].map(({ type }: Entry) => type),
    ['glucose'],
  )
  assert.equal((await read('user_info', sensor)).status, 403)
  assert.deepEqual((await read('metrics?date=2026-02-30', token)).body, {
    data: null,
    error: 'Invalid date',
    status: 400,
  })
  const user = (await read('user_info', token)).body.data
  assert.equal(user.id, vendors.emulator.accountIdOf('ultrahuman', 'anna+live'))
  vendors.pass(DAY_MS)
  assert.equal((await read('user_info', token)).status, 401)
})

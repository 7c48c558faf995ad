import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

const watch = { _DMO: 'Watch', _DMA: 'Apple Inc.', _DSV: '10.4' }

async function upload(userId: string, items: object[], resource = 'steps') {
  const data = items.map((item, index) => ({
    value: 30,
    unit: resource === 'steps' ? 'count' : 'bpm',
    start_date: `2026-02-10T08:0${index}:00Z`,
    ...item,
  }))
  const body = { stage: 'daily', provider: 'manual', data }
  const answer = await salus.call('POST', `/v2/timeseries/${userId}/${resource}`, body)
  assert.equal(answer.status, 200, answer.text)
}

const devicesOf = async (userId: string) =>
  (await salus.call('GET', `/v2/user/${userId}/device`)).body

async function deviceIdsOf(userId: string): Promise<(string | null)[]> {
  const url = `/v2/timeseries/${userId}/steps/grouped?start_date=2026-02-10`
  const { body } = await salus.call('GET', url)
  return body.groups.manual.map(
    (group: { source: { device_id: string } }) => group.source.device_id,
  )
}

test('the device in the metadata is listed with all its parts', async () => {
  const userId = await salus.makeUser('manual')
  await upload(userId, [{ metadata: watch, source_bundle: 'com.example', type: 'watch' }])
  const [device, ...others] = await devicesOf(userId)
  assert.equal(others.length, 0)
  const { id, ...parts } = device
  assert.deepEqual(parts, {
    user_id: userId,
    provider: 'manual',
    source_type: 'watch',
    app_id: 'com.example',
    device_manufacturer: 'Apple Inc.',
    device_model: 'Watch',
    device_version: '10.4',
    device_id: null,
  })
  const one = await salus.call('GET', `/v2/user/${userId}/device/${id}`)
  assert.deepEqual(one.body, device)
})

test('thousands of items of one device make one device, a new version changes it', async () => {
  const userId = await salus.makeUser('manual')
  await upload(userId, [{ metadata: watch }, { metadata: watch }, { metadata: { ...watch } }])
  await upload(userId, [{ metadata: { ...watch, _DSV: '11.0' } }])
  const devices = await devicesOf(userId)
  assert.deepEqual(
    devices.map((device: { device_version: string }) => device.device_version),
    ['11.0'],
  )
})

test('the product type stands in for a model, and nothing at all makes no device', async () => {
  const userId = await salus.makeUser('manual')
  await upload(userId, [{}, { metadata: { _DMA: 'Apple Inc.' } }, { metadata: null }])
  assert.deepEqual(await devicesOf(userId), [])
  await upload(userId, [{ product_type: 'iPhone14,5' }])
  assert.equal((await devicesOf(userId))[0].device_model, 'iPhone14,5')
})

test('a source names its device while the connection has exactly one', async () => {
  const userId = await salus.makeUser('manual')
  await upload(userId, [{}])
  assert.deepEqual(await deviceIdsOf(userId), [null])
  await upload(userId, [{ metadata: watch }])
  const [device] = await devicesOf(userId)
  assert.deepEqual(await deviceIdsOf(userId), [device.id])
  await upload(userId, [{ metadata: { _DMO: 'Another' } }])
  assert.deepEqual(await deviceIdsOf(userId), [null])
})

test('a blood pressure names its device with the systolic value', async () => {
  const userId = await salus.makeUser('manual')
  const item = { value: 100, unit: 'mmHg', start_date: '2026-02-10T08:00:00Z' }
  const data = [{ systolic: { ...item, metadata: { _DMO: 'Cuff' } }, diastolic: item }]
  const body = { stage: 'daily', provider: 'manual', data }
  await salus.call('POST', `/v2/timeseries/${userId}/blood_pressure`, body)
  assert.equal((await devicesOf(userId))[0].device_model, 'Cuff')
})

test('a name that PostgreSQL cannot hold does not fail the samples', async () => {
  const userId = await salus.makeUser('manual')
  await upload(userId, [{ product_type: 'a\0b\ud800' }, { product_type: '\0' }])
  const devices = await devicesOf(userId)
  assert.deepEqual(
    devices.map((device: { device_model: string }) => device.device_model),
    ['ab\ufffd'],
  )
})

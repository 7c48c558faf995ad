import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHarness } from './harness.ts'
import { useFixture } from './use-fixture.ts'

const salus = useFixture(createHarness)

test('a user is made, connected, fed and read back', async () => {
  const userId = await salus.makeUser('manual')
  const sample = { value: 12, unit: 'count', start_date: '2026-01-01T10:00:00Z' }
  const upload = { stage: 'daily', provider: 'manual', data: [sample] }
  const stored = await salus.call('POST', `/v2/timeseries/${userId}/steps`, upload)
  assert.equal(stored.body.inserted, 1)
  const read = await salus.call(
    'GET',
    `/v2/timeseries/${userId}/steps/grouped?start_date=2026-01-01`,
  )
  assert.equal(read.body.groups.manual[0].data[0].value, 12)
})

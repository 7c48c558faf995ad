import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHarness, type Harness } from './harness.ts'
import { useFixture } from './use-fixture.ts'

const salus = useFixture(createHarness)

test('a request that meets a database going down is answered with 503, and the next one works', async () => {
  const userId = await salus.makeUser()
  // Ends the pool's connections under the request's hands, as a restart of the server does.
  const killed = salus.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`,
  )
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => salus.call('GET', `/v2/user/${userId}`)),
    killed,
  ])
  for (const answer of answers.slice(0, 20) as Awaited<ReturnType<Harness['call']>>[]) {
    assert.ok(answer.status === 200 || answer.status === 503, answer.text)
    if (answer.status !== 503) continue
    assert.equal(answer.body.detail.error_type, 'store_unavailable')
    assert.equal(answer.headers['retry-after'], '1')
  }
  assert.equal((await salus.call('GET', `/v2/user/${userId}`)).status, 200)
})

test('reads and uploads are answered with 503 when ClickHouse is closed', async () => {
  const userId = await salus.makeUser('manual')
  await salus.clickhouse.close()
  const read = await salus.call(
    'GET',
    `/v2/timeseries/${userId}/steps/grouped?start_date=2026-01-01`,
  )
  assert.deepEqual([read.status, read.body.detail.error_type], [503, 'store_unavailable'])
  const sample = { value: 1, unit: 'count', start_date: '2026-01-01T00:00:00Z' }
  const upload = { stage: 'daily', provider: 'manual', data: [sample] }
  const stored = await salus.call('POST', `/v2/timeseries/${userId}/steps`, upload)
  assert.deepEqual([stored.status, stored.body.detail.error_type], [503, 'store_unavailable'])
})

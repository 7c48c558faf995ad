import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../harness.ts'
import { useFixture } from '../use-fixture.ts'
import { waitForExport } from './export-archive.ts'

/** Five years of a sample a minute. */
const SAMPLES = 2_600_000
const MIB = 1024 ** 2

const harness = useFixture(createHarness)
let userId: string

before(async () => {
  userId = await harness.makeUser('manual')
  const { rows } = await harness.database.pool.query(
    'select environment_id from users where id = $1',
    [userId],
  )
  await harness.clickhouse.command(
    `insert into samples (environment_id, user_id, series, started_at, ended_at, provider,
      source_type, value, version)
    select {environmentId:UUID}, {userId:UUID}, 'heartrate',
      toDateTime64('2021-01-01 00:00:00', 3, 'UTC') + number * 60 as at, at, 'manual', 'watch',
      60 + number % 90, 1
    from numbers({samples:UInt32})`,
    { environmentId: rows[0].environment_id, userId, samples: SAMPLES },
  )
  await harness.startJobs()
})

for (const format of ['json', 'csv', 'parquet', 'fhir']) {
  test(`2.6 million samples are exported as ${format} without filling memory`, async (context) => {
    let most = 0
    const measure = () => {
      const { heapUsed, external } = process.memoryUsage()
      most = Math.max(most, heapUsed + external)
    }
    const url = `/v2/user/${userId}/export`
    const { heapUsed, external } = process.memoryUsage()
    const started = performance.now()
    const timer = setInterval(measure, 50)
    const { body } = await harness.call('POST', url, { format })
    const made = await waitForExport(harness.call, `${url}/${body.id}`)
    clearInterval(timer)
    assert.equal(made.status, 'completed')
    assert.ok(made.rows_total >= SAMPLES)
    const used = Math.round((most - heapUsed - external) / MIB)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    context.diagnostic(`${format}: ${seconds} s, ${used} MiB, file ${made.file_bytes} bytes`)
    assert.ok(used < 512, `${used} MiB`)
    await harness.call('DELETE', `${url}/${body.id}`)
  })
}

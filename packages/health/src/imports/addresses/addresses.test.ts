import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { outcomeOf } from '../../../../server/test/imports/import-any-file.ts'
import { followImport } from '../../../../server/test/imports/import-client.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const MAX_BYTES = 300_000
const salus = useFixture(() => createHarness({ importMaxBytes: MAX_BYTES }))
before(() => salus.startJobs())

async function makeAddress(userId: string): Promise<{ id: string; path: string }> {
  const answer = await salus.call('POST', `/v2/user/${userId}/import_addresses`, { label: 'Phone' })
  assert.equal(answer.status, 200, answer.text)
  return { id: answer.body.id, path: new URL(answer.body.url).pathname }
}

/** Posts as the app does, without a key. */
const post = (path: string, content: string, headers: object = {}) =>
  salus.app.inject({
    ...{ method: 'POST', url: path, payload: content },
    headers: { 'content-type': 'application/json', ...headers },
  })

const steps = (minutes: readonly number[], first = 10): string =>
  JSON.stringify({
    data: {
      metrics: [
        {
          ...{ name: 'step_count', units: 'count' },
          data: minutes.map((minute) => ({
            date: `2026-01-13 10:${String(minute).padStart(2, '0')}:00 +0100`,
            qty: first + minute,
          })),
        },
      ],
    },
  })

/** Posts, and follows the import to its end. */
async function postAndFollow(userId: string, path: string, content: string, headers = {}) {
  const answer = await post(path, content, headers)
  assert.equal(answer.statusCode, 202, answer.body)
  const { import_id: id, status } = answer.json()
  assert.equal(status, 'queued')
  return followImport(salus, userId, id)
}

test('what the app posts is imported, and overlapping postings change nothing', async () => {
  const userId = await salus.makeUser()
  const { path } = await makeAddress(userId)
  const job = await postAndFollow(userId, path, steps([1, 2, 3]))
  assert.deepEqual([job.status, job.source], ['completed', 'health_auto_export'])
  assert.deepEqual(outcomeOf(job), [3, 0, 0, 0])
  assert.deepEqual(outcomeOf(await postAndFollow(userId, path, steps([1, 2, 3]))), [0, 0, 3, 0])
  assert.deepEqual(outcomeOf(await postAndFollow(userId, path, steps([2, 3, 4]))), [1, 0, 2, 0])
  // A later posting has more steps of a minute that was not over.
  const grown = await postAndFollow(userId, path, steps([4, 5], 20))
  assert.deepEqual(outcomeOf(grown), [1, 1, 0, 0])
  // An old posting that is sent again does not take them back.
  assert.deepEqual(outcomeOf(await postAndFollow(userId, path, steps([3, 4]))).slice(0, 2), [0, 0])
  const range = 'start_date=2026-01-13&end_date=2026-01-13'
  const { body } = await salus.call('GET', `/v2/timeseries/${userId}/steps/grouped?${range}`)
  const [group] = body.groups.apple_health_kit
  assert.equal(group.source.app_id, 'health_auto_export')
  assert.deepEqual(
    group.data.map(({ value }: { value: number }) => value),
    [11, 12, 13, 24, 25],
  )
})

test('the header of the app says over which time values are summed', async () => {
  const userId = await salus.makeUser()
  const { path } = await makeAddress(userId)
  const single = steps([0])
  assert.deepEqual(outcomeOf(await postAndFollow(userId, path, single)), [0, 0, 0, 1])
  const hours = { 'automation-aggregation': 'Hours' }
  assert.deepEqual(outcomeOf(await postAndFollow(userId, path, single, hours)), [1, 0, 0, 0])
})

test('a night that two postings have in parts is one night', async () => {
  const userId = await salus.makeUser()
  const { path } = await makeAddress(userId)
  const night = (...stages: [from: string, to: string, value: string][]): string =>
    JSON.stringify({
      data: {
        metrics: [
          {
            ...{ name: 'sleep_analysis', units: 'hr' },
            data: stages.map(([from, to, value]) => ({
              ...{ startDate: `2026-01-13 ${from}:00 +0100`, endDate: `2026-01-13 ${to}:00 +0100` },
              ...{ value, source: 'Watch' },
            })),
          },
        ],
      },
    })
  await postAndFollow(userId, path, night(['00:00', '02:00', 'Core'], ['02:00', '03:00', 'Deep']))
  await postAndFollow(userId, path, night(['03:00', '04:00', 'REM'], ['04:00', '06:00', 'Core']))
  await postAndFollow(userId, path, night(['04:00', '06:00', 'Core']))
  const url = `/v2/summary/sleep/${userId}?start_date=2026-01-12&end_date=2026-01-14`
  const { body } = await salus.call('GET', url)
  assert.deepEqual(
    body.sleep.map(
      ({ bedtime_start: from, bedtime_stop: to, deep, rem, light }: Record<string, unknown>) => [
        ...[from, to, deep, rem, light],
      ],
    ),
    [['2026-01-12T23:00:00+00:00', '2026-01-13T05:00:00+00:00', 3600, 3600, 14_400]],
  )
})

test('only a hash of an address is stored, lists show its end, and a revoked one is 401', async () => {
  const userId = await salus.makeUser()
  const { id, path } = await makeAddress(userId)
  const secret = path.split('/').at(-1) ?? ''
  const { rows } = await salus.database.pool.query(
    'select row_to_json(a)::text as text from import_addresses a where id = $1',
    [id],
  )
  assert.ok(rows[0].text.length > 100 && !rows[0].text.includes(secret))
  await postAndFollow(userId, path, steps([1]))
  const list = `/v2/user/${userId}/import_addresses`
  const { body, text } = await salus.call('GET', list)
  assert.equal(body.addresses[0].masked_value, `****${secret.slice(-4)}`)
  assert.ok(body.addresses[0].last_used_at !== null && !text.includes(secret))
  assert.equal((await salus.call('DELETE', `${list}/${id}`)).status, 200)
  const refused = await post(path, steps([2]))
  assert.deepEqual([refused.statusCode, refused.json().detail.error_type], [401, 'invalid_token'])
  assert.equal((await post(`${path.slice(0, -5)}wrong`, steps([2]))).statusCode, 401)
  const other = await salus.makeUser()
  const { id: foreign } = await makeAddress(other)
  assert.equal((await salus.call('DELETE', `${list}/${foreign}`)).status, 404)
})

test('a body over the limit is 413, an empty one 400, and other JSON fails its import', async () => {
  const userId = await salus.makeUser()
  const { path } = await makeAddress(userId)
  assert.equal((await post(path, 'x'.repeat(MAX_BYTES + 1))).statusCode, 413)
  const empty = await post(path, '')
  assert.deepEqual([empty.statusCode, empty.json().detail.error_type], [400, 'empty_file'])
  const job = await postAndFollow(userId, path, '{"resourceType":"Patient"}')
  assert.deepEqual([job.status, job.error?.error_type], ['failed', 'unknown_format'])
})

test('while many postings of a person wait the next one is 429, and that of another is taken', async () => {
  const userId = await salus.makeUser()
  const { path } = await makeAddress(userId)
  await salus.database.pool.query(
    `insert into import_jobs (environment_id, user_id, id, source, status, file_bytes, progress, created_at)
    select environment_id, id, gen_random_uuid(), 'health_auto_export', 'queued', 1, '{}', now()
    from users, generate_series(1, 50) where id = $1`,
    [userId],
  )
  const refused = await post(path, steps([1]))
  assert.deepEqual([refused.statusCode, Number(refused.headers['retry-after']) > 0], [429, true])
  const other = await salus.makeUser()
  const { path: free } = await makeAddress(other)
  assert.equal((await postAndFollow(other, free, steps([1]))).status, 'completed')
})

test('a person has at most twenty addresses', async () => {
  const userId = await salus.makeUser()
  for (let count = 0; count < 20; count++) await makeAddress(userId)
  const { status, body } = await salus.call('POST', `/v2/user/${userId}/import_addresses`, {})
  assert.deepEqual([status, body.detail.error_type], [400, 'too_many_addresses'])
})

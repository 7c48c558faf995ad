import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

const good = { value: 10, unit: 'count', start_date: '2026-02-10T08:00:00Z' }
const wrongUnit = { ...good, unit: 'kg' }
const wrongValue = { ...good, value: 'many' }

function upload(userId: string, resource: string, data: unknown[], provider = 'manual') {
  const body = { stage: 'daily', provider, data }
  return salus.call('POST', `/v2/timeseries/${userId}/${resource}`, body)
}

const list = (userId: string, query = '') =>
  salus.call('GET', `/v2/user/${userId}/put_aside?${query}`)

test('bad items are counted, named and kept as they came, and the good ones are stored', async () => {
  const userId = await salus.makeUser('manual')
  const { status, body } = await upload(userId, 'steps', [wrongUnit, good, wrongValue, 7])
  assert.equal(status, 200)
  assert.deepEqual([body.success, body.inserted, body.put_aside], [true, 1, 3])
  assert.deepEqual(body.problems, [
    { index: 0, reason: 'unknown_unit' },
    { index: 2, reason: 'invalid_value' },
    { index: 3, reason: 'not_an_object' },
  ])
  const listed = (await list(userId)).body
  assert.equal(listed.next_cursor, null)
  assert.deepEqual(
    listed.items.map(({ reason, item }: { reason: string; item: unknown }) => [reason, item]),
    [
      ['invalid_value', wrongValue],
      ['not_an_object', 7],
      ['unknown_unit', wrongUnit],
    ],
  )
  assert.equal(listed.items[0].resource, 'steps')
  assert.equal(listed.items[0].provider, 'manual')
  assert.equal(listed.items[0].received_at, '2026-03-01T12:00:00+00:00')
})

test('an answer names the first twenty problems and counts all of them', async () => {
  const userId = await salus.makeUser('manual')
  const data = Array.from({ length: 30 }, (_, index) => ({ ...wrongUnit, value: index }))
  const { body } = await upload(userId, 'steps', data)
  assert.deepEqual([body.put_aside, body.problems.length], [30, 20])
})

test('the same bad item again is listed once', async () => {
  const userId = await salus.makeUser('manual')
  await upload(userId, 'steps', [wrongUnit])
  await upload(userId, 'steps', [wrongUnit])
  assert.equal((await list(userId)).body.items.length, 1)
})

test('each filter changes the list', async () => {
  const userId = await salus.makeUser('manual', 'health_connect')
  await upload(userId, 'steps', [wrongUnit, wrongValue])
  await upload(userId, 'distance', [wrongUnit], 'health_connect')
  const count = async (query: string) => (await list(userId, query)).body.items.length
  assert.equal(await count(''), 3)
  assert.equal(await count('resource=steps'), 2)
  assert.equal(await count('resource=water'), 0)
  assert.equal(await count('provider=health_connect'), 1)
  assert.equal(await count('reason=invalid_value'), 1)
  assert.equal(await count('reason=unknown_unit'), 2)
  assert.equal(await count('resource=steps&reason=invalid_value'), 1)
  assert.equal((await list(userId, 'resource=mood')).status, 422)
  assert.equal((await list(userId, 'limit=0')).status, 422)
})

test('pages of any size show every item once, and a foreign cursor is refused', async () => {
  const userId = await salus.makeUser('manual')
  const data = Array.from({ length: 7 }, (_, value) => ({ ...wrongUnit, value }))
  await upload(userId, 'steps', [...data, wrongValue])
  for (const limit of [1, 3, 8, 100]) {
    const seen: unknown[] = []
    let query = ''
    do {
      const { body } = await list(userId, `limit=${limit}${query}`)
      seen.push(...body.items.map((row: { item: { value: unknown } }) => row.item.value))
      query = body.next_cursor === null ? '' : `&next_cursor=${body.next_cursor}`
    } while (query !== '')
    assert.equal(seen.length, 8)
    assert.deepEqual(new Set(seen), new Set([0, 1, 2, 3, 4, 5, 6, 'many']))
  }
  const { next_cursor: cursor } = (await list(userId, 'limit=1')).body
  for (const foreign of [`reason=x&next_cursor=${cursor}`, 'next_cursor=nonsense']) {
    const { status, body } = await list(userId, foreign)
    assert.deepEqual([status, body.detail.error_type], [400, 'invalid_cursor'])
  }
})

test('an item with odd texts comes back as it was', async () => {
  const userId = await salus.makeUser('manual')
  const odd = { value: "it's \\ \t\n\0 \u{1f600}", unit: '"', nested: { list: [1, null] } }
  await upload(userId, 'steps', [odd])
  assert.deepEqual((await list(userId)).body.items[0].item, odd)
})

test('the list of an unknown user is not found', async () => {
  assert.equal((await list('00000000-0000-4000-8000-00000000dead')).status, 404)
})

test('the bad items of many uploads at once are all kept, in few inserts', async () => {
  const userId = await salus.makeUser('manual')
  const inserts: string[] = []
  const insert = salus.clickhouse.insert
  salus.clickhouse.insert = (table, columns, payload) => {
    inserts.push(table)
    return insert.call(salus.clickhouse, table, columns, payload)
  }
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, value) => {
      const data = [{ value, unit: 'banana', start_date: '2026-01-01T00:00:00Z' }]
      const body = { stage: 'daily', provider: 'manual', data }
      return salus.call('POST', `/v2/timeseries/${userId}/steps`, body)
    }),
  )
  salus.clickhouse.insert = insert
  assert.ok(answers.every(({ body }) => body.put_aside === 1))
  const { body } = await salus.call('GET', `/v2/user/${userId}/put_aside?limit=100`)
  assert.equal(body.items.length, 30)
  assert.ok(inserts.length < 15, `${inserts.length} inserts`)
})

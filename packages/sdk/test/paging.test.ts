import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { Salus } from '../src/index.ts'
import { answerJson, type FakeServer, startFakeServer } from './fake-server.ts'

let server: FakeServer
afterEach(() => server?.close())

/** A client of a server that has these answers, by path and query. */
async function clientOf(answers: Record<string, unknown>): Promise<Salus> {
  server = await startFakeServer(({ url }, response) =>
    answerJson(response, url in answers ? 200 : 400, answers[url] ?? { detail: url }),
  )
  return new Salus({
    apiKey: 'sk_us_test',
    baseUrl: server.url,
    managementKey: 'mg_x',
    orgId: 'o',
    teamId: 't',
  })
}

const cursorPages = {
  '/v2/user/u/import': { jobs: [{ id: 1 }, { id: 2 }], next_cursor: 'a&b' },
  '/v2/user/u/import?next_cursor=a%26b': { jobs: [{ id: 3 }], next_cursor: null },
}

test('a list by cursor is its first page when awaited, and all items in a loop', async () => {
  const salus = await clientOf(cursorPages)
  const page = await salus.imports.list('u')
  assert.equal(page.next_cursor, 'a&b')
  const ids = []
  for await (const { id } of salus.imports.list('u')) ids.push(id)
  assert.deepEqual(ids, [1, 2, 3])
})

test('no page is requested before it is needed', async () => {
  const salus = await clientOf(cursorPages)
  const list = salus.imports.list('u')
  assert.equal(server.requests.length, 0)
  assert.equal((await list.toArray(2)).length, 2)
  for await (const _item of list) break
  assert.equal(server.requests.length, 2)
})

test('pages can be read one by one', async () => {
  const salus = await clientOf(cursorPages)
  const sizes = []
  for await (const { jobs } of salus.imports.list('u').pages()) sizes.push(jobs.length)
  assert.deepEqual(sizes, [2, 1])
})

test('a list by offset ends with its total', async () => {
  const users = (...ids: number[]) => ids.map((id) => ({ user_id: id }))
  const salus = await clientOf({
    '/v2/user?limit=2': { users: users(1, 2), total: 3, offset: 0, limit: 2 },
    '/v2/user?limit=2&offset=2': { users: users(3), total: 3, offset: 2, limit: 2 },
  })
  const found = await salus.users.list({ limit: 2 }).toArray()
  assert.deepEqual(found, users(1, 2, 3))
})

test('a list by page ends with a page that is not full, whatever its total says', async () => {
  const orders = (...ids: number[]) => ids.map((id) => ({ id }))
  const salus = await clientOf({
    '/v3/orders?size=2': { orders: orders(1, 2), total: 2, page: 1, size: 2 },
    '/v3/orders?size=2&page=2': { orders: orders(3), total: 2, page: 2, size: 2 },
  })
  assert.deepEqual(await salus.orders.list({ size: 2 }).toArray(), orders(1, 2, 3))
})

test('samples by source come as groups, each with its provider', async () => {
  const query = 'start_date=2026-01-01'
  const salus = await clientOf({
    [`/v2/timeseries/u/steps/grouped?${query}`]: {
      groups: { oura: [{ data: [1] }], fitbit: [{ data: [2] }] },
      next_cursor: 'c',
    },
    [`/v2/timeseries/u/steps/grouped?${query}&next_cursor=c`]: {
      groups: { oura: [{ data: [3] }] },
      next_cursor: null,
    },
  })
  const groups = await salus.timeseries
    .grouped('u', 'steps', { start_date: '2026-01-01' })
    .toArray()
  assert.deepEqual(
    groups.map(({ provider, data }) => [provider, ...data]),
    [
      ['oura', 1],
      ['fitbit', 2],
      ['oura', 3],
    ],
  )
})

test('a list that is refused rejects', async () => {
  const salus = await clientOf({})
  await assert.rejects(salus.imports.list('u').toArray(), { status: 400 })
  await assert.rejects(async () => await salus.imports.list('u'), { status: 400 })
  assert.equal(await salus.imports.list('u').catch(() => 'caught'), 'caught')
})

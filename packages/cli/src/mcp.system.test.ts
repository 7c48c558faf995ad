import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type HarnessServer, startHarnessServer } from './testing/harness-server.ts'
import { ask, type Json, withClient } from './testing/mcp-client.ts'
import { CLI, startSalus } from './testing/salus-command.ts'

const fileIn = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const EXPORT = fileIn(
  '../../health/src/imports/formats/apple-health/fixtures/synthetic-30d-export.zip',
)
const TOOLS_ABOUT_ONE = [
  ...['explain_missing_event', 'explain_value', 'get_coverage', 'get_order', 'get_person'],
  ...['list_orders', 'list_query_tables', 'list_results', 'query', 'read_summaries'],
  ...['read_timeseries', 'result_trend'],
]

let server: HarnessServer
/** Has the data of the export, demographics and an order. */
let userId: string
let otherId: string
let orderId: string
/** Limited to the person, and only reads. */
let ownKey: string

const environmentOf = () => ({ SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory })

async function api(method: string, path: string, body?: object, key = server.keys.api_key) {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

async function salus(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await startSalus(args, environmentOf()).result
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

const overHttp = (headers: Record<string, string>) =>
  new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } })

const overStdio = (args: string[] = [], environment: object = {}) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', ...environmentOf(), ...environment },
    stderr: 'inherit',
  })

before(async () => {
  server = await startHarnessServer()
  await server.harness.startJobs()
  await salus('import', 'apple-health', EXPORT, '--client-user-id', 'alex', '--create')
  userId = (await api('GET', '/v2/user/resolve/alex')).body.user_id
  const other = await api('POST', '/v2/user', { client_user_id: 'sam' })
  otherId = other.body.user_id
  const patient = {
    first_name: 'Zerlina',
    last_name: 'Quittenbaum',
    dob: '1990-04-12',
    gender: 'female',
    phone_number: '+15555550100',
    email: 'zerlina@example.com',
  }
  const address = {
    ...{ first_line: '77 Quince Street', city: 'Phoenix', state: 'AZ', zip: '85004' },
    country: 'US',
  }
  await api('PATCH', `/v2/user/${userId}/info`, { ...patient, address })
  const tests = await api('GET', '/v3/lab_test?collection_method=walk_in_test')
  const order = await api('POST', '/v3/order', {
    user_id: userId,
    order_set: { lab_test_ids: [tests.body.data[0].id] },
    patient_details: patient,
    patient_address: address,
  })
  orderId = order.body.order.id
  ownKey = await salus('key', 'create', '--label', 'Own', '--user', userId, '--read-only')
})
after(() => server?.stop())

describe('an assistant over HTTP', () => {
  test('with a key of the team finds people and reads what they have', async () => {
    await withClient(overHttp({ 'x-service-api-key': server.keys.api_key }), async (client) => {
      assert.equal(client.getServerVersion()?.name, 'salus')
      assert.match(client.getInstructions() ?? '', /Never follow instructions/)
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map(({ name }) => name).sort(),
        [...TOOLS_ABOUT_ONE, 'find_people'].sort(),
      )
      for (const tool of tools) assert.equal(tool.annotations?.readOnlyHint, true, tool.name)

      const found = await ask(client, 'find_people', { query: 'quittenbaum' })
      assert.deepEqual(
        found.json.people.map((one: { user_id: string }) => one.user_id),
        [userId],
      )
      const person = await ask(client, 'get_person', { user_id: userId })
      assert.equal(person.json.gender, 'female')
      assert.equal(person.json.connections[0].provider, 'apple_health_kit')
      assert.equal(person.json.orders.newest[0].order_id, orderId)
      const day = { user_id: userId, series: 'steps', start_date: '2024-03-02' }
      const steps = await ask(client, 'read_timeseries', day)
      assert.deepEqual(steps.json.rows[0].slice(0, 2), ['2024-03-02', 4274])
      const coverage = await ask(client, 'get_coverage', { user_id: userId })
      assert.ok('steps' in coverage.json.resources.apple_health_kit, coverage.text)
    })
  })

  test('learns which source counts, and which does not and why', async () => {
    await withClient(overHttp({ 'x-service-api-key': server.keys.api_key }), async (client) => {
      const day = { user_id: userId, series: 'steps', start_date: '2024-03-02' }
      const [slot] = (await ask(client, 'explain_value', day)).json.slots
      assert.equal(slot.value, 4274)
      const counted = slot.counted.map(({ source, value }: { source: string; value: number }) => [
        source.split(' ')[0],
        value,
      ])
      assert.deepEqual(counted, [
        ['watch', 4214],
        ['phone', 60],
      ])
      assert.ok(slot.not_counted.length > 0)
      assert.ok(
        slot.not_counted.every(({ instead }: { instead: string }) => instead.startsWith('watch')),
      )
    })
  })

  test('asks tables, summaries, results, orders and why there was no event', async () => {
    await withClient(overHttp({ 'x-service-api-key': ownKey }), async (client) => {
      const { json } = await ask(client, 'query', {
        last_day: '2024-03-07',
        past: { value: 3, unit: 'day' },
        queries: [
          {
            select: [
              { group_key: 0 },
              { func: 'sum', arg: { timeseries: 'steps', field: 'value' } },
            ],
            group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'timeseries' } }],
          },
        ],
      })
      assert.deepEqual(json.tables[0]['sum.steps.value'], [4628, 3893, 5512])
      const refused = await ask(client, 'query', {
        last_day: '2024-03-07',
        past: { unit: 'day' },
        queries: [{ select: [{ sleep: 'nonsense' }] }],
      })
      assert.ok(refused.isError)
      assert.match(refused.text, /queries\.0\.select\.0/)
      const columns = await ask(client, 'list_query_tables', { table: 'sleep' })
      assert.match(columns.text, /efficiency/)
      const nights = await ask(client, 'read_summaries', {
        kind: 'sleep',
        start_date: '2024-03-02',
        end_date: '2024-03-03',
      })
      assert.ok(nights.json.sleep.length > 0, nights.text)
      assert.deepEqual(nights.json.sleep[0].merged, { set_aside: [] })
      assert.deepEqual((await ask(client, 'list_results')).json, { results: [] })
      const orders = await ask(client, 'list_orders')
      assert.equal(orders.json.orders[0].order_id, orderId)
      const order = await ask(client, 'get_order', { order_id: orderId })
      assert.equal(order.json.history[0].status, 'received.walk_in_test.ordered')
      const why = await ask(client, 'explain_missing_event', {
        event_type: 'labtest.order.updated',
      })
      assert.ok(why.json.reasons.length > 0, why.text)
    })
  })

  test('never learns names and addresses of people', async () => {
    await withClient(overHttp({ 'x-service-api-key': server.keys.api_key }), async (client) => {
      const about = { user_id: userId }
      const texts = [
        await ask(client, 'find_people', { query: 'Zerlina' }),
        await ask(client, 'get_person', about),
        await ask(client, 'list_orders', about),
        await ask(client, 'get_order', { order_id: orderId }),
        await ask(client, 'get_coverage', about),
      ].map(({ text }) => text)
      for (const text of texts) {
        assert.doesNotMatch(text, /Zerlina|Quittenbaum|Quince|5555550100|zerlina|1990-04-12/)
        assert.match(text, new RegExp(`${userId}|${orderId}|steps`))
      }
    })
  })

  test('of one person sees no other person', async () => {
    const token = await mintToken({ user_id: userId, access: 'read' })
    const both: Record<string, string>[] = [
      { 'x-service-api-key': ownKey },
      { authorization: `Bearer ${token}` },
    ]
    for (const headers of both) {
      await withClient(overHttp(headers), async (client) => {
        const { tools } = await client.listTools()
        assert.deepEqual(tools.map(({ name }) => name).sort(), TOOLS_ABOUT_ONE)
        assert.ok(tools.every(({ inputSchema }) => !('user_id' in (inputSchema.properties ?? {}))))
        assert.equal((await ask(client, 'get_person')).json.user_id, userId)
        // Another person is refused, and so is an order of another person.
        assert.ok((await ask(client, 'get_person', { user_id: otherId })).isError)
      })
    }
    const otherKey = await salus(
      'key',
      'create',
      '--label',
      'Other',
      '--user',
      otherId,
      '--read-only',
    )
    await withClient(overHttp({ 'x-service-api-key': otherKey }), async (client) => {
      const refused = await ask(client, 'get_order', { order_id: orderId })
      assert.deepEqual([refused.isError, refused.text], [true, 'order_not_found'])
      assert.deepEqual((await ask(client, 'list_orders')).json, { orders: [], total: 0 })
    })
    assert.equal((await api('GET', `/v2/user/${otherId}`, undefined, ownKey)).status, 404)
    assert.equal((await api('DELETE', `/v2/user/${userId}`, undefined, ownKey)).status, 403)
  })

  test('is not let in without a credential, and there are no streams', async () => {
    await assert.rejects(
      withClient(overHttp({}), async () => {}),
      /401|missing/,
    )
    await assert.rejects(withClient(overHttp({ authorization: 'Bearer at_none' }), async () => {}))
    assert.equal((await fetch(`${server.url}/mcp`)).status, 405)
  })

  test('gets answers of a bounded size, and learns what was cut', async () => {
    await withClient(overHttp({ 'x-service-api-key': ownKey }), async (client) => {
      const days = {
        series: 'heartrate',
        start_date: '2024-02-10',
        end_date: '2024-03-08',
        slot: 'minute',
      }
      const { text, json } = await ask(client, 'read_timeseries', days)
      assert.ok(text.length <= 24_000, `${text.length}`)
      assert.equal(json.cut.lists[0].list, 'rows')
      assert.ok(json.cut.lists[0].of > json.answer.rows.length)
    })
  })

  test('is offered prompts and the query language', async () => {
    await withClient(overHttp({ 'x-service-api-key': ownKey }), async (client) => {
      const { prompts } = await client.listPrompts()
      assert.deepEqual(prompts.map(({ name }) => name).sort(), [
        'explain_day',
        'find_gap',
        'review_month',
      ])
      const day = { series: 'steps', day: '2024-03-02' }
      const { messages } = await client.getPrompt({ name: 'explain_day', arguments: day })
      assert.match(JSON.stringify(messages), /steps on 2024-03-02/)
      const { contents } = await client.readResource({ uri: 'salus://query-guide' })
      assert.match(JSON.stringify(contents), /group_by/)
    })
  })
})

describe('salus mcp', () => {
  test('serves one person over stdio, by read-only tokens of the management key', async () => {
    await withClient(overStdio(['--client-user-id', 'alex']), async (client) => {
      const { tools } = await client.listTools()
      assert.deepEqual(tools.map(({ name }) => name).sort(), TOOLS_ABOUT_ONE)
      const steps = await ask(client, 'read_timeseries', {
        series: 'steps',
        start_date: '2024-03-02',
      })
      assert.equal(steps.json.rows[0][1], 4274)
      assert.ok((await ask(client, 'get_person', { user_id: otherId })).isError)
    })
  })

  test('serves the person of a limited key, and refuses to serve another one', async () => {
    const nowhere = { SALUS_API_KEY: ownKey, SALUS_DATA_DIR: '/nonexistent' }
    await withClient(overStdio([], nowhere), async (client) => {
      assert.equal((await ask(client, 'get_person')).json.user_id, userId)
    })
    const { code, stderr } = await startSalus(['mcp', '--user', otherId], {
      ...environmentOf(),
      ...nowhere,
    }).result
    assert.equal(code, 1)
    assert.match(stderr, /To serve one person only/)
  })
})

async function mintToken(limits: object): Promise<string> {
  const { organization_id, team_id, management_key } = server.keys
  const url = `${server.url}/v1/org/${organization_id}/team/${team_id}/create_api_access_token`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-management-key': management_key, 'content-type': 'application/json' },
    body: JSON.stringify({ env: 'sandbox', ...limits }),
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

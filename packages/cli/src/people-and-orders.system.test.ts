import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type HarnessServer, startHarnessServer } from './testing/harness-server.ts'
import { startSalus } from './testing/salus-command.ts'

const fileIn = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const EXPORT = fileIn(
  '../../health/src/imports/formats/apple-health/fixtures/synthetic-30d-export.zip',
)

let server: HarnessServer
let userId: string
let orderId: string

const environmentOf = () => ({ SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory })
const salus = (...args: string[]) => startSalus(args, environmentOf()).result

/** Runs a command with its stdin. */
const pipe = (input: string | Buffer, ...args: string[]) =>
  startSalus(args, environmentOf(), input).result

async function post(path: string, body: object) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'x-service-api-key': server.keys.api_key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  return (await response.json()) as any
}

before(async () => {
  server = await startHarnessServer()
  await server.harness.startJobs()
  const imported = await pipe(
    readFileSync(EXPORT),
    ...['import', 'apple-health', '-', '--client-user-id', 'alex', '--create', '--json'],
  )
  assert.equal(imported.code, 0, imported.stderr)
  const job = JSON.parse(imported.stdout)
  assert.equal(job.progress.records, 5201)
  userId = job.user_id
  const tests = await (
    await fetch(`${server.url}/v3/lab_test?collection_method=walk_in_test`, {
      headers: { 'x-service-api-key': server.keys.api_key },
    })
  ).json()
  const { order } = await post('/v3/order', {
    user_id: userId,
    order_set: { lab_test_ids: [(tests as { data: { id: string }[] }).data[0]?.id] },
    patient_details: {
      ...{ first_name: 'Zerlina', last_name: 'Quittenbaum', dob: '1990-04-12' },
      ...{ gender: 'female', phone_number: '+15555550100', email: 'zerlina@example.com' },
    },
    patient_address: {
      ...{ first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' },
    },
  })
  orderId = order.id
})
after(() => server?.stop())

test('salus query asks by metric, in the shape of the questions in files', async () => {
  const of = ['--client-user-id', 'alex', '--past', '7d', '--anchor', '2024-03-07']
  const { stdout, code, stderr } = await salus(
    ...['query', ...of, '--metric', 'steps', '--metric', 'sleep_score', '--by', 'day', '--json'],
  )
  assert.equal(code, 0, stderr)
  const [steps, sleep] = JSON.parse(stdout).results
  assert.deepEqual(steps.table.sum, [4202, 4274, 5629, 7286, 4714, 3978, 5611])
  assert.deepEqual([steps.source_rule, sleep.source_rule], ['merged', 'one_source'])
  assert.deepEqual(sleep.table.mean, [98, 90, 89, 96, 95, 89, 88])
  const weekdays = await salus('query', ...of, '--metric', 'sleep.efficiency', '--by', 'weekday')
  assert.equal(weekdays.code, 0, weekdays.stderr)
  assert.match(weekdays.stdout, /^weekday +sleep\.efficiency\n/)
  assert.match(weekdays.stderr, /One source counts for each group\./)
  for (const [metric, meant] of [
    ['stepz', 'steps'],
    ['sleep.eficiency', 'sleep.efficiency'],
    ['slep_score', 'sleep_score'],
  ] as const) {
    const mistyped = await salus('query', ...of, '--metric', 'heartrate', '--metric', metric)
    assert.equal(mistyped.stderr, `salus: There is no metric ${metric}. Did you mean ${meant}?\n`)
    assert.equal(mistyped.code, 1)
  }
  const both = await salus('query', ...of, '--metric', 'steps', '--file', 'x.json')
  assert.match(both.stderr, /either --metric NAME or --file PATH/)
})

test('salus query takes its question from stdin', async () => {
  const question = { select: [{ func: 'count', arg: { index: 'sleep' } }] }
  const of = ['--client-user-id', 'alex', '--past', '7d', '--anchor', '2024-03-07', '--json']
  const asked = await pipe(JSON.stringify(question), 'query', ...of, '--file', '-')
  assert.deepEqual(JSON.parse(asked.stdout).results, [
    { table: { count: [7] }, source_rule: 'all_sources' },
  ])
  const wrong = await pipe('{', 'query', ...of, '--file', '-')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /^salus: stdin is not JSON/)
})

test('salus orders lists and shows orders, without names and addresses', async () => {
  for (const filter of [[], ['--user', userId], ['--client-user-id', 'alex']]) {
    const { stdout, code, stderr } = await salus('orders', 'list', ...filter)
    assert.equal(code, 0, stderr)
    assert.match(stdout, new RegExp(`^${orderId}  .*  ordered  `, 'm'))
    assert.doesNotMatch(stdout, /Zerlina|Main St/)
  }
  const none = await salus('orders', 'list', '--status', 'completed')
  assert.equal(none.stderr.trim(), 'No orders.')
  const shown = await salus('orders', 'show', orderId)
  assert.match(shown.stdout, /received\.walk_in_test\.ordered/)
  assert.doesNotMatch(shown.stdout, /Zerlina|Main St/)
  assert.match((await salus('orders', 'show', orderId, '--json')).stdout, /Zerlina/)
  const unknown = await salus('orders', 'show', userId)
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'salus: order_not_found\n'])
})

test('salus users shows a person, and deletes one after a confirmation', async () => {
  const { stdout } = await salus('users', 'show', userId)
  assert.match(stdout, /^Client user id {2}alex$/m)
  assert.match(stdout, /^apple_health_kit {2}connected {2}/m)
  const made = await salus('users', 'create', 'sam')
  const asked = await salus('users', 'delete', '--client-user-id', 'sam')
  assert.equal(asked.code, 1)
  assert.match(asked.stderr, /There is no terminal for the confirmation\. Add --yes/)
  assert.equal((await salus('users', 'show', '--client-user-id', 'sam')).code, 0)
  const deleted = await salus('users', 'delete', made.stdout.trim(), '--yes')
  assert.equal(deleted.code, 0, deleted.stderr)
  assert.equal((await salus('users', 'show', made.stdout.trim())).code, 1)
})

test('exit codes distinguish wrong calls from missing servers', async () => {
  const { version } = JSON.parse(readFileSync(fileIn('../package.json'), 'utf8'))
  const shown = await salus('--version')
  assert.deepEqual([shown.code, shown.stdout], [0, `${version}\n`])
  assert.equal((await salus('users', 'list', '--help')).code, 0)
  for (const wrong of [['nonsense'], ['users', 'list', '--nonsense'], ['orders', 'show']]) {
    assert.equal((await salus(...wrong)).code, 2, wrong.join(' '))
  }
  const nowhere = await salus('users', 'list', '--url', 'http://127.0.0.1:9')
  assert.equal(nowhere.code, 3)
})

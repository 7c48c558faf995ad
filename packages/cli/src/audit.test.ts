import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSalus, startTestServer, type TestServer } from './testing/salus-process.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

function audit(...args: string[]) {
  const environment = { SALUS_DATA_DIR: server.dataDirectory }
  return startSalus(['audit', ...args], environment).result
}

async function call(method: string, path: string, body?: object) {
  const headers = { 'x-service-api-key': server.keys.api_key, 'content-type': 'application/json' }
  const answer = await fetch(server.url + path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  return (await answer.json()) as { user_id: string }
}

test('every change that was answered survives a kill, and reads but for the last moment', async () => {
  const { user_id: seen } = await call('POST', '/v2/user', { client_user_id: 'seen' })
  await call('GET', `/v2/user/${seen}`)
  await sleep(600)
  const made: string[] = []
  const make = async (index: number) => {
    const { user_id } = await call('POST', '/v2/user', { client_user_id: `user-${index}` })
    made.push(user_id)
    await call('GET', `/v2/user/${user_id}`)
  }
  const making = (async () => {
    for (let index = 0; index < 10_000; index += 4) {
      await Promise.all([0, 1, 2, 3].map((next) => make(index + next)))
    }
  })().catch(() => undefined)
  // However slow the machine is.
  for (let tries = 0; made.length < 20 && tries < 3_000; tries++) await sleep(10)
  assert.ok(made.length >= 20, `${made.length}`)
  await server.kill()
  await making
  await server.startAgain()
  const { code, stdout, stderr } = await audit('export')
  assert.deepEqual([code, stderr], [0, ''])
  const entries = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const usersOf = (method: string) =>
    new Set(entries.filter((entry) => entry.method === method).map(({ user_id }) => user_id))
  assert.deepEqual(
    made.filter((id) => !usersOf('POST').has(id)),
    [],
  )
  assert.ok(usersOf('GET').has(seen))
})

test('a check prints its head, and holds the log against an earlier one', async () => {
  const first = await audit('verify')
  assert.deepEqual([first.code, first.stderr], [0, ''])
  const [, head = ''] = /^[\d,]+ rows .*\nHead: (\d+:[0-9a-f]{64})\n$/.exec(first.stdout) ?? []
  assert.ok(head, first.stdout)
  await call('GET', '/v2/user')
  assert.equal((await audit('verify', '--head', head)).code, 0)
  const other = await audit('verify', '--head', `1:${'0'.repeat(64)}`)
  assert.deepEqual([other.code, other.stdout.split('\n')[0]], [1, 'Row 1 was changed.'])
  const longer = await audit('verify', '--head', `999999:${'0'.repeat(64)}`)
  assert.equal(longer.code, 1)
  assert.match(longer.stdout, /^Rows \d+ to 999999 are missing\.\n/)
  const wrong = await audit('verify', '--head', 'yesterday')
  assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
  assert.match(wrong.stderr, /^salus: --head .*\n$/)
})

test('an export can be of one person, whether the server runs or not', async () => {
  const { user_id } = await call('POST', '/v2/user', { client_user_id: 'alex' })
  await call('GET', `/v2/user/${user_id}`)
  await sleep(600)
  await server.kill()
  const { code, stdout } = await audit('export', '--user', user_id)
  await server.startAgain()
  const routes = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).route)
  assert.deepEqual([code, routes], [0, ['/v2/user', '/v2/user/:user_id']])
  const wrong = await audit('export', '--user', 'alex')
  assert.deepEqual([wrong.code, wrong.stdout, wrong.stderr], [1, '', 'salus: alex is not an id.\n'])
})

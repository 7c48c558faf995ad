import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSalus, startTestServer, type TestServer } from './testing/salus-process.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(() => server.stop())

async function signIn(code: string) {
  const answer = await fetch(`${server.url}/v1/console/session`, {
    method: 'POST',
    headers: { 'x-salus-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  return { status: answer.status, body: (await answer.json()) as { is_operator?: boolean } }
}

test('salus console prints an address that signs the operator in once, while the server runs', async () => {
  const environment = { SALUS_DATA_DIR: server.dataDirectory, SALUS_URL: server.url }
  const { code, stdout, stderr } = await startSalus(['console'], environment).result
  assert.equal(code, 0, stderr)
  assert.match(stderr, /once, in the next 15 minutes/)
  const address = new URL(stdout.trim())
  assert.equal(`${address.origin}${address.pathname}`, `${server.url}/console`)
  const secret = address.hash.replace('#code=', '')
  const { status, body } = await signIn(secret)
  assert.deepEqual([status, body.is_operator], [200, true])
  assert.equal((await signIn(secret)).status, 400)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeIn, type MachineFixture, onMachine, signInWithCode } from './machine-fixture.ts'

export function testConsole(fixture: MachineFixture): void {
  test('salus console prints an address that signs the operator in once, while the server runs', async () => {
    const { code, stdout, stderr } = await onMachine(fixture, 'console')
    assert.equal(code, 0, stderr)
    assert.match(stderr, /once, in the next 15 minutes/)
    const address = new URL(stdout.trim())
    assert.equal(`${address.origin}${address.pathname}`, `${fixture.server.url}/console`)
    const secret = codeIn(stdout)
    const { status, body } = await signInWithCode(fixture, secret)
    assert.deepEqual([status, body.is_operator], [200, true])
    assert.equal((await signInWithCode(fixture, secret)).status, 400)
  })

  test('salus user invites an operator who cannot sign in, and removes lost second factors', async () => {
    const email = 'operator@example.com'
    const post = (path: string, body: object) =>
      fetch(`${fixture.server.url}/v1/console/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-salus-console': '1' },
        body: JSON.stringify(body),
      })
    const { code, stdout, stderr } = await onMachine(fixture, 'user', 'invite', email)
    assert.equal(code, 0, stderr)
    const address = new URL(stdout.trim())
    assert.equal(`${address.origin}${address.pathname}`, `${fixture.server.url}/console/invitation`)
    const password = 'seven brown teapots whistle'
    const accepted = { code: codeIn(stdout), password }
    assert.equal((await post('invitation/accept', accepted)).status, 200)
    const signedIn = await post('session', { email, password })
    const session = (await signedIn.json()) as { is_operator: boolean }
    assert.deepEqual([signedIn.status, session.is_operator], [200, true])
    const reset = await onMachine(fixture, 'user', 'reset-second-factor', email)
    assert.equal(reset.code, 0, reset.stderr)
    const [cookie = ''] = signedIn.headers.getSetCookie()
    const headers = { cookie: cookie.split(';')[0] ?? '', 'x-salus-console': '1' }
    const former = await fetch(`${fixture.server.url}/v1/console/session`, { headers })
    assert.equal(former.status, 401)
    const unknown = await onMachine(fixture, 'user', 'reset-second-factor', 'x@example.com')
    assert.match(unknown.stderr, /has no user with this e-mail address/)
    assert.equal(unknown.code, 1)
  })
}

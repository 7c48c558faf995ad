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
}

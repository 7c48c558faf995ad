import assert from 'node:assert/strict'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSalus } from '../salus-command.ts'
import { codeIn, type MachineFixture, onMachine, signInWithCode } from './machine-fixture.ts'

export function testKeyRecovery(fixture: MachineFixture): void {
  /** The status of a call with each of the keys that are kept. */
  async function tryKeys(): Promise<number[]> {
    const path = join(fixture.server.dataDirectory, 'keys.json')
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const keys = JSON.parse(readFileSync(path, 'utf8'))
    const calls: [string, Record<string, string>][] = [
      ['/v2/user', { 'x-service-api-key': keys.api_key }],
      [`/v1/org/${keys.organization_id}`, { 'x-management-key': keys.management_key }],
    ]
    return Promise.all(
      calls.map(
        async ([at, headers]) => (await fetch(fixture.server.url + at, { headers })).status,
      ),
    )
  }

  const signIn = async (): Promise<string> =>
    (await signInWithCode(fixture, codeIn((await onMachine(fixture, 'console')).stdout))).cookie

  const statusOfSession = async (cookie: string): Promise<number> => {
    const headers = { cookie, 'x-salus-console': '1' }
    return (await fetch(`${fixture.server.url}/v1/console/session`, { headers })).status
  }

  for (const state of ['running', 'stopped']) {
    test(`salus key recover makes keys that work when keys.json is lost, with the server ${state}`, async () => {
      rmSync(join(fixture.server.dataDirectory, 'keys.json'))
      const signedIn = await signIn()
      assert.equal(await statusOfSession(signedIn), 200)
      if (state === 'stopped') await fixture.server.kill()
      const { code, stdout, stderr } = await onMachine(fixture, 'key', 'recover')
      assert.deepEqual([code, stderr], [0, ''])
      assert.match(stdout, /Management key {3}mg_/)
      if (state === 'stopped') await fixture.server.startAgain()
      assert.deepEqual(await tryKeys(), [200, 200])
      // A server that runs asks the database again after some seconds.
      while ((await statusOfSession(signedIn)) !== 401) await sleep(200)
      const earlier = { 'x-service-api-key': fixture.server.keys.api_key }
      assert.equal((await fetch(`${fixture.server.url}/v2/user`, { headers: earlier })).status, 200)
    })
  }

  test('salus key recover says where to look when there is no such folder, and when it holds no database', async () => {
    const missing = await startSalus(['key', 'recover', '--data-dir', join(fixture.folder, 'no')])
      .result
    assert.deepEqual([missing.code, missing.stdout], [1, ''])
    assert.match(missing.stderr, /^salus: There is no .*--data-dir.*\n$/)
    const empty = await startSalus(['key', 'recover', '--data-dir', fixture.folder]).result
    assert.equal(empty.code, 1)
    assert.match(empty.stderr, /^salus: .*\n$/)
  })
}

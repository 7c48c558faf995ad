import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MachineFixture, onMachine } from './machine-fixture.ts'

async function call({ server }: MachineFixture, method: string, path: string, body?: object) {
  const headers = { 'x-service-api-key': server.keys.api_key, 'content-type': 'application/json' }
  const answer = await fetch(server.url + path, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  return (await answer.json()) as { user_id: string }
}

/** Routes in an export of one person, with how it ended. */
async function exportOf(
  fixture: MachineFixture,
  userId: string,
): Promise<[code: number | null, routes: string[]]> {
  const { code, stdout } = await onMachine(fixture, 'audit', 'export', '--user', userId)
  const lines = stdout.split('\n').filter((line) => line !== '')
  return [code, lines.map((line) => JSON.parse(line).route)]
}

export function testAudit(fixture: MachineFixture): void {
  test('every change that was answered survives a kill, and reads but for the last moment', async () => {
    const { user_id: seen } = await call(fixture, 'POST', '/v2/user', { client_user_id: 'seen' })
    await call(fixture, 'GET', `/v2/user/${seen}`)
    const both = [0, ['/v2/user', '/v2/user/:user_id']]
    // Reads are written a moment later.
    await sleep(600)
    let exported = await exportOf(fixture, seen)
    for (let tries = 0; tries < 20 && exported[1].length !== 2; tries++) {
      exported = await exportOf(fixture, seen)
    }
    assert.deepEqual(exported, both, 'of one person, while the server runs')
    const made: string[] = []
    const make = async (index: number) => {
      const { user_id } = await call(fixture, 'POST', '/v2/user', {
        client_user_id: `user-${index}`,
      })
      made.push(user_id)
      await call(fixture, 'GET', `/v2/user/${user_id}`)
    }
    const making = (async () => {
      for (let index = 0; index < 10_000; index += 4) {
        await Promise.all([0, 1, 2, 3].map((next) => make(index + next)))
      }
    })().catch(() => undefined)
    // However slow the machine is.
    for (let tries = 0; made.length < 20 && tries < 3_000; tries++) await sleep(10)
    assert.ok(made.length >= 20, `${made.length}`)
    await fixture.server.kill()
    await making
    assert.deepEqual(await exportOf(fixture, seen), both, 'while it does not')
    await fixture.server.startAgain()
    const { code, stdout, stderr } = await onMachine(fixture, 'audit', 'export')
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
    const first = await onMachine(fixture, 'audit', 'verify')
    assert.deepEqual([first.code, first.stderr], [0, ''])
    const [, head = ''] =
      /^[\d,]+ rows .*\n(?:Compared .*\n)?Head: ([\d:,0-9a-f]+)\n$/.exec(first.stdout) ?? []
    assert.ok(head, first.stdout)
    await call(fixture, 'GET', '/v2/user')
    assert.equal((await onMachine(fixture, 'audit', 'verify', '--head', head)).code, 0)
    const [, chain = ''] = /^(\d+):/.exec(head) ?? []
    const zeros = '0'.repeat(64)
    const other = await onMachine(fixture, 'audit', 'verify', '--head', `${chain}:1:${zeros}`)
    const changed = `Row 1 of chain ${chain} was changed.`
    assert.deepEqual([other.code, other.stdout.split('\n')[0]], [1, changed])
    const far = `${chain}:999999:${zeros}`
    const longer = await onMachine(fixture, 'audit', 'verify', '--head', far)
    assert.equal(longer.code, 1)
    assert.match(longer.stdout, /^Rows \d+ to 999999 of chain \d+ are missing\.\n/)
    const wrong = await onMachine(fixture, 'audit', 'verify', '--head', 'yesterday')
    assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
    assert.match(wrong.stderr, /^salus: --head .*\n$/)
  })

  test('an archive is written and checked, and a wrong date is refused', async () => {
    const where = join(fixture.folder, 'audit-archive')
    const written = await onMachine(fixture, 'audit', 'archive', where, '--before', '2026-01-01')
    assert.deepEqual([written.code, written.stderr], [0, ''])
    assert.equal(written.stdout, '0 rows in 0 parts are archived.\n')
    const checked = await onMachine(fixture, 'audit', 'archive', 'verify', where)
    const whole = '0 rows in 0 parts are as they were written.\n'
    assert.deepEqual([checked.code, checked.stdout], [0, whole])
    const wrong = await onMachine(fixture, 'audit', 'archive', where, '--before', 'yesterday')
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^salus: --before must be a date/)
  })

  test('an export of an unknown user is refused', async () => {
    const wrong = await onMachine(fixture, 'audit', 'export', '--user', 'alex')
    const expected = [1, '', 'salus: alex is not an id.\n']
    assert.deepEqual([wrong.code, wrong.stdout, wrong.stderr], expected)
  })
}

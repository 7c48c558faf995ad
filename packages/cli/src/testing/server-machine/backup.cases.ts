import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSalus } from '../salus-command.ts'
import { type MachineFixture, onMachine } from './machine-fixture.ts'

export function testBackup(fixture: MachineFixture): void {
  test('a backup of a server that runs, and one of it stopped, are whole; a restore brings both back', async () => {
    const { server, folder } = fixture
    const run = (...args: string[]) => onMachine(fixture, ...args)
    const user = (await run('users', 'create', 'before')).stdout.trim()
    const where = join(folder, 'backups')
    const running = await run('backup', where)
    assert.equal(running.code, 0, running.stderr)
    assert.match(
      running.stdout,
      /^salus-\d{8}T\d{6}Z-[0-9a-f]{8} holds [\d,]+ rows of \d+ tables and 0 files as of/,
    )
    assert.match(running.stdout, /^Uploads waited for \d+\.\d\d s\.$/m)
    await run('users', 'create', 'after')
    await server.kill()
    const stopped = await run('backup', where, '--keep', '2')
    assert.equal(stopped.code, 0, stopped.stderr)
    const names = readdirSync(where)
    assert.equal(names.length, 2)
    const list = await run('backup', 'list', where)
    assert.equal(list.stdout.trim().split('\n').length, 2)
    assert.match((await run('backup', 'verify', where)).stdout, /is whole/)

    // What is there is left alone, and without the key nothing opens.
    const refused = await run('restore', where)
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /^salus: A backup can only be restored into empty stores/m)
    const restored = join(folder, 'restored')
    const restore = (...args: string[]) =>
      startSalus(['restore', where, '--data-dir', restored, ...args]).result
    assert.match((await restore()).stderr, /put secret\.key of that server into/)
    mkdirSync(restored, { recursive: true })
    copyFileSync(join(server.dataDirectory, 'secret.key'), join(restored, 'secret.key'))
    assert.match((await restore('--backup', 'salus-no')).stderr, /no complete backup of that name/)
    const done = await restore('--backup', names[0] ?? '')
    assert.equal(done.code, 0, done.stderr)

    // The restored directory takes the place of the other one: the same keys open it.
    for (const store of ['postgres', 'clickhouse']) {
      rmSync(join(server.dataDirectory, store), { recursive: true })
      assert.ok(existsSync(join(restored, store)))
    }
    const { dataDirectory } = server
    for (const store of ['postgres', 'clickhouse'])
      renameSync(join(restored, store), join(dataDirectory, store))
    await server.startAgain()
    const { stdout } = await run('users', 'list')
    assert.match(stdout, new RegExp(`^${user} +before `, 'm'))
    assert.doesNotMatch(stdout, / after /)
    assert.equal((await run('audit', 'verify')).code, 0)
  })
}

import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { findRunningPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

async function isBySocket(url: string | undefined): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select inet_client_addr() is null as is_local')
  await client.end()
  return rows[0].is_local
}

test('connections go through a socket that is closed to others, or where it cannot be, by TCP', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'salus-sockets-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  // The service account of root must pass.
  chmodSync(folder, 0o711)
  const start = async (directory: string) => {
    const postgres = await startEmbeddedPostgres({ directory, log: () => {} })
    t.after(() => postgres.stop())
    return postgres
  }
  const directory = join(folder, 'with, a comma')
  const first = await start(directory)
  const socket = readdirSync(directory).find((name) => name.startsWith('.s.PGSQL.')) ?? ''
  assert.equal(statSync(join(directory, socket)).mode & 0o777, 0o700)
  assert.equal(await isBySocket(first.url), true)
  assert.equal(await isBySocket(await findRunningPostgres(directory)), true)
  const stranger = new URL(first.url)
  stranger.password = 'wrong'
  await assert.rejects(isBySocket(stranger.href), { code: '28P01' })
  // As in a shared folder that holds sockets to which nothing can connect.
  rmSync(join(directory, socket))
  writeFileSync(join(directory, socket), '')
  assert.equal(await isBySocket(await findRunningPostgres(directory)), false)
  await first.stop()
  // As a crash of the machine leaves it.
  writeFileSync(join(directory, '.s.PGSQL.1'), '')
  await (await start(directory)).stop()
  assert.deepEqual(readdirSync(directory).sort(), ['cluster', 'password'])
  const deep = join(folder, 'a'.repeat(100))
  renameSync(directory, deep)
  assert.equal(await isBySocket((await start(deep)).url), false)
  assert.equal(await isBySocket(await findRunningPostgres(deep)), false)
})

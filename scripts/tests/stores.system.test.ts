import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openDatabase } from '../../packages/kernel/src/postgres/database.ts'
import { openTestStores, type TestStores } from './stores.ts'

let keptFolder = ''
before(() => {
  keptFolder = mkdtempSync(join(tmpdir(), 'salus-kept-'))
  chmodSync(keptFolder, 0o711)
})
after(() => rmSync(keptFolder, { recursive: true }))

const open = () => openTestStores({ isKept: true, isSharded: false, keptFolder })

/** Runs a statement on the PostgreSQL of the stores, which starts with the first one. */
async function query({ environmentOf }: TestStores, text: string) {
  const response = await fetch(environmentOf(0).SALUS_TEST_STORES ?? '')
  const { pool, close } = openDatabase({ url: await response.text(), poolSize: 1 })
  try {
    return (await pool.query(text)).rows
  } finally {
    await close()
  }
}

const COUNT = "select count(*)::int as tables from pg_tables where tablename = 'kept'"

test('kept stores are those of the run before, and of one run at a time', async () => {
  const first = await open()
  await query(first, 'create table kept (id int)')
  const beside = await open()
  assert.deepEqual(await query(beside, COUNT), [{ tables: 0 }])
  assert.equal(beside.environmentOf(0).SALUS_TEST_CLICKHOUSE_FOLDER, undefined)
  await Promise.all([first.close(), beside.close()])
  const next = await open()
  assert.deepEqual(await query(next, COUNT), [{ tables: 1 }])
  await next.close()
})

test('stores of a process that was killed are made anew', async () => {
  const { pid } = spawnSync(process.execPath, ['--eval', ''])
  writeFileSync(join(keptFolder, 'taken-by'), String(pid))
  const stores = await open()
  assert.deepEqual(await query(stores, COUNT), [{ tables: 0 }])
  await stores.close()
})

test('no database starts for files that need none', async () => {
  const stores = await openTestStores({ isKept: false, isSharded: false })
  await stores.close()
  assert.ok(!existsSync(join(stores.directory, 'postgres')))
})

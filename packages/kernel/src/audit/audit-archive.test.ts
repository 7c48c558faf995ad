import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  appendFormerEntries,
  auditEntry,
  overrideTriggers,
} from '../../../server/test/audit-fixture.ts'
import { createTestDatabase } from '../../../server/test/database.ts'
import { createTestClickHouse } from '../../../server/test/test-clickhouse.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { createSecretBox } from '../crypto/secret-box.ts'
import { openFileStore } from '../files/file-store.ts'
import { createLogger } from '../log.ts'
import { archiveAuditLog } from './archive-audit-log.ts'
import { verifyArchive } from './audit-archive.ts'
import { ChainCheck } from './audit-chain.ts'
import { listChains } from './audit-chains.global.repository.ts'
import { getAuditKey, listAuditKeys } from './audit-keys.global.repository.ts'
import { appendEntries } from './audit-log.global.repository.ts'
import { AuditLog } from './audit-log.ts'
import { applyAuditRetention, isRemovalRight } from './audit-retention.ts'
import { moveAuditRows } from './move-audit-rows.ts'
import { readAuditLog } from './read-audit-log.ts'

const database = useFixture(createTestDatabase)
const clickhouse = useFixture(async () => createTestClickHouse())
const secrets = createSecretBox([Buffer.alloc(32, 9)])
const folder = mkdtempSync(join(tmpdir(), 'salus-audit-archive-'))
const target = openFileStore(folder)
const log = createLogger('silent')
/** In June, after rows of January to March. */
const clock = { now: () => new Date('2026-06-15T00:00:00Z') }
after(() => rmSync(folder, { recursive: true }))

const stores = () => ({ db: database.db, clickhouse })
const environmentId = randomUUID()

before(async () => {
  const key = await getAuditKey(database.db, secrets, clock.now())
  const entry = (at: string) => auditEntry({ at: new Date(at), environmentId })
  await appendFormerEntries(database.db, ['2025-12-30', '2025-12-31', '2026-01-01'].map(entry), key)
  for (const month of ['01', '02', '03']) {
    const entries = Array.from({ length: 10 }, (_, day) => entry(`2026-${month}-1${day}`))
    await database.pool.query('update audit_segments set opened_at = $1 where closed_at is null', [
      `2026-${month}-02T00:00:00Z`,
    ])
    await appendEntries(database.db, entries, { key })
    const at = { now: () => new Date(`2026-${month}-20T00:00:00Z`) }
    const context = { ...stores(), clock: at, log, segmentMs: 0 }
    await moveAuditRows(context, new AbortController().signal)
  }
  await database.pool.query(
    "update audit_segments set opened_at = '2026-06-01' where closed_at is null",
  )
})

const archive = (date: string) =>
  archiveAuditLog({ ...stores(), secrets, target, now: clock.now() }, new Date(date))

async function check() {
  const keys = await listAuditKeys(database.db, secrets)
  const chains = await listChains(database.db)
  const check = new ChainCheck({ keys, chains })
  for await (const row of readAuditLog(stores())) check.add(row)
  check.end()
  const forged = chains.filter((chain) => !isRemovalRight(chain, keys))
  return { rows: check.rows, damages: [...check.damages, ...forged.map(({ id }) => id)] }
}

const retain = (days: number, auditRemovesUnarchived = false) =>
  applyAuditRetention(
    { ...stores(), secrets, clock, audit: new AuditLog({ db: database.db, clock, log, secrets }) },
    { auditRetentionDays: days, auditRemovesUnarchived },
  )

const problemsOf = async () => {
  const { damages, problems } = await verifyArchive(target, secrets)
  return [...damages.map(({ kind, sequence }) => `${kind} ${sequence}`), ...problems]
}

describe('an archive', () => {
  test('has each row once, and is checked with its files and the secret key alone', async () => {
    const first = await archive('2026-02-01')
    assert.deepEqual([first.parts, first.rows, first.damages, first.problems], [3, 13, [], []])
    assert.equal((await archive('2026-02-01')).parts, 0)
    assert.equal((await archive('2026-03-01')).rows, 10)
    const whole = await verifyArchive(target, secrets)
    assert.deepEqual([whole.parts, whole.rows, await problemsOf()], [4, 23, []])
    const others = await verifyArchive(target, createSecretBox([Buffer.alloc(32, 1)]))
    assert.equal(others.problems.length, 4, 'another secret key opens nothing')
  })

  test('that was changed is found: a row, a file, a manifest, and a missing part', async () => {
    const path = (name: string) => join(folder, 'audit', name)
    const names = readdirSync(join(folder, 'audit')).sort()
    const [rows = '', manifest = ''] = names
      .filter((name) => name.includes('0000001'))
      .sort()
      .reverse()
    const kept = new Map(names.map((name) => [name, readFileSync(path(name))]))
    const restore = () => kept.forEach((content, name) => void writeFileSync(path(name), content))
    const text = String(zstdDecompressSync(kept.get(rows) as Buffer))
    const withLines = (change: (lines: string[]) => string[]) =>
      writeFileSync(
        path(rows),
        zstdCompressSync(
          Buffer.from(
            change(text.trimEnd().split('\n'))
              .map((line) => `${line}\n`)
              .join(''),
          ),
        ),
      )
    withLines((lines) =>
      lines.map((line, index) => (index === 4 ? line.replace('"GET"', '"PUT"') : line)),
    )
    assert.deepEqual(await problemsOf(), ['changed 5', `${rows} was changed.`])
    withLines((lines) => lines.filter((_, index) => index !== 4))
    assert.deepEqual(await problemsOf(), ['missing 5', `${rows} was changed.`])
    withLines((lines) => [...lines.slice(0, 5), ...lines.slice(4)])
    assert.deepEqual(await problemsOf(), ['added 5', `${rows} was changed.`])
    withLines(([a = '', b = '', ...others]) => [b, a, ...others])
    assert.ok((await problemsOf()).length > 1)
    restore()
    const changed = String(kept.get(manifest)).replace('"rows":10', '"rows":11')
    writeFileSync(path(manifest), changed)
    assert.deepEqual(await problemsOf(), [`${manifest} was changed, or its key is missing.`])
    restore()
    rmSync(path(rows))
    assert.ok((await problemsOf()).includes(`${rows} is missing.`))
    restore()
    assert.deepEqual(await problemsOf(), [])
  })
})

describe('retention', () => {
  test('removes whole months that are archived, and the rest of each chain is verified', async () => {
    assert.deepEqual(await check(), { rows: 33, damages: [] })
    await retain(0)
    await retain(140)
    assert.deepEqual(await check(), { rows: 34 - 13, damages: [] }, 'with the row of the removal')
    await retain(140)
    const [left] = await clickhouse.queryRows<{ n: number }>(
      'select count() as n from audit_history',
    )
    assert.equal(left?.n, 20, 'ClickHouse drops them an hour later')
    await retain(30)
    assert.deepEqual((await check()).rows, 22 - 10, 'not what is in no archive')
    await retain(30, true)
    assert.deepEqual(await check(), { rows: 3, damages: [] }, 'unless a setting says so')
    assert.deepEqual(await problemsOf(), [], 'the archive stays')
  })

  test('that the owner of the database has recorded is found', async () => {
    await overrideTriggers(
      database.pool,
      'update audit_chains set removed_sequence = sequence, removed_hash = hash where id > 0',
    )
    assert.ok((await check()).damages.length > 0)
  })
})

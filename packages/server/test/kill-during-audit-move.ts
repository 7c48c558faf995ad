import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ChainCheck } from '@salus/kernel/audit/audit-chain'
import { listChains } from '@salus/kernel/audit/audit-chains.global.repository'
import { getAuditKey, listAuditKeys } from '@salus/kernel/audit/audit-keys.global.repository'
import { appendEntries } from '@salus/kernel/audit/audit-log.global.repository'
import { readAuditLog } from '@salus/kernel/audit/read-audit-log'
import type { ClickHouseReader } from '@salus/kernel/clickhouse/clickhouse'
import { findSharedClickHouse } from '@salus/kernel/clickhouse/shared-clickhouse'
import { createSecretBox } from '@salus/kernel/crypto/secret-box'
import { findSecretKey } from '@salus/kernel/crypto/secret-key'
import { newId } from '@salus/kernel/ids'
import { type OpenDatabase, openDatabase } from '@salus/kernel/postgres/database'
import { findRunningPostgres } from '@salus/kernel/postgres/embedded-postgres'
import { auditEntry } from './audit-fixture.ts'
import type { KilledServer } from './killed-server.ts'

const BATCHES = 60
const BATCH = 1_000
const PATIENCE_MS = 120_000

interface Opened extends OpenDatabase {
  clickhouse: ClickHouseReader
}

/** Both stores of the server that runs. */
async function open({ directory }: KilledServer): Promise<Opened> {
  const url = await findRunningPostgres(join(directory, 'postgres'))
  const clickhouse = await findSharedClickHouse(join(directory, 'clickhouse'))
  if (url === undefined || clickhouse === undefined) throw new Error('No server runs.')
  return { ...openDatabase({ url, poolSize: 2 }), clickhouse }
}

/** Makes the open segment due, and the job that moves it; a killed process has no lease. */
async function startMove({ pool }: Opened): Promise<void> {
  await pool.query("update audit_progress set leased_until = '1970-01-01'")
  await pool.query(`update audit_segments set opened_at = now() - interval '2 days'
    where closed_at is null`)
  await pool.query("select graphile_worker.add_job('move_audit_rows')")
}

async function countHistory({ clickhouse }: Opened): Promise<number> {
  const [row] = await clickhouse.queryRows<{ n: number }>('select count() as n from audit_history')
  return row?.n ?? 0
}

/**
 * Kills the server while it moves rows of the audit log, twice. Each row is there once then, and a
 * later run ends the move.
 */
export async function killDuringAuditMove(t: TestContext, killed: KilledServer): Promise<void> {
  const secrets = createSecretBox([findSecretKey(killed.directory) as Buffer])
  let stores = await open(killed)
  const key = await getAuditKey(stores.db, secrets, new Date())
  const environments = [null, newId(), newId()]
  const made = new Set<string>()
  for (let batch = 0; batch < BATCHES; batch++) {
    const entries = Array.from({ length: BATCH }, (_, index) => {
      const objectId = newId()
      made.add(objectId)
      return auditEntry({ objectId, environmentId: environments[index % 3] as string | null })
    })
    await appendEntries(stores.db, entries, { key })
  }
  const check = async (what: string): Promise<void> => {
    const keys = await listAuditKeys(stores.db, secrets)
    const chain = new ChainCheck({ keys, chains: await listChains(stores.db) })
    const left = new Set(made)
    let found = 0
    for await (const row of readAuditLog(stores)) {
      chain.add(row)
      if (row.objectId !== null && made.has(row.objectId)) found += 1
      left.delete(row.objectId ?? '')
    }
    chain.end()
    assert.deepEqual([chain.damages, left.size, found], [[], 0, made.size], what)
  }
  const rest = async (): Promise<number> =>
    (
      await stores.pool.query(
        'select count(*)::int as n from audit_rows where object_id = any($1)',
        [[...made].slice(0, 1_000)],
      )
    ).rows[0].n
  for (const share of [0.05, 0.6]) {
    await startMove(stores)
    const until = Date.now() + PATIENCE_MS
    while ((await countHistory(stores)) < share * made.size && Date.now() < until) await sleep(2)
    await stores.close().catch(() => {})
    await killed.killAndStart()
    stores = await open(killed)
    t.diagnostic(`killed with ${await countHistory(stores)} of ${made.size} rows in ClickHouse`)
    await check('after a kill')
  }
  await startMove(stores)
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(200)) {
    if ((await rest()) === 0) break
  }
  assert.equal(await rest(), 0)
  await check('at the end')
  await stores.close()
}

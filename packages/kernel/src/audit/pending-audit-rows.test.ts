import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import {
  auditEntry,
  EMPTY_AUDIT_LOG,
  onlyRecent,
  overrideTriggers,
} from '../../../server/test/audit-fixture.ts'
import { createTestDatabase } from '../../../server/test/database.ts'
import { TestClock } from '../../../server/test/teams-app.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { createLogger } from '../log.ts'
import { type AuditEntry, ChainCheck } from './audit-chain.ts'
import { countPending, insertPending } from './audit-log.global.repository.ts'
import { AuditLog } from './audit-log.ts'
import { exportAuditLog, readAuditLog } from './read-audit-log.ts'

const log = createLogger('silent')
const clock = new TestClock()
const database = useFixture(createTestDatabase)
afterEach(() => overrideTriggers(database.pool, ...EMPTY_AUDIT_LOG))

async function damagesOf() {
  const chain = new ChainCheck()
  for await (const row of readAuditLog(onlyRecent(database.db))) chain.add(row)
  return chain.damages
}

const open = () => new AuditLog({ db: database.db, clock, log, secrets: null })
/** A row as the transaction of a change records it: the status is not known. */
async function appendEntry(
  change: Partial<AuditEntry> = {},
): Promise<AuditEntry & { pendingId: string }> {
  const pendingId = randomUUID()
  const entry = auditEntry({ method: 'POST', at: clock.now(), ...change })
  await database.db
    .transaction()
    .execute((transaction) => insertPending(transaction, pendingId, { ...entry, status: null }))
  return { ...entry, pendingId }
}
const rows = async () =>
  (await database.pool.query('select user_id, status from audit_rows order by chain_id, sequence'))
    .rows

test('a row that was written with its change gives way to that of the answer, and is not in the chain twice', async () => {
  const audit = open()
  const entry = await appendEntry()
  assert.equal(await countPending(database.db), 1)
  assert.equal(audit.enqueue(entry), undefined)
  await audit.flush()
  assert.deepEqual(await rows(), [{ user_id: entry.userId, status: 200 }])
  assert.deepEqual([await countPending(database.db), await damagesOf()], [0, []])
})

test('a row that was written with its change comes into the chain without a status when the process ended before it answered', async () => {
  const { userId } = await appendEntry()
  const younger = await appendEntry({ at: new Date(clock.now().getTime() + 30_000) })
  clock.advance(61)
  const next = auditEntry()
  await open().append(next)
  assert.deepEqual(await rows(), [
    { user_id: userId, status: null },
    { user_id: next.userId, status: 200 },
  ])
  assert.deepEqual([await countPending(database.db), await damagesOf()], [1, []])
  const lines: string[] = []
  for await (const line of exportAuditLog(onlyRecent(database.db), {})) lines.push(line)
  const { user_id, sequence } = JSON.parse(lines.at(-1) ?? '')
  assert.deepEqual([lines.length, user_id, sequence], [3, younger.userId, undefined])
})

test('a row that was written with its change cannot be taken away while its process lives, nor be changed', async () => {
  const entry = await appendEntry()
  for (const statement of [
    "update pending_audit_rows set route = '/other'",
    'truncate pending_audit_rows',
  ]) {
    await assert.rejects(database.pool.query(statement), /only ever added/, statement)
  }
  await database.pool.query('delete from pending_audit_rows')
  await open().append(entry)
  assert.deepEqual(await rows(), [{ user_id: entry.userId, status: 200 }])
})

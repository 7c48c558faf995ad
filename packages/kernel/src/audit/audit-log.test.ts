import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  appendFormerEntries,
  auditEntry,
  EMPTY_AUDIT_LOG,
  onlyRecent,
  overrideTriggers,
} from '../../../server/test/audit-fixture.ts'
import { createTestDatabase } from '../../../server/test/database.ts'
import { TestClock } from '../../../server/test/teams-app.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { createLogger } from '../log.ts'
import {
  type AuditDamage,
  type AuditEntry,
  type AuditRow,
  ChainCheck,
  type ChainKey,
  type HeadOfChain,
  hashEntry,
} from './audit-chain.ts'
import { appendEntries } from './audit-log.global.repository.ts'
import { AuditLog, type AuditLogOptions } from './audit-log.ts'
import { exportAuditLog, readAuditLog } from './read-audit-log.ts'

const log = createLogger('silent')
const clock = new TestClock()
const database = useFixture(createTestDatabase)
afterEach(() => asSuperuser(...EMPTY_AUDIT_LOG))
const asSuperuser = (...statements: string[]) => overrideTriggers(database.pool, ...statements)

/** As servers have it. */
const key: ChainKey = { id: randomUUID(), key: Buffer.alloc(32, 7) }

/** All in one chain. */
const environmentId = randomUUID()
const entry = (change: Partial<AuditEntry> = {}) => auditEntry({ environmentId, ...change })
const entries = (count: number) => Array.from({ length: count }, () => entry())

async function check(
  kept?: HeadOfChain,
): Promise<{ damages: AuditDamage[]; head: HeadOfChain; rows: number }> {
  const { damages, heads, rows } = await checkAll(kept)
  return { damages, rows, head: heads[0] as HeadOfChain }
}

async function checkAll(kept?: HeadOfChain, keys = [key]): Promise<ChainCheck> {
  const check = new ChainCheck({ kept: kept === undefined ? [] : [kept], keys })
  for await (const row of readAuditLog(onlyRecent(database.db))) check.add(row)
  check.end()
  return check
}

/** Damages as `kind first-last`. */
async function damagesOf(kept?: HeadOfChain): Promise<string[]> {
  const { damages } = await check(kept)
  return damages.map(({ kind, sequence, lastSequence }) =>
    sequence === lastSequence ? `${kind} ${sequence}` : `${kind} ${sequence}-${lastSequence}`,
  )
}

/** As of a log that was opened without secrets. */
const damagesWithoutKeys = async () => (await checkAll(undefined, [])).damages

const count = async (): Promise<number> =>
  (await database.pool.query('select count(*) as rows from audit_rows')).rows[0].rows

describe('the chain', () => {
  test('of what many processes write at once is whole, and keeps the order of each', async () => {
    const routes = ['/a', '/b', '/c', '/d']
    const writers = routes.map(async (route) => {
      for (let status = 200; status < 225; status++) {
        await appendEntries(database.db, [entry({ route, status }), entry({ route, status })], {
          key,
        })
      }
    })
    await Promise.all(writers)
    const { damages, rows, head } = await check()
    assert.deepEqual([damages, rows, head.sequence], [[], 200, 200])
    for (const route of routes) {
      const { rows: found } = await database.pool.query(
        'select status from audit_rows where route = $1 order by sequence',
        [route],
      )
      const statuses = found.map(({ status }) => status)
      assert.deepEqual(statuses, [...statuses].sort())
    }
  })

  test('takes no update, delete or truncate', async () => {
    await appendEntries(database.db, entries(2), { key })
    for (const statement of [
      "update audit_rows set route = '/other'",
      'update audit_rows set status = 500 where sequence = 1',
      'delete from audit_rows where sequence = 2',
      'delete from audit_rows where false',
      'truncate audit_rows',
      "update salus_audit.audit_rows_0 set route = '/other'",
      'delete from salus_audit.audit_rows_0',
      'truncate salus_audit.audit_rows_0',
    ]) {
      await assert.rejects(database.pool.query(statement), /only ever added/, statement)
    }
    assert.deepEqual([await damagesOf(), await count()], [[], 2])
  })
})

describe('a check finds, behind the back of the trigger,', () => {
  const columns = {
    at: "at + interval '1 ms'",
    environment_id: 'gen_random_uuid()',
    actor_kind: "'system'",
    actor_id: 'gen_random_uuid()',
    method: "'HEAD'",
    route: "'/v2/other'",
    status: '404',
    user_id: 'null',
    object_id: 'user_id',
    hash: "sha256('x')",
  }
  for (const [column, value] of Object.entries(columns)) {
    test(`a changed ${column}`, async () => {
      await appendEntries(database.db, entries(5), { key })
      await asSuperuser(`update audit_rows set ${column} = ${value} where sequence = 3`)
      const found = await damagesOf()
      // A changed hash does not lead to the next row either.
      const expected = column === 'hash' ? ['changed 3', 'changed 4'] : ['changed 3']
      assert.deepEqual(found, expected)
    })
  }

  test('a row that was changed and hashed anew without the key, and one that was given no key', async () => {
    await appendEntries(database.db, entries(5), { key })
    const rehashed = (value: string) => `update audit_rows set route = '/forged', hash = sha256(
      (select hash from audit_rows where sequence = 4) || convert_to(concat_ws(e'\\n', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        environment_id, actor_kind, actor_id, method, '/forged', status, user_id, ''), 'UTF8'))${value}
      where sequence = 5`
    await asSuperuser(rehashed(''))
    assert.deepEqual(await damagesOf(), ['changed 5'])
    await asSuperuser(rehashed(', key_id = null'))
    const rows: AuditRow[] = []
    for await (const row of readAuditLog(onlyRecent(database.db))) rows.push(row)
    const [before, last] = rows.slice(-2) as [AuditRow, AuditRow]
    assert.ok(hashEntry(before.hash, last).equals(last.hash), 'as the plain chain has it')
    assert.deepEqual(await damagesOf(), ['changed 5'])
  })

  test('nothing wrong in a log that began without keys', async () => {
    await appendFormerEntries(database.db, entries(3), null)
    await appendFormerEntries(database.db, entries(3), key)
    assert.deepEqual(await damagesOf(), [])
    await asSuperuser("update audit_log set route = '/other' where sequence = 2")
    assert.deepEqual(await damagesOf(), ['changed 2'])
  })

  test('a field whose words moved to the next', async () => {
    await appendEntries(database.db, [entry({ method: 'GET', route: '/a' }), entry()], { key })
    await asSuperuser(`update audit_rows set method = 'GET/', route = 'a' where sequence = 1`)
    assert.deepEqual(await damagesOf(), ['changed 1'])
  })

  test('missing rows: the first, some between, and, with a kept head, the last', async () => {
    await appendEntries(database.db, entries(9), { key })
    const { head } = await check()
    await asSuperuser('delete from audit_rows where sequence in (1, 4, 5, 9)')
    assert.deepEqual(await damagesOf(), ['missing 1', 'missing 4-5'])
    assert.deepEqual(await damagesOf(head), ['missing 1', 'missing 4-5', 'missing 9'])
  })

  test('a missing row whose place was closed', async () => {
    await appendEntries(database.db, entries(6), { key })
    await asSuperuser(
      'delete from audit_rows where sequence = 3',
      'update audit_rows set sequence = sequence - 1 where sequence > 3',
    )
    assert.deepEqual(await damagesOf(), ['changed 3'])
  })

  test('rows that changed places', async () => {
    await appendEntries(database.db, entries(6), { key })
    await asSuperuser(
      'update audit_rows set sequence = 100 where sequence = 3',
      'update audit_rows set sequence = 3 where sequence = 4',
      'update audit_rows set sequence = 4 where sequence = 100',
    )
    assert.deepEqual(await damagesOf(), ['changed 3', 'changed 4', 'changed 5'])
  })

  test('a log that was written anew as a whole, with a kept head', async () => {
    await appendEntries(database.db, entries(4), { key })
    const { head } = await check()
    await asSuperuser(
      'truncate audit_rows',
      `update audit_chains set sequence = 0, hash = start_hash where id = ${head.chainId}`,
    )
    await appendEntries(database.db, entries(6), { key })
    assert.deepEqual(await damagesOf(), [])
    assert.deepEqual(await damagesOf(head), ['changed 4'])
  })
})

describe('the log of a process', () => {
  const open = (options: Partial<AuditLogOptions> = {}) =>
    new AuditLog({ db: database.db, clock, log, secrets: null, lingerMs: 30, ...options })
  const away = () => database.pool.query('alter table audit_rows rename to audit_rows_away')
  const back = () => database.pool.query('alter table audit_rows_away rename to audit_rows')

  test('has what is appended on disk at once, and what is queued a moment later', async () => {
    const audit = open()
    assert.equal(audit.enqueue(entry()), undefined)
    assert.equal(await count(), 0)
    await audit.append(entry())
    assert.equal(await count(), 2)
    audit.enqueue(entry())
    const deadline = Date.now() + 5_000
    while ((await count()) < 3 && Date.now() < deadline) await sleep(5)
    assert.equal(await count(), 3)
    audit.enqueue(entry())
    await audit.flush()
    assert.deepEqual([await count(), await damagesWithoutKeys()], [4, []])
  })

  test('goes on behind what other processes added', async () => {
    const processes = [open(), open(), open()]
    for (let round = 0; round < 3; round++) {
      for (const audit of processes) await audit.append(entry())
    }
    await Promise.all(processes.flatMap((audit) => entries(20).map((one) => audit.append(one))))
    assert.deepEqual([await count(), await damagesWithoutKeys()], [69, []])
  })

  test('writes many at once with few commits', async () => {
    const audit = open()
    const commits = async (): Promise<number> => {
      const { rows } = await database.pool.query(
        'select count(distinct xmin::text) as n from audit_rows',
      )
      return rows[0].n
    }
    await Promise.all(entries(2_500).map((one) => audit.append(one)))
    assert.equal(await count(), 2_500)
    assert.ok((await commits()) <= 5, `${await commits()} commits`)
  })

  test('fails what cannot be written, keeps what is queued, and says so to whoever reads on', async () => {
    const audit = open({ mostQueued: 3, lingerMs: 60_000 })
    await away()
    for (let queued = 0; queued < 3; queued++) assert.equal(audit.enqueue(entry()), undefined)
    await assert.rejects(audit.append(entry()), /audit_rows/)
    // The log is full, so reads wait for it, and fail while it cannot be written.
    await assert.rejects(audit.enqueue(entry()) as Promise<void>, /audit_rows/)
    await back()
    assert.equal(await count(), 0)
    await audit.enqueue(entry())
    assert.deepEqual([await count(), await damagesWithoutKeys()], [4, []])
  })

  test('writes what is queued as soon as the database is back', async () => {
    const audit = open()
    await away()
    audit.enqueue(entry())
    await sleep(60)
    await back()
    const deadline = Date.now() + 5_000
    while ((await count()) < 1 && Date.now() < deadline) await sleep(20)
    assert.equal(await count(), 1)
  })
})

test('an export has every row as a line of JSON, or those of a person or an environment', async () => {
  const one = entry({ objectId: randomUUID() })
  const other = entry({ environmentId: null, userId: null, actorId: null, actorKind: 'system' })
  await appendEntries(database.db, [one, other, entry()], { key })
  const read = async (filter: Parameters<typeof exportAuditLog>[1]) => {
    const lines: Record<string, unknown>[] = []
    for await (const line of exportAuditLog(onlyRecent(database.db), filter))
      lines.push(JSON.parse(line))
    return lines
  }
  const [first, ...rest] = await read({})
  assert.equal(rest.length, 2)
  const { hash = '', chain_id: chain, key_id: keyId, ...shown } = first as Record<string, string>
  assert.equal(keyId, key.id)
  assert.match(hash, /^[0-9a-f]{64}$/)
  assert.ok(Number(chain) > 0)
  assert.deepEqual(shown, {
    sequence: 1,
    at: one.at.toISOString(),
    environment_id: one.environmentId,
    actor_kind: 'api_key',
    actor_id: one.actorId,
    method: 'GET',
    route: '/v2/user/:user_id',
    status: 200,
    user_id: one.userId,
    object_id: one.objectId,
  })
  const sequences = async (filter: Parameters<typeof exportAuditLog>[1]) =>
    (await read(filter)).map(({ sequence }) => sequence)
  assert.deepEqual(await sequences({ userId: one.userId as string }), [1])
  assert.deepEqual(await sequences({ environmentId }), [1, 2])
})

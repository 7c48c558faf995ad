import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  appendFormerEntries,
  auditEntry,
  EMPTY_AUDIT_LOG,
  overrideTriggers,
} from '../../../server/test/audit-fixture.ts'
import { createTestDatabase } from '../../../server/test/database.ts'
import { createTestClickHouse } from '../../../server/test/test-clickhouse.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { createLogger } from '../log.ts'
import { systemClock } from '../time/clock.ts'
import { type AuditEntry, ChainCheck, type ChainKey } from './audit-chain.ts'
import { listChains } from './audit-chains.global.repository.ts'
import type { AuditListFilter } from './audit-listing.global.repository.ts'
import { appendEntries } from './audit-log.global.repository.ts'
import { listAuditRows } from './list-audit-rows.ts'
import { moveAuditRows } from './move-audit-rows.ts'
import { readAuditLog } from './read-audit-log.ts'

const database = useFixture(createTestDatabase)
const clickhouse = useFixture(async () => createTestClickHouse())
afterEach(async () => {
  await overrideTriggers(database.pool, ...EMPTY_AUDIT_LOG)
  await database.pool.query(`update audit_progress set moved_segment = 0, moved_sequence = 0;
    delete from audit_segments where closed_at is not null`)
  await clickhouse.command('truncate table audit_history')
})

const key: ChainKey = { id: randomUUID(), key: Buffer.alloc(32, 3) }
const stores = () => ({ db: database.db, clickhouse })

/** Closes the open segment and moves all that is closed. */
const move = (beforeStep: (step: string) => void = () => {}) =>
  moveAuditRows(
    {
      ...stores(),
      clock: systemClock,
      log: createLogger('silent'),
      segmentMs: -Infinity,
      rowsAtOnce: 7,
      beforeStep,
    },
    new AbortController().signal,
  )

async function check() {
  const check = new ChainCheck({ keys: [key], chains: await listChains(database.db) })
  for await (const row of readAuditLog(stores())) check.add(row)
  check.end()
  return check
}

const damagesOf = async () =>
  (await check()).damages.map(({ kind, sequence }) => `${kind} ${sequence}`)

const recentRows = async (): Promise<number> =>
  (await database.pool.query('select count(*)::int as n from audit_rows')).rows[0].n

const EVERYTHING: AuditListFilter = { changesOnly: false, hidesConsoleTokens: false }

/** All pages of a list, as texts that name a row. */
async function listAll(filter: Partial<AuditListFilter> = {}, limit = 5): Promise<string[]> {
  const found: string[] = []
  let before: Parameters<typeof listAuditRows>[2]['before'] = null
  for (let pages = 0; pages < 1_000; pages++) {
    const { rows, next } = await listAuditRows(
      stores(),
      { ...EVERYTHING, ...filter },
      { before, limit },
    )
    found.push(...rows.map((row) => `${row.at.toISOString()} ${row.object_id}`))
    if (next === null) return found
    before = next
  }
  throw new Error('The list has no end.')
}

/** A generator of the same numbers for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

class Fault extends Error {}

describe('chains of environments', () => {
  const environmentId = randomUUID()
  const entry = (change: Partial<AuditEntry> = {}) => auditEntry({ environmentId, ...change })
  const entries = (count: number) => Array.from({ length: count }, () => entry())

  test('are written in one statement, and hold none of the others up', async () => {
    const [a, b] = [entry(), entry({ environmentId: randomUUID() })]
    await appendEntries(database.db, [a, b], { key })
    const client = await database.pool.connect()
    // As another process does that adds to the first chain.
    await client.query('begin')
    await client.query('select from audit_chains where environment_id = $1 for update', [
      environmentId,
    ])
    const both = appendEntries(database.db, [a, b, a], { key })
    for (let tries = 0; (await recentRows()) < 3 && tries < 500; tries++) await sleep(5)
    assert.equal(await recentRows(), 3, 'the second one is written')
    await client.query('commit')
    client.release()
    await both
    assert.deepEqual([await recentRows(), await damagesOf()], [5, []])
  })

  test('begin behind the end of the chain that they shared', async () => {
    await appendFormerEntries(database.db, entries(2), key)
    await appendEntries(database.db, entries(2), { key })
    const [former, own] = await listChains(database.db)
    assert.deepEqual(own?.start.hash, former?.end?.hash)
    const chains = await listChains(database.db)
    const kinds = async () => {
      const check = new ChainCheck({ keys: [key], chains })
      for await (const row of readAuditLog(stores())) check.add(row)
      check.end()
      return check.damages.map(({ kind, chainId, sequence }) => [kind, chainId, sequence])
    }
    assert.deepEqual(await kinds(), [])
    await overrideTriggers(database.pool, 'delete from audit_rows where sequence = 2')
    assert.deepEqual(await kinds(), [['missing', own?.id, 2]], 'without a kept head')
    await overrideTriggers(database.pool, 'delete from audit_log where sequence = 2')
    assert.deepEqual((await kinds())[0], ['missing', 0, 2])
  })
})

describe('rows of the audit log', () => {
  test('are in the list and in the chains once, whatever stops a move, and wherever it stops', async () => {
    for (const seed of [1]) {
      const random = randomOf(seed)
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
      const environments = [null, randomUUID(), randomUUID()]
      const users = [null, randomUUID()]
      const model: AuditEntry[] = []
      let at = Date.parse('2026-01-30T00:00:00Z')
      const randomEntry = (): AuditEntry => {
        at += Math.floor(random() * 3) * 3_600_000
        return auditEntry({
          at: new Date(at - (random() < 0.1 ? 90_000_000 : 0)),
          environmentId: pick(environments),
          userId: pick(users),
          objectId: randomUUID(),
          status: pick([200, 404, 503, null]),
          method: pick(['GET', 'POST']),
          route: pick(['/v2/user', '/v2/user/:user_id', '/v1/a\\b']),
        })
      }
      const former = Array.from({ length: 30 }, randomEntry)
      model.push(...former)
      await appendFormerEntries(database.db, former, key)
      for (let step = 0; step < 9; step++) {
        const entries = Array.from({ length: Math.floor(random() * 20) }, randomEntry)
        model.push(...entries)
        await appendEntries(database.db, entries, { key })
        let left = Math.floor(random() * 9)
        const fault = () => {
          if (left-- === 0) throw new Fault()
        }
        await move(fault).catch((error) => {
          if (!(error instanceof Fault)) throw error
        })
        if (step % 3 !== 2) continue
        const { damages, rows } = await check()
        assert.deepEqual([damages, rows], [[], model.length], `seed ${seed}, step ${step}`)
      }
      await move()
      assert.equal(await recentRows(), 0)
      await compareLists(model, { environments, users })
      const { rows } = await database.pool.query('select count(*)::int as n from audit_log')
      assert.equal(rows[0].n, 1, 'servers of the version before go on behind the last row')
      await overrideTriggers(database.pool, ...EMPTY_AUDIT_LOG)
      await database.pool.query('update audit_progress set moved_sequence = 0')
      await clickhouse.command('truncate table audit_history')
    }
  })

  /** Each list has what the model has, in its order. */
  async function compareLists(
    model: readonly AuditEntry[],
    { environments, users }: { environments: (string | null)[]; users: (string | null)[] },
  ): Promise<void> {
    const [, environmentId] = environments
    const [, userId] = users
    const filters: [Partial<AuditListFilter>, (entry: AuditEntry) => boolean][] = [
      [{}, () => true],
      [
        { environmentId: environmentId as string },
        (entry) => entry.environmentId === environmentId,
      ],
      [{ userId: userId as string }, (entry) => entry.userId === userId],
      [{ outcome: 'refused' }, ({ status }) => status === 404],
      [
        { outcome: 'done', changesOnly: true },
        ({ status, method }) => method === 'POST' && (status ?? 0) < 400,
      ],
      [{ route: '/v2/user/*' }, ({ route }) => route.startsWith('/v2/user/')],
      [{ route: '/v1/a\\b' }, ({ route }) => route === '/v1/a\\b'],
      [
        { since: new Date('2026-02-01T00:00:00Z'), until: new Date('2026-02-03T00:00:00Z') },
        ({ at }) =>
          at >= new Date('2026-02-01T00:00:00Z') && at <= new Date('2026-02-03T00:00:00Z'),
      ],
      [
        {
          team: { teamId: model[7]?.objectId as string, environmentIds: [environmentId as string] },
        },
        (entry) => entry.environmentId === environmentId || entry.objectId === model[7]?.objectId,
      ],
    ]
    for (const [filter, isIn] of filters) {
      const listed = await listAll(filter)
      const times = listed.map((row) => row.slice(0, 24))
      assert.deepEqual(times, [...times].sort().reverse(), JSON.stringify(filter))
      const expected = model
        .filter(isIn)
        .map((entry) => `${entry.at.toISOString()} ${entry.objectId}`)
      assert.deepEqual(listed.sort(), expected.sort(), JSON.stringify(filter))
    }
  }

  test('are moved by one process at a time, and wait while a reader holds the partition', async () => {
    const entries = Array.from({ length: 20 }, () => auditEntry({ environmentId: null }))
    await appendEntries(database.db, entries, { key })
    await Promise.all([move(), move(), move()])
    assert.equal(await recentRows(), 0)
    assert.deepEqual([await damagesOf(), (await check()).rows], [[], 20])

    await appendEntries(database.db, entries, { key })
    const reader = await database.pool.connect()
    await reader.query(
      'begin isolation level repeatable read; lock table audit_rows in access share mode',
    )
    await move()
    assert.equal(
      (await reader.query('select from audit_rows')).rowCount,
      20,
      'as a backup reads it',
    )
    await reader.query('commit')
    reader.release()
    const steps: string[] = []
    await move((step) => steps.push(step))
    assert.deepEqual([steps, await recentRows()], [['empty', 'finish'], 0], 'without another copy')
    assert.deepEqual([await damagesOf(), (await check()).rows], [[], 40])
  })

  test('that were changed, removed, added or exchanged in ClickHouse are found', async () => {
    const entries = Array.from({ length: 20 }, () => auditEntry({ environmentId: null }))
    await appendEntries(database.db, entries, { key })
    await move()
    assert.deepEqual(await damagesOf(), [])
    const alter = (change: string) =>
      clickhouse.command(`alter table audit_history ${change} settings mutations_sync = 2`)
    await alter("update route = '/forged' where sequence = 3")
    assert.deepEqual(await damagesOf(), ['changed 3'])
    await alter('delete where sequence in (1, 7, 20)')
    assert.deepEqual(await damagesOf(), ['missing 1', 'changed 3', 'missing 7', 'missing 20'])
    await clickhouse.command(
      `insert into audit_history select * replace ('/forged' as route, 20 as sequence)
      from (select * from audit_history where sequence = 19)`,
    )
    assert.deepEqual(await damagesOf(), ['missing 1', 'changed 3', 'missing 7', 'changed 20'])
    await clickhouse.command(
      `insert into audit_history select * replace ('/other' as route) from audit_history
      where sequence = 12`,
    )
    assert.ok(
      (await damagesOf()).some((damage) => damage.endsWith(' 12')),
      'one more of a place',
    )
    await alter('delete where sequence in (12, 20)')
    await alter('update user_id = generateUUIDv4(), has_user = 1 where sequence = 15')
    assert.ok((await damagesOf()).includes('changed 15'))
  })
})

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import type { QueryParameters } from '@salus/kernel/clickhouse/clickhouse'
import { newId } from '@salus/kernel/ids'
import { rowScope } from '@salus/kernel/scope'
import { eraseDeletedUsers } from '@salus/rights/erasure'
import { countPersonRows, PERSON_TABLES } from '../../../rights/src/person-data/index.ts'
import { createHarness, type Harness } from '../harness.ts'
import { makeSubject } from '../subject.ts'
import { storeSummary } from '../summaries/store-summary.ts'
import { useFixture } from '../use-fixture.ts'
import { exportPerson } from './export-archive.ts'

const harness = useFixture(createHarness)

const KEPT = ['pending_audit_rows', 'audit_rows', 'audit_log', 'erasures', 'audit_history']

const call: Harness['call'] = (...request) => harness.call(...request)
const manage = (method: string, path: string, body?: object) =>
  harness.manage(method, `/team/${harness.teamId}/sandbox${path}`, body)
const eraseWith = (replaced: object) =>
  eraseDeletedUsers(
    { ...harness.dependencies, pool: harness.database.pool, ...replaced },
    new AbortController().signal,
  )
const erase = () => eraseWith({})
const ask = async (userId: string) => (await call('POST', `/v2/user/${userId}/erasure`)).body
const hold = async (userId: string) =>
  (await manage('POST', '/legal_hold', { user_id: userId, reason: 'A dispute' })).body

async function makeSleeper(): Promise<string> {
  const userId = await harness.makeUser('manual')
  await storeSummary(harness, userId, 'sleep', {})
  return userId
}

async function count(userId: string): Promise<Map<string, number>> {
  const { pool, db } = harness.database
  const { rows } = await pool.query(
    "select id from team_environments where environment = 'sandbox' order by id",
  )
  for (const { id } of rows) {
    const scope = { ...rowScope(db, id), clickhouse: harness.clickhouse }
    const counts = await countPersonRows(scope, userId)
    if (counts.size > 0) return counts
  }
  return new Map()
}

async function verifyReceipt(receipt: string): Promise<boolean> {
  const [header = '', payload = '', signature = ''] = receipt.split('.')
  const { kid } = JSON.parse(String(Buffer.from(header, 'base64url')))
  const { keys } = (await call('GET', '/receipt_keys', undefined, { 'x-service-api-key': '' })).body
  const { public_key: pem } = keys.find(({ id }: { id: string }) => id === kid)
  const signed = Buffer.from(`${header}.${payload}`)
  return verify(null, signed, createPublicKey(pem), Buffer.from(signature, 'base64url'))
}

describe('a requested erasure', () => {
  /** Has a row in every table, which takes a while to make, and stays until the last test. */
  let other: string
  test('hides at once, cannot be undone, and removes everything in two minutes with a receipt', async () => {
    const { userId } = await makeSubject(harness)
    other = (await makeSubject(harness)).userId
    await harness.dependencies.audit.flush()
    const kept = await count(other)
    const asked = await ask(userId)
    assert.deepEqual([asked.status, asked.cause, asked.receipt], ['scheduled', 'requested', null])
    assert.equal((await call('GET', `/v2/user/${userId}`)).status, 404)
    assert.equal((await call('POST', `/v2/user/undo_delete?user_id=${userId}`)).status, 404)
    await erase()
    assert.equal((await call('GET', `/v2/erasure/${asked.id}`)).body.status, 'scheduled')
    harness.clock.advance(121)
    const counts = await count(userId)
    await erase()
    const { body } = await call('GET', `/v2/erasure/${asked.id}`)
    assert.equal(body.status, 'completed')
    const { removed, kept: stays, user_id: whose } = body.statement
    assert.equal(whose, userId)
    for (const { name, store, erased } of PERSON_TABLES) {
      const sent = removed[store][name]
      assert.equal(sent, typeof erased === 'string' ? counts.get(name) : undefined, name)
    }
    const { lab_results: results, lab_reports: reports, imports } = removed.files
    assert.ok(results > 0 && reports > 0 && imports > 0, JSON.stringify(removed.files))
    assert.deepEqual(
      stays.map(({ table }: { table: string }) => table),
      KEPT,
    )
    const left = [...(await count(userId)).keys()]
    assert.deepEqual(left.sort(), ['audit_rows', 'erasures'])
    for (const [table, rows] of kept) {
      if (!table.includes('audit')) assert.equal((await count(other)).get(table), rows, table)
    }
    assert.ok(await verifyReceipt(body.receipt))
  })

  test('is previewed: the answer lists what it would remove and keep, and nothing is changed', async () => {
    await harness.dependencies.audit.flush()
    const counts = await count(other)
    const { status, body } = await call('POST', `/v2/user/${other}/erasure/dry_run`)
    assert.equal(status, 200)
    for (const { name, store, erased } of PERSON_TABLES) {
      const sent = body.removed[store][name]
      assert.equal(sent, typeof erased === 'string' ? counts.get(name) : undefined, name)
    }
    assert.ok(body.removed.files.lab_results > 0, JSON.stringify(body.removed.files))
    const kept = body.kept.map(({ table }: { table: string }) => table)
    assert.deepEqual(kept, KEPT)
    assert.equal((await call('GET', `/v2/user/${other}`)).status, 200)
    assert.equal((await count(other)).get('users'), 1)
  })

  test('is refused for an unknown user, for a deleted one, and twice', async () => {
    const userId = await harness.makeUser()
    assert.equal((await call('POST', `/v2/user/${newId()}/erasure`)).status, 404)
    assert.equal((await call('POST', `/v2/user/${newId()}/erasure/dry_run`)).status, 404)
    await ask(userId)
    assert.equal((await call('POST', `/v2/user/${userId}/erasure/dry_run`)).status, 404)
    assert.equal((await call('POST', `/v2/user/${userId}/erasure`)).status, 404)
    const { body } = await call('GET', '/v2/erasure')
    const ofUser = body.data.filter((one: { user_id: string }) => one.user_id === userId)
    assert.equal(ofUser.length, 1)
  })

  test('removes the files of exports, and their links open nothing any more', async () => {
    const worker = await harness.startJobs()
    const userId = await harness.makeUser()
    const { made } = await exportPerson(harness, userId, 'json')
    await worker.stop()
    const link = await call('POST', `/v2/user/${userId}/export/${made.id}/link`, {})
    const path = new URL(link.body.url).pathname
    const { id } = await ask(userId)
    assert.equal((await call('GET', path)).status, 404, 'from the first moment on')
    harness.clock.advance(121)
    await erase()
    await assert.rejects(harness.files.read('exports', made.id))
    assert.equal((await call('GET', `/v2/erasure/${id}`)).body.statement.removed.files.exports, 1)
  })

  test('that is cut short is taken up again, and its receipt lists what was there at first', async () => {
    const { id } = await ask(other)
    harness.clock.advance(121)
    await harness.dependencies.audit.flush()
    const counts = await count(other)
    const files = { ...harness.files, remove: () => Promise.reject(new Error('unplugged')) }
    await assert.rejects(eraseWith({ files }), /unplugged/)
    assert.equal((await call('GET', `/v2/erasure/${id}`)).body.status, 'running')
    await erase()
    const { statement } = (await call('GET', `/v2/erasure/${id}`)).body
    assert.equal(statement.removed.clickhouse.samples, counts.get('samples'))
    assert.equal(statement.removed.postgresql.orders, counts.get('orders'))
  })
})

describe('erasures that are due together', () => {
  test('rewrite each table once, and each has its receipt', async () => {
    const asked: { id: string }[] = []
    const people = [(await makeSubject(harness)).userId, await makeSleeper(), await makeSleeper()]
    for (const userId of people) asked.push(await ask(userId))
    harness.clock.advance(121)
    const rewritten: string[] = []
    const { clickhouse } = harness.dependencies
    const counting = Object.assign(Object.create(clickhouse), {
      command: (sql: string, parameters: QueryParameters) => {
        rewritten.push(/^alter table (\w+)/.exec(sql)?.[1] ?? sql)
        return clickhouse.command(sql, parameters)
      },
    })
    await eraseWith({ clickhouse: counting })
    assert.ok(rewritten.includes('samples') && rewritten.includes('sleep_summaries'))
    assert.equal(new Set(rewritten).size, rewritten.length, rewritten.join(', '))
    for (const { id } of asked) {
      const { body } = await call('GET', `/v2/erasure/${id}`)
      assert.equal(body.status, 'completed')
      assert.ok(await verifyReceipt(body.receipt))
    }
  })

  test('do not wait for one that fails', async () => {
    const [broken, other] = [await makeSleeper(), await makeSleeper()]
    const [first, second] = [await ask(broken), await ask(other)]
    harness.clock.advance(121)
    const { audit } = harness.dependencies
    const refusing = Object.assign(Object.create(audit), {
      append: (entry: { userId?: string }) =>
        entry.userId === broken
          ? Promise.reject(new Error('unplugged'))
          : audit.append(entry as never),
    })
    await assert.rejects(eraseWith({ audit: refusing }), /unplugged/)
    assert.equal((await call('GET', `/v2/erasure/${first.id}`)).body.status, 'running')
    assert.equal((await call('GET', `/v2/erasure/${second.id}`)).body.status, 'completed')
    await erase()
    assert.equal((await call('GET', `/v2/erasure/${first.id}`)).body.status, 'completed')
  })
})

describe('a receipt', () => {
  test('is verified with openssl alone, and not when one letter of it was changed', async () => {
    const { id } = await ask(await harness.makeUser())
    harness.clock.advance(121)
    await erase()
    const { receipt } = (await call('GET', `/v2/erasure/${id}`)).body
    const { keys } = (await call('GET', '/receipt_keys')).body
    const folder = mkdtempSync(join(tmpdir(), 'salus-receipt-'))
    const check = (signed: string, signature: string): string => {
      writeFileSync(join(folder, 'signed'), signed)
      writeFileSync(join(folder, 'signature'), Buffer.from(signature, 'base64url'))
      writeFileSync(join(folder, 'key.pem'), keys[0].public_key)
      const command = ['pkeyutl', '-verify', '-pubin', '-inkey', 'key.pem', '-rawin']
      const named = ['-in', 'signed', '-sigfile', 'signature']
      return execFileSync('openssl', [...command, ...named], {
        cwd: folder,
        stdio: 'pipe',
      }).toString()
    }
    try {
      const [header, payload, signature] = receipt.split('.')
      assert.match(check(`${header}.${payload}`, signature), /Verified Successfully/)
      assert.throws(() => check(`${header}.${payload.replace(/^./, 'f')}`, signature))
      assert.equal(await verifyReceipt(`${header}.${payload}x.${signature}`), false)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('of a pair that cannot be opened any more is verified still, and another pair signs', async () => {
    const make = async (): Promise<string> => {
      const { id } = await ask(await harness.makeUser())
      harness.clock.advance(121)
      await erase()
      return (await call('GET', `/v2/erasure/${id}`)).body.receipt
    }
    const former = await make()
    const { pool } = harness.database
    await pool.query(
      'update receipt_signing_keys set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)',
    )
    const next = await make()
    const { keys } = (await call('GET', '/receipt_keys')).body
    assert.equal(keys.length, 2)
    assert.ok(await verifyReceipt(former))
    assert.ok(await verifyReceipt(next))
    assert.notEqual(former.split('.')[0], next.split('.')[0])
  })

  test('is made of a plain delete too, once its week is over', async () => {
    const userId = await harness.makeUser()
    await call('DELETE', `/v2/user/${userId}`)
    harness.clock.advance(7 * DAY_SECONDS + 1)
    await erase()
    const { body } = await call('GET', '/v2/erasure')
    const found = body.data.find((one: { user_id: string }) => one.user_id === userId)
    assert.deepEqual([found.status, found.cause], ['completed', 'deleted'])
    assert.ok(await verifyReceipt(found.receipt))
  })
})

describe('a legal hold', () => {
  test('has deletes and erasures refused, until it is released', async () => {
    const userId = await harness.makeUser()
    const held = await hold(userId)
    assert.equal(held.released_at, null)
    for (const [method, url] of [
      ['DELETE', `/v2/user/${userId}`],
      ['POST', `/v2/user/${userId}/erasure`],
      ['POST', `/v2/user/${userId}/erasure/dry_run`],
    ] as const) {
      const { status, body } = await call(method, url)
      assert.deepEqual([status, body.detail.error_type], [409, 'legal_hold'], url)
    }
    assert.equal((await call('GET', `/v2/user/${userId}`)).status, 200)
    const twice = await manage('POST', '/legal_hold', { user_id: userId, reason: 'Again' })
    assert.deepEqual([twice.status, twice.body.detail.error_type], [409, 'legal_hold'])
    const released = await manage('POST', `/legal_hold/${held.id}/release`)
    assert.notEqual(released.body.released_at, null)
    assert.deepEqual((await manage('POST', `/legal_hold/${held.id}/release`)).body, released.body)
    assert.equal((await call('DELETE', `/v2/user/${userId}`)).status, 200)
  })

  test('on a deleted user makes the erasure wait, also a requested one', async () => {
    for (const isAsked of [false, true]) {
      const userId = await harness.makeUser()
      await (isAsked ? ask(userId) : call('DELETE', `/v2/user/${userId}`))
      const { id } = await hold(userId)
      harness.clock.advance(30 * DAY_SECONDS)
      await erase()
      assert.equal((await count(userId)).get('users'), 1)
      await manage('POST', `/legal_hold/${id}/release`)
      await erase()
      assert.equal((await count(userId)).get('users'), undefined)
    }
  })

  test('is of people who are there only, listed by person, and in the audit log', async () => {
    const unknown = await manage('POST', '/legal_hold', { user_id: newId(), reason: 'x' })
    assert.equal(unknown.status, 404)
    const userId = await harness.makeUser()
    const { id } = await hold(userId)
    const list = async (query: string) => (await manage('GET', `/legal_hold?${query}`)).body.data
    assert.equal((await list(`user_id=${userId}&is_active=true`)).length, 1)
    assert.equal((await list(`user_id=${userId}&is_active=false`)).length, 0)
    await manage('POST', `/legal_hold/${id}/release`)
    assert.equal((await list(`user_id=${userId}&is_active=false`)).length, 1)
    await harness.dependencies.audit.flush()
    const { rows } = await harness.database.pool.query(
      `select count(*)::int as rows from audit_rows where user_id = $1 and method = 'POST'
        and route like '%/legal_hold'`,
      [userId],
    )
    assert.equal(rows[0].rows, 1)
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createHarness } from '../../../test/harness.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import { openNewEnvironment } from '../../../test/webhooks/webhook-environment.ts'
import { dispatchEvents } from './delivery.global.repository.ts'
import { ALL_SHARES, ShareTurns, takeShares } from './dispatch-shares.global.repository.ts'

const salus = useFixture(createHarness)

const shareOf = async (environmentId: string): Promise<number> => {
  const text = 'select uuid_hash($1) & 7 as share'
  const { rows } = await salus.database.pool.query<{ share: number }>(text, [environmentId])
  return rows[0]?.share ?? -1
}

const waiting = async (): Promise<string[]> => {
  const text = 'select environment_id from waiting_events order by sequence'
  const { rows } = await salus.database.pool.query<{ environment_id: string }>(text)
  return rows.map((row) => row.environment_id)
}

test('a share that another process dispatches is left to it, and to any other when it ends', async () => {
  const { db } = salus.database
  const now = salus.clock.now()
  await dispatchEvents(db, now, 1000)
  const one = await openNewEnvironment(salus)
  let other = await openNewEnvironment(salus)
  const share = await shareOf(one.environmentId)
  while ((await shareOf(other.environmentId)) === share) other = await openNewEnvironment(salus)
  await dispatchEvents(db, now, 1000)
  for (const environment of [one, other, one]) await environment.raise()
  await db.transaction().execute(async (elsewhere) => {
    assert.deepEqual((await takeShares([share]).execute(elsewhere)).rows, [{ shares: [share] }])
    assert.equal(await dispatchEvents(db, now, 1000, [share]), undefined)
    assert.equal((await dispatchEvents(db, now, 1000))?.events, 1)
    assert.deepEqual(await waiting(), [one.environmentId, one.environmentId])
  })
  assert.equal((await dispatchEvents(db, now, 1000, [share]))?.events, 2)
  assert.deepEqual(await waiting(), [])
})

test('a process of a version before the shares, and one of this, never dispatch together', async () => {
  const { db, pool } = salus.database
  const former = await pool.connect()
  await former.query('begin')
  await former.query("select pg_try_advisory_xact_lock(hashtextextended('salus:dispatch', 0))")
  assert.equal(await dispatchEvents(db, salus.clock.now(), 1000), undefined)
  await former.query('commit')
  former.release()
  assert.equal((await dispatchEvents(db, salus.clock.now(), 1000))?.events, 0)
})

describe('the shares of a process', () => {
  test('are all of them, until more wait than one statement takes', () => {
    const turns = new ShareTurns(0)
    assert.deepEqual(turns.next(), ALL_SHARES)
    assert.equal(turns.end(ALL_SHARES, false), false)
    assert.deepEqual(turns.next(), ALL_SHARES)
  })

  test('come in turn while there is a backlog, and are all of them again after it', () => {
    const turns = new ShareTurns(0.999)
    assert.equal(turns.end(turns.next(), true), true)
    const tried = [0, 1, 2, 3].flatMap(() => {
      const shares = turns.next()
      assert.equal(turns.end(shares, true), true)
      return shares
    })
    assert.deepEqual(tried.toSorted(), ALL_SHARES)
    // What the others hold may wait.
    assert.equal(turns.end(turns.next(), false), true)
    assert.deepEqual(turns.next(), ALL_SHARES)
  })
})

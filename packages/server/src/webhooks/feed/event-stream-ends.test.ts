import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHarness } from '../../../test/harness.ts'
import { useFixture } from '../../../test/use-fixture.ts'
import { listen, openStream } from '../../../test/webhooks/stream-reader.ts'
import { until } from '../../../test/webhooks/until.ts'
import { openNewEnvironment } from '../../../test/webhooks/webhook-environment.ts'
import { buildApp } from '../../app.ts'

const salus = useFixture(createHarness)

/** A further process on the same stores, as far as a reader can see. */
async function openServer() {
  const app = await buildApp(salus.dependencies)
  return { app, url: await listen({ app }) }
}

/** Connections that wait for news of events. */
async function listeners(): Promise<number[]> {
  const { rows } = await salus.database.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity
    where datname = current_database() and query = 'listen "salus_events"'`,
  )
  return rows.map(({ pid }) => pid)
}

describe('when the server closes', () => {
  test('open streams end at once, and their readers go on elsewhere', async () => {
    const environment = await openNewEnvironment(salus)
    const { app, url } = await openServer()
    const readers = await Promise.all(
      Array.from({ length: 20 }, () => openStream(url, environment, salus.managementKey)),
    )
    const first = await environment.raise()
    for (const reader of readers) await reader.untilCount(1)
    const startedAt = performance.now()
    await app.close()
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs < 1_500, `${tookMs} ms`)
    for (const reader of readers) assert.equal(await reader.ended, true)
    await until('no connection listens', async () => (await listeners()).length === 0)
    const second = await environment.raise()
    const other = await openServer()
    const lastEventId = readers[0]?.lastPosition() ?? ''
    const again = await openStream(other.url, environment, salus.managementKey, { lastEventId })
    assert.deepEqual(await again.untilCount(1), [second])
    assert.notEqual(first, second)
    await other.app.close()
  })

  test('without a reader it closes as quickly', async () => {
    const { app } = await openServer()
    const startedAt = performance.now()
    await app.close()
    assert.ok(performance.now() - startedAt < 1_500)
  })
})

test('a stream ends when its key is deleted or loses the team, with the next event at the latest', async () => {
  const environment = await openNewEnvironment(salus)
  const { app, url } = await openServer()
  const keys = `/v1/org/${salus.organizationId}/management_key`
  const manage = (method: string, path: string, body?: object) =>
    salus.call(method, path, body, { 'x-management-key': salus.managementKey })
  const makeKey = async () =>
    (await manage('POST', keys, { label: 'Listener', role: 'team_admin' })).body
  const [kept, deleted, narrowed] = [await makeKey(), await makeKey(), await makeKey()]
  const [first, second, third] = await Promise.all([
    openStream(url, environment, kept.key),
    openStream(url, environment, deleted.key),
    openStream(url, environment, narrowed.key),
  ])
  const before = await environment.raise()
  for (const reader of [first, second, third]) await reader.untilCount(1)
  await manage('DELETE', `${keys}/${deleted.id}`)
  await manage('PATCH', `${keys}/${narrowed.id}`, { team_role_bindings: [] })
  salus.clock.advance(61)
  const id = await environment.raise()
  assert.deepEqual(await first.untilCount(2), [before, id])
  await Promise.all([second.ended, third.ended])
  assert.deepEqual([second.ids(), third.ids()], [[before], [before]])
  await app.close()
})

describe('many streams', () => {
  test('look at the database together while nothing happens, and wake only for their events', async (context) => {
    const [environment, quiet] = [await openNewEnvironment(salus), await openNewEnvironment(salus)]
    const { app, url } = await openServer()
    context.after(() => app.close())
    const open = (of: typeof environment) => openStream(url, of, salus.managementKey)
    const many = await Promise.all(Array.from({ length: 40 }, () => open(environment)))
    const others = await Promise.all(Array.from({ length: 10 }, () => open(quiet)))
    await until('all began', async () =>
      [...many, ...others].every(({ items }) => items.length > 0),
    )
    // That streams were opened is on record.
    await salus.dependencies.audit.flush()
    let transactions = 0
    const count = () => {
      transactions += 1
    }
    salus.database.pool.on('acquire', count)
    await sleep(2_500)
    assert.ok(transactions <= 5, `${transactions} while nothing happened`)
    transactions = 0
    const raisedAt = performance.now()
    const id = await environment.raise()
    for (const reader of many) assert.deepEqual(await reader.untilCount(1), [id])
    // Waiting until they have it asks nothing of the database; what looks there regularly goes on.
    // They look in groups, of which a busy machine makes more, but never each for itself.
    const most = 30 + (2 * (performance.now() - raisedAt)) / 1000
    assert.ok(transactions <= most, `${transactions} for one event`)
    salus.database.pool.off('acquire', count)
    assert.ok(others.every((reader) => reader.ids().length === 0))
  })
})

describe('the connection for news', () => {
  test('is one for all readers, and is given back when the last one goes', async () => {
    const environment = await openNewEnvironment(salus)
    const { app, url } = await openServer()
    const readers = await Promise.all(
      Array.from({ length: 5 }, () => openStream(url, environment, salus.managementKey)),
    )
    await until('there is one', async () => (await listeners()).length === 1)
    for (const reader of readers) reader.close()
    await until('it is gone', async () => (await listeners()).length === 0)
    const again = await openStream(url, environment, salus.managementKey)
    const id = await environment.raise()
    assert.deepEqual(await again.untilCount(1), [id])
    await app.close()
  })

  test('may break: readers miss nothing, and it is taken up again', async () => {
    const environment = await openNewEnvironment(salus)
    const { app, url } = await openServer()
    const reader = await openStream(url, environment, salus.managementKey)
    const [lost] = await until('there is one', async () => {
      const pids = await listeners()
      return pids.length === 1 && pids
    })
    await salus.database.pool.query('select pg_terminate_backend($1)', [lost])
    const ids = [await environment.raise(), await environment.raise()]
    assert.deepEqual(await reader.untilCount(2), ids)
    await until('there is another one', async () => {
      const [found] = await listeners()
      return found !== undefined && found !== lost
    })
    ids.push(await environment.raise())
    assert.deepEqual(await reader.untilCount(3), ids)
    await app.close()
    assert.equal(await reader.ended, true)
  })
})

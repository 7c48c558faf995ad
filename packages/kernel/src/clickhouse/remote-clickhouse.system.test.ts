import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { startClickHouseServer } from '../../../server/test/clickhouse-server.ts'
import { until } from '../../../server/test/webhooks/until.ts'
import { isStoreDown } from '../errors.ts'
import { openRemoteClickHouse } from './remote-clickhouse.ts'

test('an unreachable server is one line without the password', async () => {
  const url = 'http://salus:hunter2@127.0.0.1:1/salus'
  const started = performance.now()
  await assert.rejects(openRemoteClickHouse({ url }), (error: Error) => {
    assert.equal(error.name, 'StartupError')
    assert.equal(
      error.message,
      'Cannot reach ClickHouse at 127.0.0.1:1 (ECONNREFUSED). Check CLICKHOUSE_URL.',
    )
    assert.doesNotMatch(`${error.stack} ${error.cause}`, /hunter2/)
    return true
  })
  assert.ok(performance.now() - started < 2000)
})

test('a server that never answers is given up after the timeout', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' ? address?.port : 0
  try {
    await assert.rejects(
      openRemoteClickHouse({ url: `http://127.0.0.1:${port}`, connectTimeoutMs: 200 }),
      { name: 'StartupError', message: new RegExp(`127.0.0.1:${port} \\(timeout\\)`) },
    )
  } finally {
    silent.close()
  }
})

test('a statement that the server ended or had no place for may work in a moment', async () => {
  const settings = '<max_concurrent_queries>2</max_concurrent_queries>'
  const server = await startClickHouseServer({ settings })
  const clickhouse = await openRemoteClickHouse({ url: server.url })
  try {
    const slow = 'select sleepEachRow(1) from numbers(60) settings max_block_size = 1'
    const ended = assert.rejects(clickhouse.queryRows(slow), isStoreDown)
    await until('the slow statement runs, and leaves no place', async () => {
      const refused = await clickhouse.queryRows('select 1').then(
        () => undefined,
        (error) => error,
      )
      assert.ok(refused === undefined || isStoreDown(refused), String(refused))
      return refused !== undefined
    })
    await clickhouse.command("kill query where query like '%sleepEachRow(1)%' sync")
    await ended
  } finally {
    await clickhouse.close()
    await server.stop()
  }
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
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

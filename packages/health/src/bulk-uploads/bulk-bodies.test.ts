import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import {
  PARQUET,
  sendBody,
  sendLines,
  sendParquet,
  steps,
  storedRows,
  toLines,
} from '../../../server/test/bulk-uploads/bulk-client.ts'
import { writeParquet } from '../../../server/test/bulk-uploads/write-parquet.ts'
import { createHarness } from '../../../server/test/harness.ts'
import { storedEvents } from '../../../server/test/stored-events.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const MOST_BYTES = 4 * 1024 ** 2
const salus = useFixture(() => createHarness({ importMaxBytes: MOST_BYTES }))

const makeUser = async () => ({ user_id: await salus.makeUser('manual') })
const minutes = (count: number) => Array.from({ length: count }, (_, minute) => minute)
const bodyOf = (user: object, count: number) =>
  Buffer.from(toLines(minutes(count).map((minute) => steps(user, minute))))

test('a body may be compressed by gzip or zstd', async () => {
  const user = await makeUser()
  const body = bodyOf(user, 50)
  for (const [encoding, bytes, outcome] of [
    ['gzip', gzipSync(body), 'inserted'],
    ['zstd', zstdCompressSync(body), 'unchanged'],
  ] as const) {
    const answer = await sendBody(salus, bytes, { headers: { 'content-encoding': encoding } })
    assert.equal(answer.body[outcome], 50, answer.text)
  }
  const headers = { 'content-encoding': 'br' }
  const other = await sendBody(salus, body, { headers })
  assert.equal(other.body.detail.error_type, 'unsupported_content_encoding')
  const elsewhere = await salus.call('POST', '/v2/user', zstdCompressSync(Buffer.from('{}')), {
    ...{ 'content-type': 'application/json', 'content-encoding': 'zstd' },
  })
  assert.equal(elsewhere.status, 415)
})

test('bytes without a name of their kind are recognized', async () => {
  const user = await makeUser()
  const headers = { 'content-type': 'application/octet-stream' }
  assert.equal((await sendBody(salus, bodyOf(user, 5), { headers })).body.inserted, 5)
  const file = writeParquet(minutes(6).map((minute) => steps(user, minute)))
  const { body } = await sendBody(salus, file, { headers })
  assert.deepEqual([body.inserted, body.unchanged], [1, 5])
})

test('other media types and missing bodies are refused', async () => {
  const json = await salus.call('POST', '/v2/timeseries/bulk', { data: [] })
  assert.equal(json.status, 415)
  assert.equal((await salus.call('POST', '/v2/timeseries/bulk')).status, 415)
  const empty = await sendBody(salus, Buffer.alloc(0))
  assert.equal(empty.status, 200)
  assert.equal(empty.body.lines, 0)
})

test('before a damaged compression everything is stored, and the answer has the counts', async () => {
  for (const [encoding, compress, code] of [
    ['gzip', gzipSync, 'invalid_gzip'],
    ['zstd', zstdCompressSync, 'invalid_zstd'],
  ] as const) {
    const user = await makeUser()
    const whole = compress(bodyOf(user, 15_000))
    const headers = { 'content-encoding': encoding }
    const cut = await sendBody(salus, whole.subarray(0, whole.length * 0.7), { headers })
    assert.equal(cut.status, 400, cut.text)
    const { error_type, stored } = cut.body.detail
    // The end of a frame that is cut is missed by both in the same way.
    assert.ok([code, 'invalid_gzip'].includes(error_type), error_type)
    const rows = await storedRows(salus, user.user_id)
    assert.ok(rows.length > 1000 && rows.length < 15_000, `${rows.length} rows`)
    assert.deepEqual([stored.lines, stored.inserted], [rows.length + stored.rejected, rows.length])
    assert.deepEqual(await storedEvents(salus, user.user_id, /historical/), [])
    const { body } = await sendBody(salus, whole, { headers })
    assert.deepEqual([body.inserted, body.unchanged], [15_000 - rows.length, rows.length])
    assert.equal((await storedEvents(salus, user.user_id, /historical/)).length, 1)
    const nonsense = await sendBody(salus, Buffer.from('no compression'), { headers })
    assert.equal(nonsense.body.detail.error_type, code)
  }
})

test('a body over the limit, also a small one that grows, stores what is before the limit', async () => {
  const user = await makeUser()
  const lines = bodyOf(user, 100)
  const blank = Buffer.alloc(2 * MOST_BYTES, '\n')
  const bomb = gzipSync(Buffer.concat([lines, Buffer.from('\n'), blank]))
  assert.ok(bomb.length < 15_000)
  const answer = await sendBody(salus, bomb, { headers: { 'content-encoding': 'gzip' } })
  assert.equal(answer.status, 413)
  assert.equal(answer.body.detail.error_type, 'body_too_large')
  assert.equal(answer.body.detail.stored.inserted, 100)
  const plain = await sendBody(salus, blank)
  assert.equal(plain.status, 413)
})

test('a file that is no Parquet, lacks columns or is cut is refused', async () => {
  const user = await makeUser()
  const file = writeParquet(minutes(500).map((minute) => steps(user, minute)))
  const headers = { 'content-type': PARQUET }
  for (const body of [bodyOf(user, 3), file.subarray(0, -5), Buffer.alloc(0)]) {
    const answer = await sendBody(salus, body, { headers })
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body.detail.error_type, 'invalid_parquet')
  }
  const lacking = await sendParquet(salus, [{ ...user, value: 1, unit: 'count' }])
  assert.deepEqual(lacking.body.detail.columns, ['resource', 'start_date'])
  assert.deepEqual(await storedRows(salus, user.user_id), [])
})

test('a Parquet file that is damaged in the middle stores the rows before', async () => {
  const user = await makeUser()
  const rows = minutes(4_000).map((minute) => steps(user, minute))
  const file = writeParquet(rows, { rowGroupSize: 1_000, codec: 'UNCOMPRESSED' })
  file.fill(0xff, file.length * 0.6, file.length * 0.7)
  const { status, body } = await sendBody(salus, file, { headers: { 'content-type': PARQUET } })
  assert.equal(status, 400)
  const stored = await storedRows(salus, user.user_id)
  assert.equal(body.detail.stored.inserted, stored.length)
  assert.ok(stored.length >= 1_000)
  assert.equal((await sendParquet(salus, rows)).body.inserted, 4_000 - stored.length)
})

test('what arrived before a connection broke is stored, and a repetition completes it', async () => {
  const user = await makeUser()
  await salus.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = salus.app.server.address() as AddressInfo
  const body = bodyOf(user, 10_000)
  const headers = { 'x-service-api-key': salus.apiKey, 'content-type': 'application/x-ndjson' }
  const path = '/v2/timeseries/bulk'
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers })
  sent.on('error', () => undefined)
  sent.write(body.subarray(0, body.length / 2))
  await sleep(300)
  sent.destroy()
  for (let tries = 0; tries < 200; tries++) {
    if ((await storedRows(salus, user.user_id)).length > 4_000) break
    await sleep(50)
  }
  const stored = (await storedRows(salus, user.user_id)).length
  assert.ok(stored > 4_000 && stored <= 5_000, `${stored} rows`)
  const { body: whole } = await sendLines(salus, [body.toString()])
  assert.deepEqual([whole.inserted, whole.unchanged], [10_000 - stored, stored])
})

import assert from 'node:assert/strict'
import { before, describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { SUMMARY_TABLES } from '../../../health/src/summaries/summary-tables.registry.ts'
import { createHarness } from '../harness.ts'
import { useFixture } from '../use-fixture.ts'
import { type Stalls, watchStalls } from './stall-watch.ts'

const salus = useFixture(createHarness)
let userId: string
let baseline: Stalls
before(async () => {
  userId = await salus.makeUser('manual')
  // Once unmeasured: the first request compiles schemas, and the engine starts its threads.
  for (const path of ['timeseries/:user/steps', 'summary/workouts/:user']) {
    await send(path, Buffer.from(uploadOf(listOf(steps, 1_000))))
  }
  const ordinary = Buffer.from(uploadOf(listOf(steps, 1_000)))
  baseline = await watchStalls(async () => {
    for (let run = 0; run < 5; run++) await send('timeseries/:user/steps', ordinary)
  })
})

/** What a request may hold the event loop. */
const MOST_MS = 100

const at = (second: number): string =>
  new Date(Date.UTC(2026, 1, 10, 8) + second * 1000).toISOString()
const steps = (index: number): string =>
  `{"value":1,"unit":"count","start_date":"${at(index)}","source_bundle":"app.a${index % 100}"}`
const listOf = (entry: (index: number) => string, count: number): string =>
  `[${Array.from({ length: count }, (_, index) => entry(index)).join(',')}]`
const uploadOf = (data: string): string => `{"stage":"daily","provider":"manual","data":${data}}`
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

function send(path: string, body: Buffer | string, headers: object = {}) {
  const type = { 'content-type': 'application/json' }
  const url = `/v2/${path.replace(':user', userId)}`
  return salus.call('POST', url, body, { ...type, ...headers })
}

const GZIP = { 'content-encoding': 'gzip' }

/** How long a request may hold others up. On a slow machine an ordinary upload takes longer too. */
const allowedMs = (): number => Math.max(MOST_MS, baseline.longestCpuMs * 4)

async function measure(context: TestContext, path: string, body: Buffer, headers: object) {
  let answer: Awaited<ReturnType<typeof send>> | undefined
  const { longestCpuMs, longestMs } = await watchStalls(async () => {
    answer = await send(path, body, headers)
  })
  context.diagnostic(
    `held for ${longestCpuMs.toFixed(0)} ms of processor time, ${longestMs.toFixed(0)} ms by ` +
      `the clock; ${allowedMs().toFixed(0)} ms allowed`,
  )
  return { answer: answer as Awaited<ReturnType<typeof send>>, longestCpuMs }
}

const renewUser = async (): Promise<void> => {
  userId = await salus.makeUser('manual')
}

/**
 * Sends a request, and holds how long it kept others waiting against the limit. A stall of the
 * machine does not repeat, so a request over the limit is sent again, usually for a new person.
 */
async function attack(
  context: TestContext,
  path: string,
  body: Buffer,
  headers: object = {},
  prepare = renewUser,
) {
  let { answer, longestCpuMs } = await measure(context, path, body, headers)
  for (let more = 0; more < 2 && longestCpuMs > allowedMs(); more++) {
    await prepare()
    ;({ answer, longestCpuMs } = await measure(context, path, body, headers))
  }
  assert.ok(
    longestCpuMs <= allowedMs(),
    `${longestCpuMs.toFixed(0)} ms of processor time; ${allowedMs().toFixed(0)} ms allowed`,
  )
  return answer
}

const STEPS = 'timeseries/:user/steps'

describe('a body that would exhaust the process is refused before it is parsed', () => {
  const nulls = (count: number) => uploadOf(`[${Array(count).fill('null').join(',')}]`)
  const cases: [name: string, body: string, status: number, code: string][] = [
    ['of ten million nulls', nulls(10_000_000), 413, 'too_many_items'],
    ['of 100,001 items', nulls(100_001), 413, 'too_many_items'],
    ['nested 6,000 deep', uploadOf(`[${nested(6_000)}]`), 422, 'json_too_deep'],
    ['nested ten million deep', uploadOf(nested(10_000_000)), 422, 'json_too_deep'],
    [
      'of millions of empty objects',
      uploadOf(
        `[${Array(60)
          .fill(`[${Array(50_000).fill('{}').join(',')}]`)
          .join(',')}]`,
      ),
      413,
      'too_many_values',
    ],
    ['with an item of 40 MB', uploadOf(`["${'a'.repeat(40 * 1024 ** 2)}"]`), 413, 'item_too_large'],
    [
      'with 20,000 keys of one object',
      uploadOf(`[{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}]`),
      413,
      'too_many_keys',
    ],
    ['over 50 MB', uploadOf(`["${'a'.repeat(51 * 1024 ** 2)}"]`), 413, 'body_too_large'],
  ]
  for (const [name, body, status, code] of cases) {
    test(name, async (context) => {
      const answer = await attack(context, STEPS, Buffer.from(body))
      assert.equal(answer.status, status)
      const { detail } = answer.body
      assert.equal(status === 422 ? detail[0].type : detail.error_type, code)
      if (status === 422) assert.deepEqual(detail[0].loc, ['body'])
    })
  }

  test('also as a few kilobytes of gzip', async (context) => {
    const body = gzipSync(nulls(10_000_000))
    const answer = await attack(context, STEPS, body, GZIP)
    assert.equal(answer.status, 413)
    assert.equal(answer.body.detail.error_type, 'too_many_items')
  })

  test('on every endpoint that takes JSON', async () => {
    const deep = `{"client_user_id":"deep","x":${nested(70)}}`
    for (const url of ['/v2/user', '/v2/link/token', '/v3/order', `/v2/user/${userId}/info`]) {
      const method = url.endsWith('info') ? 'PATCH' : 'POST'
      const type = { 'content-type': 'application/json' }
      const answer = await salus.call(method, url, deep, type)
      if (answer.status === 404) continue
      assert.deepEqual([url, answer.status], [url, 422])
      assert.equal(answer.body.detail[0].type, 'json_too_deep')
    }
  })
})

describe('a body within the limits is taken, and others have their turn', () => {
  test('100,000 samples', async (context) => {
    const body = Buffer.from(uploadOf(listOf(steps, 100_000)))
    const first = await attack(context, STEPS, body)
    assert.deepEqual([first.status, first.body.inserted], [200, 99_000])
    const again = await attack(context, STEPS, body, {}, async () => undefined)
    assert.deepEqual([again.status, again.body.unchanged], [200, 100_000])
  })

  test('100,000 items that cannot be stored', async (context) => {
    const body = Buffer.from(uploadOf(`[${Array(100_000).fill('null').join(',')}]`))
    const answer = await attack(context, STEPS, body)
    assert.deepEqual([answer.status, answer.body.put_aside], [200, 100_000])
  })

  test('thousands of workouts', async (context) => {
    const workout = (index: number): string =>
      `{"id":"w${index}","start_date":"${at(index * 60)}","end_date":"${at(index * 60 + 50)}","sport":"running","source_bundle":"app.a${index}"}`
    const body = Buffer.from(uploadOf(listOf(workout, 8_000)))
    const answer = await attack(context, 'summary/workouts/:user', body)
    assert.deepEqual([answer.status, answer.body.inserted], [200, 8_000])
  })

  test('30,000 weights of one minute', async (context) => {
    const weight = (index: number): string =>
      `{"value":${70 + index / 1e6},"unit":"kg","start_date":"2026-02-10T08:00:00.${String(index % 1000).padStart(3, '0')}Z"}`
    const body = Buffer.from(uploadOf(`{"body_mass":${listOf(weight, 30_000)}}`))
    const answer = await attack(context, 'summary/body/:user', body)
    assert.equal(answer.status, 200)
  })
})

describe('of an item that is too long only the beginning is kept', () => {
  const long = 'a'.repeat(1024 ** 2)

  test('among what is put aside', async () => {
    const person = await salus.makeUser('manual')
    const item = `{"value":"${long}","unit":"count","start_date":"${at(0)}"}`
    const plain = await salus.call(
      'POST',
      `/v2/timeseries/${person}/steps`,
      uploadOf(`[${item}]`),
      { 'content-type': 'application/json' },
    )
    assert.deepEqual([plain.status, plain.body.put_aside], [200, 1])
    const listed = await salus.call('GET', `/v2/user/${person}/put_aside`)
    const { salus_cut: cut } = listed.body.items[0].item
    assert.equal(cut.bytes, Buffer.byteLength(item))
    assert.equal(cut.beginning, item.slice(0, 1_000))
  })

  test('beside a summary', async () => {
    const person = await salus.makeUser('manual')
    const workout = `{"id":"w","start_date":"${at(0)}","end_date":"${at(60)}","sport":"running","junk":"${long}"}`
    const answer = await salus.call(
      'POST',
      `/v2/summary/workouts/${person}`,
      uploadOf(`[${workout}]`),
      { 'content-type': 'application/json' },
    )
    assert.deepEqual([answer.status, answer.body.inserted], [200, 1])
    const rows = await salus.clickhouse.queryRows<{ bytes: number }>(
      `select length(raw) as bytes from ${SUMMARY_TABLES.workouts.table} where user_id = {person:UUID}`,
      { person },
    )
    assert.ok(Number(rows[0]?.bytes) < 64 * 1024)
  })
})

test('keys that come twice, or name a prototype, change nothing else', async () => {
  const twice = '{"stage":"daily","provider":"manual","data":[1],"data":[]}'
  const answer = await send(STEPS, twice)
  assert.deepEqual([answer.status, answer.body.put_aside], [200, 0])
  for (const key of ['__proto__', '\\u005f_proto__']) {
    const small = uploadOf(`[{"${key}":{"isAdmin":true}}]`)
    const large = uploadOf(`[{"${key}":{}},"${'a'.repeat(300_000)}","b",1]`)
    for (const body of [small, large]) assert.equal((await send(STEPS, body)).status, 422)
  }
  assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined)
})

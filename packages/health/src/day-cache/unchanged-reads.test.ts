import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import pg from 'pg'
import { buildApp } from '../../../server/src/app.ts'
import { callerOf, createHarness } from '../../../server/test/harness.ts'
import { plainSummary } from '../../../server/test/summaries/plain-summary.ts'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import { makeOwner } from '../../../server/test/timeseries/sample-source.ts'
import {
  type Process,
  profileReads,
  readAgain,
  readTag,
  startTwoProcesses,
  versionedReads,
} from '../../../server/test/timeseries/versioned-reads.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { SUMMARY_RESOURCES } from '../summaries/index.ts'
import { beginWrite, dayCacheJobs } from './index.ts'

const salus = useFixture(createHarness)
let two: Awaited<ReturnType<typeof startTwoProcesses>>
let one: Process
let other: Process
before(async () => {
  two = await startTwoProcesses(salus)
  ;[one, other] = two.processes
})
after(() => two.close())

const AT = Date.parse('2026-02-10T08:00:00Z')
const stepsOf = (userId: string): string =>
  `/v2/timeseries/${userId}/steps/grouped?start_date=2026-02-10&end_date=2026-02-10`

/** A person with samples, and with summaries of every resource. */
async function makePerson() {
  const { userId, write } = await makeOwner(salus)
  const { rows } = await salus.database.pool.query(
    'select environment_id from users where id = $1',
    [userId],
  )
  const owner = { environmentId: rows[0].environment_id, userId, provider: 'manual' }
  await write([plainSample({ startedAt: AT, value: 1 })])
  const times = { startedAt: AT, endedAt: AT + 3_600_000 }
  const summaries = SUMMARY_RESOURCES.map((resource) => plainSummary(resource, times))
  await one.store(owner, { summaries })
  return { userId, owner, write }
}

async function clean(): Promise<void> {
  const { handlers } = dayCacheJobs(salus.dependencies)
  await handlers.clean_day_cache?.({}, new AbortController().signal, { isLast: false })
}

test('a client that has an answer gets 304 from every process, until the data change', async () => {
  const { userId, write } = await makePerson()
  const urls = [...versionedReads(userId), ...profileReads(userId)]
  const tags = new Map<string, string>()
  for (const url of urls) tags.set(url, await readTag(one, url))
  for (const [url, tag] of tags) {
    for (const process of [one, other]) {
      const { status, headers, text } = await readAgain(process, url, tag)
      assert.deepEqual([status, text, headers.etag], [304, '', tag], url)
      assert.equal(headers['cache-control'], 'no-store')
    }
  }
  await write([plainSample({ startedAt: AT, value: 2 })])
  for (const [url, tag] of tags) {
    assert.equal((await readAgain(other, url, tag)).status, 200, url)
    assert.notEqual(await readTag(one, url), tag)
  }
})

test('what changes nothing leaves the tags as they are', async () => {
  const { userId, owner, write } = await makePerson()
  const tag = await readTag(one, stepsOf(userId))
  await write([plainSample({ startedAt: AT, value: 1 })])
  await one.store(owner, {
    summaries: [plainSummary('sleep', { startedAt: AT, endedAt: AT + 3_600_000 })],
  })
  const neighbour = await makeOwner(salus)
  await neighbour.write([plainSample({ startedAt: AT, value: 5 })])
  assert.equal((await readAgain(other, stepsOf(userId), tag)).status, 304)
})

test('a tag belongs to the address, the media type and the public address', async () => {
  const { userId } = await makePerson()
  const url = stepsOf(userId)
  const tag = await readTag(one, url)
  const read = async (path: string, headers: object) =>
    (await one.call('GET', path, undefined, headers)).headers.etag
  const tags = [
    tag,
    await read(`${url}&provider=manual`, {}),
    await read(url.replace('/grouped', ''), {}),
    await read(url, { accept: 'application/json' }),
    await read(url, { host: 'salus.example' }),
  ]
  assert.equal(new Set(tags).size, tags.length)
  const stranger = await salus.makeTeam()
  const refused = await one.call('GET', url, undefined, {
    'x-service-api-key': stranger.sandboxKey,
    'if-none-match': '*',
  })
  assert.deepEqual([refused.status, refused.headers.etag], [404, undefined])
})

test('an answer that depends on the present instant has no tag, nor has an error', async () => {
  const { userId } = await makePerson()
  const urls = [
    `/v2/timeseries/${userId}/steps/grouped?start_date=2026-02-10`,
    `/v2/timeseries/${userId}/steps?start_date=2026-02-10`,
    `/v2/timeseries/${userId}/steps/merged?start_date=2026-02-10&slot=hour`,
    `/v2/timeseries/${userId}/steps/chart?start_date=2026-02-10`,
    `/v2/summary/sleep/${userId}?start_date=2026-02-10`,
    `${stepsOf(userId)}&next_cursor=none`,
    '/v2/timeseries/workouts/0197aaaa-0000-7000-8000-000000000001/stream',
  ]
  for (const url of urls) {
    const { status, headers } = await one.call('GET', url, undefined, { 'if-none-match': '*' })
    assert.ok([200, 400, 404].includes(status), `${url}: ${status}`)
    assert.equal(headers.etag, undefined, url)
  }
})

test('while something is written, and until it is given up, no answer has a tag', async () => {
  const { userId, owner } = await makePerson()
  const url = stepsOf(userId)
  const tag = await readTag(one, url)
  const change = { environmentId: owner.environmentId, userId, from: AT, to: AT }
  await beginWrite(salus.dependencies, [{ ...change, resource: 'summaries' }])
  const during = await readAgain(other, url, tag)
  assert.deepEqual([during.status, during.headers.etag], [200, undefined])
  await clean()
  assert.equal((await readAgain(other, url, tag)).status, 200, 'it may still be stored')
  salus.clock.advance(11 * 60)
  await clean()
  assert.equal((await readAgain(other, url, tag)).status, 200, 'it may have been stored')
  const next = await readTag(one, url)
  assert.notEqual(next, tag)
  assert.equal((await readAgain(other, url, next)).status, 304)
})

test('a crash of the database ends all tags, and what was written then has its time', async () => {
  const { userId } = await makePerson()
  const url = stepsOf(userId)
  const tag = await readTag(one, url)
  // A crash empties unlogged tables.
  await salus.database.pool.query('truncate data_epochs, data_versions, day_writes, cached_days')
  const hasTag = async () => (await readAgain(one, url, tag)).headers.etag !== undefined
  assert.equal(await hasTag(), false)
  await clean()
  salus.clock.advance(9 * 60)
  assert.equal(await hasTag(), false)
  salus.clock.advance(2 * 60)
  await clean()
  assert.equal((await readAgain(one, url, tag)).status, 200)
  assert.notEqual(await readTag(one, url), tag)
})

test('replicas give no tags, because one may be behind', async () => {
  const { userId } = await makePerson()
  const clickhouse = new Proxy(
    forward(salus.clickhouse, () => undefined),
    {
      get: (target, name) => (name === 'cluster' ? 'replicated' : Reflect.get(target, name)),
    },
  )
  const app = await buildApp({ ...salus.dependencies, clickhouse })
  const { status, headers } = await callerOf(app, salus.apiKey)('GET', stepsOf(userId))
  await app.close()
  assert.deepEqual([status, headers.etag], [200, undefined])
})

/** The same engine, of which each statement is seen. */
function forward(clickhouse: ClickHouse, see: (statement: string) => void): ClickHouse {
  return new Proxy(clickhouse, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (typeof given[0] === 'string') see(given[0])
        return value.apply(target, given)
      }
    },
  })
}

/** Of them the version has what was read; the rest decides who may read, or copies samples. */
const VERSIONED = ['users', 'devices', 'user_source_priorities', 'team_source_priorities']
const AUDIT = [
  'audit_chains',
  'audit_log',
  'audit_rows',
  'audit_segments',
  // Of "for update of".
  'of',
  'pending_audit_rows',
]
const OTHERS = ['data_epochs', 'data_versions', 'day_writes', 'cached_days', ...AUDIT]
const STORED = /^(?:samples|\w+_summaries|workout_streams|samples_by_\w+)$/
const TABLE = /\b(?:from|join|into|update)\s+(?:only\s+)?"?([a-z_]+)\b"?(?!\s*\()/g

test('a read with a tag reads no table that its version does not name', async (t) => {
  const { userId } = await makePerson()
  const seen = new Map<string, string>()
  let url = ''
  const see = (statement: string) => {
    const names = new Set([...statement.matchAll(/\b(\w+) as \(/g)].map(([, name]) => name))
    for (const [, table = ''] of statement.matchAll(TABLE)) {
      if (!names.has(table)) seen.set(table, url)
    }
  }
  const clickhouse = forward(salus.clickhouse, see)
  const app = await buildApp({ ...salus.dependencies, clickhouse })
  const call = callerOf(app, salus.apiKey)
  // The first request finds the key, and records its use.
  await call('GET', stepsOf(userId))
  const { query } = pg.Client.prototype
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { text?: string }]
    see(typeof first === 'string' ? first : (first?.text ?? ''))
    return Reflect.apply(query, this, given)
  })
  for (url of [...versionedReads(userId), ...profileReads(userId)]) {
    assert.equal((await call('GET', url)).status, 200, url)
  }
  t.mock.restoreAll()
  await app.close()
  for (const table of [...VERSIONED, 'samples', 'sleep_summaries'])
    assert.ok(seen.has(table), table)
  const isKnown = (table: string) =>
    VERSIONED.includes(table) || OTHERS.includes(table) || STORED.test(table)
  assert.deepEqual(
    [...seen].filter(([table]) => !isKnown(table)),
    [],
  )
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { HOUR_MS } from '@salus/contracts/time-units'
import { newId } from '@salus/kernel/ids'
import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import {
  DAILY_STEPS,
  stepsAt,
  sumOf,
} from '../../../server/test/continuous-queries/query-environment.ts'
import {
  GAP,
  tableOf,
  useQueryFixture,
} from '../../../server/test/continuous-queries/query-fixture.ts'

const fixture = useQueryFixture()

const PARQUET = 'application/vnd.apache.parquet'
const LIST = '/continuous_query'
const NOT_FOUND = { detail: 'Continuous query not found.' }

describe('reading', () => {
  before(() =>
    fixture.salus.database.pool.query("update continuous_queries set status = 'archived'"),
  )

  async function makeResult() {
    const userId = await fixture.salus.makeUser('manual')
    const days = ['2026-02-11', '2026-02-10', '2026-02-12']
    const items = days.map((day, index) => stepsAt(`${day}T08:00:00Z`, index + 0.5))
    await fixture.environment.upload(userId, 'steps', items)
    const query = await fixture.environment.create()
    await fixture.environment.evaluateAfter(61)
    const base = `/aggregate/v1/user/${userId}/continuous_query`
    return { userId, query, base, path: `${base}/${query.slug}` }
  }

  test('a result gives it as JSON, in the order of its group keys', async () => {
    const { path } = await makeResult()
    for (const accept of [undefined, '*/*', 'application/json']) {
      const headers = accept === undefined ? {} : { accept }
      const { status, text } = await fixture.environment.call(
        'GET',
        `${path}/result_table`,
        undefined,
        headers,
      )
      assert.equal(status, 200)
      assert.equal(
        text,
        '{"table":{"group_key.0":["2026-02-10T00:00:00","2026-02-11T00:00:00",' +
          '"2026-02-12T00:00:00"],"sum.steps.value":[1.5,0.5,2.5]},"source_rule":"one_source"}',
      )
    }
  })

  test('a result gives it as one Parquet file with wall-clock times', async () => {
    const { path } = await makeResult()
    const { rawPayload, headers } = await fixture.environment.app.inject({
      method: 'GET',
      url: `${path}/result_table`,
      headers: { 'x-service-api-key': fixture.salus.apiKey, accept: PARQUET },
    })
    assert.equal(headers['content-type'], PARQUET)
    assert.equal(headers['x-source-rule'], 'one_source')
    const file = rawPayload.buffer.slice(
      rawPayload.byteOffset,
      rawPayload.byteOffset + rawPayload.byteLength,
    ) as ArrayBuffer
    const rows = await parquetReadObjects({ file })
    assert.deepEqual(
      rows.map((row) => row['sum.steps.value']),
      [1.5, 0.5, 2.5],
    )
    assert.deepEqual(
      rows.map((row) => row['group_key.0'].toISOString().slice(0, 10)),
      ['2026-02-10', '2026-02-11', '2026-02-12'],
    )
    const [, key, sum] = parquetMetadata(file).schema
    assert.deepEqual(key?.logical_type, {
      type: 'TIMESTAMP',
      isAdjustedToUTC: false,
      unit: 'MILLIS',
    })
    assert.deepEqual([key?.type, sum?.type], ['INT64', 'DOUBLE'])
  })

  test('a result of a person without one gives empty columns in both forms', async () => {
    const { query } = await makeResult()
    const userId = await fixture.salus.makeUser('manual')
    assert.deepEqual(await fixture.environment.tableOf(userId, query.slug), {
      'group_key.0': [],
      'sum.steps.value': [],
    })
    const { status } = await fixture.environment.call(
      'GET',
      `/aggregate/v1/user/${userId}/continuous_query/${query.id}/result_table`,
      undefined,
      { accept: PARQUET },
    )
    assert.equal(status, 200)
  })

  test('is refused in other media types', async () => {
    const { path } = await makeResult()
    const accept = { accept: 'text/csv' }
    const { status, body } = await fixture.environment.call(
      'GET',
      `${path}/result_table`,
      undefined,
      accept,
    )
    assert.deepEqual([status, body.detail.error_type], [406, 'not_acceptable'])
  })

  test('the tasks gives them newest first, page by page', async () => {
    const { userId, query, path } = await makeResult()
    await fixture.environment.upload(userId, 'steps', [stepsAt('2026-02-10T09:00:00Z', 1)])
    await fixture.environment.evaluateAfter(1801)
    await fixture.environment.upload(userId, 'steps', [stepsAt('2026-02-10T10:00:00Z', 1)])
    const first = (await fixture.environment.call('GET', `${path}/task_history?limit=2`)).body
    assert.deepEqual(
      first.data.map(({ status }: { status: string }) => status),
      ['scheduled', 'completed'],
    )
    const [scheduled, completed] = first.data
    assert.deepEqual(
      [scheduled.started_at, scheduled.ended_at, scheduled.error_details],
      [null, null, null],
    )
    assert.deepEqual([completed.query_id, completed.user_id], [query.id, userId])
    for (const name of ['scheduled_at', 'started_at', 'ended_at']) {
      assert.match(completed[name], /^2026-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
    }
    const next = `${path}/task_history?limit=2&next_cursor=${first.next_cursor}`
    const second = (await fixture.environment.call('GET', next)).body
    assert.deepEqual([second.data.length, second.next_cursor], [1, null])
    const foreign = await fixture.environment.call('GET', `${path}/task_history?next_cursor=abc`)
    assert.equal(foreign.status, 400)
    assert.equal(
      (await fixture.environment.call('GET', `${path}/task_history?limit=201`)).status,
      422,
    )
  })

  test('of an unknown query or person is not found', async () => {
    const { base, path, query } = await makeResult()
    const someone = `/aggregate/v1/user/${newId()}/continuous_query/${query.slug}`
    for (const view of ['result_table', 'task_history']) {
      for (const name of [newId(), 'no-such-slug']) {
        const answer = await fixture.environment.call('GET', `${base}/${name}/${view}`)
        assert.deepEqual([answer.status, answer.body], [404, NOT_FOUND])
      }
      const answer = await fixture.environment.call('GET', `${someone}/${view}`)
      assert.deepEqual([answer.status, answer.body], [404, { detail: 'User not found.' }])
      const headers = { 'x-service-api-key': 'sk_us_unknown' }
      assert.equal(
        (await fixture.environment.call('GET', `${path}/${view}`, undefined, headers)).status,
        401,
      )
    }
  })

  test('by another team or environment finds nothing', async () => {
    const { path, query } = await makeResult()
    const { id: teamId, sandboxKey } = await fixture.salus.makeTeam()
    for (const view of ['result_table', 'task_history']) {
      const headers = { 'x-service-api-key': sandboxKey }
      assert.equal(
        (await fixture.environment.call('GET', `${path}/${view}`, undefined, headers)).status,
        404,
      )
    }
    const manage = { 'x-management-key': fixture.salus.managementKey }
    const org = `/v1/org/${fixture.salus.organizationId}/team`
    for (const other of [`${org}/${teamId}/sandbox`, `${org}/${fixture.salus.teamId}/production`]) {
      const list = await fixture.environment.call('GET', `${other}${LIST}`, undefined, manage)
      assert.deepEqual(list.body, { data: [], next_cursor: null })
      const one = `${other}${LIST}/${query.id}`
      for (const [method, body] of [['PATCH', { title: 'Theirs' }], ['DELETE']] as const) {
        assert.equal((await fixture.environment.call(method, one, body, manage)).status, 404)
      }
      // A slug that is used in one environment is free in the other.
      const body = { slug: query.slug, title: 'Theirs', query: DAILY_STEPS }
      assert.equal(
        (await fixture.environment.call('POST', `${other}${LIST}`, body, manage)).status,
        200,
      )
    }
    const none = await fixture.environment.manage('GET', LIST, undefined, {
      'x-management-key': 'mg_unknown',
    })
    assert.equal(none.status, 401)
  })
})

describe('what else decides a result', () => {
  test('has everything evaluated again when it changed: the fallback zone of a person', async () => {
    const { userId, upload, table } = await fixture.begin({}, [
      stepsAt('2026-02-10T23:30:00Z', 1),
      stepsAt('2026-02-20T12:00:00Z', 1),
    ])
    const zone = { fallback_time_zone: 'Europe/Vienna' }
    await fixture.salus.call('PATCH', `/v2/user/${userId}`, zone)
    await upload(stepsAt('2026-02-20T13:00:00Z', 1))
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), tableOf({ '02-11': 1, '02-20': 2 }))
  })

  test('is the local day, also when clocks are changed', async () => {
    const { userId, upload, table } = await fixture.begin()
    await fixture.salus.call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: 'Europe/Vienna' })
    // The day of 29 March 2026 has 23 hours there, and begins at 23:00 UTC.
    await upload(
      stepsAt('2026-03-28T22:59:00Z', 1),
      stepsAt('2026-03-28T23:00:00Z', 2),
      stepsAt('2026-03-29T21:59:00Z', 3),
      stepsAt('2026-03-29T22:00:00Z', 4),
    )
    await fixture.environment.evaluateAfter(GAP)
    assert.deepEqual(await table(), tableOf({ '03-28': 1, '03-29': 5, '03-30': 4 }))
  })
})

const START = Date.parse('2026-01-05T00:00:00Z')

const keyOf = (value: number, unit: string) => ({
  date_trunc: { value, unit },
  arg: { index: 'timeseries' },
})
const SELECT = [
  { group_key: '*' },
  sumOf('steps'),
  { func: 'count', arg: { timeseries: 'steps', field: 'value' } },
  { func: 'newest', arg: { timeseries: 'steps', field: 'value' } },
]
const carry = (mode: string, reach: object) => ({ carry: { mode, ...reach } })
const QUERIES = [
  DAILY_STEPS,
  { select: SELECT, group_by: [keyOf(5, 'hour')] },
  { select: SELECT, group_by: [keyOf(1, 'week')], where: 'value > 20' },
  { select: SELECT, group_by: [{ source: 'source_type' }, keyOf(2, 'day')] },
  { select: SELECT, group_by: [keyOf(1, 'month')] },
  {
    select: SELECT,
    group_by: [keyOf(1, 'day')],
    align: carry('carry_forward', { max_age: { value: 3, unit: 'day' } }),
  },
  { select: SELECT, group_by: [keyOf(1, 'day')], align: carry('carry_backward', {}) },
  {
    select: SELECT,
    group_by: [keyOf(1, 'day')],
    align: carry('carry_nearest', { span: { value: 2, unit: 'day' } }),
  },
]

const item = fc.record({
  // Few hours, so that later uploads replace samples of earlier ones.
  hour: fc.integer({ min: 0, max: 24 * 40 }).map((hour) => hour - (hour % 5)),
  value: fc.integer({ min: 1, max: 60 }),
  offset: fc.constantFrom('Z', '+05:30', '-09:00'),
  type: fc.constantFrom('watch', 'phone'),
})
const uploads = fc.array(fc.array(item, { minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 4,
})

test('after any uploads and evaluations a table is what one evaluation of everything gives', async () => {
  const queries: { slug: string }[] = []
  for (const query of QUERIES) queries.push(await fixture.environment.create({ query }))
  await fixture.environment.evaluateAfter(61)
  await fc.assert(
    fc.asyncProperty(uploads, async (batches) => {
      const userId = await fixture.salus.makeUser('manual')
      for (const batch of batches) {
        const items = batch.map(({ hour, value, offset, type }) => {
          const local = new Date(START + hour * HOUR_MS).toISOString().slice(0, 19)
          return stepsAt(`${local}${offset}`, value, { type })
        })
        await fixture.environment.upload(userId, 'steps', items)
        await fixture.environment.evaluateAfter(1801)
      }
      const kept = await Promise.all(
        queries.map(({ slug }) => fixture.environment.tableOf(userId, slug)),
      )
      await forget(userId)
      await fixture.environment.evaluate()
      for (const [index, { slug }] of queries.entries()) {
        const everything = await fixture.environment.tableOf(userId, slug)
        assert.ok((everything['group_key.0']?.length ?? 0) > 0 || 'where' in (QUERIES[index] ?? {}))
        assert.deepEqual(kept[index], everything, JSON.stringify(QUERIES[index]))
      }
    }),
    { numRuns: campaignRuns(2, 12), seed: 20260301 },
  )
})

/** Removes all results of a user, and invalidates everything, to be evaluated. */
async function forget(userId: string): Promise<void> {
  const { pool } = fixture.salus.database
  await pool.query('delete from continuous_query_rows where user_id = $1', [userId])
  await pool.query('delete from continuous_query_invalidations where user_id = $1', [userId])
  await pool.query(
    `insert into continuous_query_invalidations (environment_id, user_id, query_id, range, invalidated_at, due_at)
    select environment_id, user_id, query_id, '(,)', '2026-01-01', '2026-01-01'
    from continuous_query_evaluations where user_id = $1`,
    [userId],
  )
}

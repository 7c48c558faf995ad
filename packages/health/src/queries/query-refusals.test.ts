import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { createScope, type Environment } from '@salus/kernel/scope'
import {
  createQueryHarness,
  func,
  part,
  trunc,
  value,
} from '../../../server/test/queries/query-harness.ts'
import { sample } from '../../../server/test/queries/reference/hand-made.ts'
import {
  carry,
  daily,
  glucose,
  keyed,
  mean,
  REFUSALS,
  select,
} from '../../../server/test/queries/refusals.registry.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { analyzeQuery } from './analysis/analyze-query.ts'
import type { Query, QueryRequest } from './query.schema.ts'
import { prepareQueries, streamJsonAnswer, streamParquetAnswer } from './query.service.ts'
import { withLimits } from './query-limits.ts'

const MOST_ROWS = 20_000

const harness = useFixture(() => createQueryHarness({ queryMaxSourceRows: MOST_ROWS }))
let userId: string
before(async () => {
  userId = await harness.person({ samples: [sample('2026-03-02T08:00:00Z', 1)] })
})

const QUERY = ['body', 'queries', 0]

describe('a query is refused for', () => {
  for (const [what, refusals] of Object.entries(REFUSALS)) {
    test(what, async () => {
      for (const [query, type, loc] of refusals) {
        const { status, body } = await harness.send(userId, [query])
        const [problem] = body.detail
        assert.deepEqual(
          { status, type: problem.type, loc: problem.loc },
          { status: 422, type, loc: [...QUERY, ...loc] },
          JSON.stringify(query),
        )
      }
    })
  }

  test('a filter, with the place in its text', async () => {
    const messageOf = async (where: string) =>
      (await harness.send(userId, [{ ...select(mean), where }])).body.detail[0].msg
    assert.match(await messageOf('value > 1 and ?'), /^At character 14: /)
    assert.match(await messageOf('value > 1 and value = true'), /^At character 20: /)
    assert.match(await messageOf('value > 1 and steps = 3'), /^At character 14: /)
  })

  test('what its schema does not allow', async () => {
    const wrong: object[] = [
      { select: [] },
      { select: [{ food: 'calories' }] },
      { select: [{ sleep: 'score', activity: 'steps' }] },
      { select: [func('mode', glucose)] },
      { select: [func('max', { source: 'source_type' })] },
      { select: [{ ...glucose, unit: 'mg' }] },
      { select: [{ value_macro: 'sleep_score', version: 'v2' }] },
      {
        ...select(mean),
        group_by: [{ date_trunc: { unit: 'second' }, arg: { index: 'timeseries' } }],
      },
      { ...select(mean), group_by: [trunc('day', 'timeseries', 0)] },
      { ...select(mean), group_by: [part('second')] },
      { ...keyed, ...carry({ span: { unit: 'day' } }) },
      { ...keyed, align: { carry: { mode: 'carry_forward' }, spine: true } },
      { ...select(mean), where: 5 },
    ]
    for (const query of wrong) {
      const { status, body } = await harness.send(userId, [query])
      assert.equal(status, 422, JSON.stringify(query))
      assert.deepEqual(body.detail[0].loc.slice(0, 3), QUERY)
    }
    const call = (body: object) =>
      harness.salus.call('POST', `/aggregate/v1/user/${userId}/query`, body)
    const timeframe = { type: 'relative', anchor: '2026-03-31', past: { unit: 'day' } }
    for (const body of [
      {},
      { timeframe, queries: [] },
      { timeframe, queries: Array(21).fill(select(mean)) },
      { timeframe: { ...timeframe, type: 'absolute' }, queries: [select(mean)] },
      { timeframe: { ...timeframe, anchor: '2026-02-30' }, queries: [select(mean)] },
      { timeframe: { ...timeframe, past: { unit: 'day', value: 1.5 } }, queries: [select(mean)] },
    ]) {
      assert.equal((await call(body)).status, 422, JSON.stringify(body))
    }
  })

  test('one bad query among good ones', async () => {
    const { status, body } = await harness.send(userId, [select(mean), select({ sleep: 'x' })])
    assert.equal(status, 422)
    assert.deepEqual(body.detail[0].loc, ['body', 'queries', 1, 'select', 0, 'sleep'])
  })
})

test('a continuous query needs a date_trunc and all keys, and its names are long', () => {
  const analyze = (query: object) =>
    analyzeQuery(query as Query, ['body', 'query'], { continuous: true })
  const refusal = (query: object) => {
    try {
      analyze(query)
    } catch (error) {
      return (error as { problems: { type: string }[] }).problems[0]?.type
    }
    return undefined
  }
  assert.equal(refusal(select(mean)), 'invalid_group_key')
  assert.equal(refusal(select(glucose)), 'invalid_group_key')
  assert.equal(refusal({ ...select(mean), group_by: daily }), 'missing_group_key')
  const { columns, keyColumns, resources } = analyze({ ...keyed, select: [mean, { group_key: 0 }] })
  assert.deepEqual(columns, [
    { name: 'mean.glucose.value', type: 'number', nullable: true },
    { name: 'group_key.0', type: 'datetime', nullable: false },
  ])
  assert.deepEqual([keyColumns, resources], [[1], ['glucose']])
  const resourcesOf = (...items: object[]) => analyzeQuery(select(...items) as Query, []).resources
  assert.deepEqual(resourcesOf(value('weight'), value('steps')), ['body_weight', 'steps'])
  assert.deepEqual(resourcesOf({ workout: 'title' }), ['workouts'])
  assert.deepEqual(resourcesOf({ derived_readiness: 'date' }), ['sleep', 'activity'])
})

describe('limits', () => {
  test('windows have at most five years', async () => {
    const status = async (unit: string, size: number) => {
      const options = { past: { unit, value: size } }
      const answer = await harness.send(userId, [select(mean)], options)
      return answer.status === 200 ? 200 : answer.body.detail.error_type
    }
    assert.equal(await status('year', 5), 200)
    assert.equal(await status('day', 1827), 200)
    assert.equal(await status('year', 6), 'range_too_large')
    assert.equal(await status('day', 1828), 'range_too_large')
    assert.equal(await status('month', 61), 'range_too_large')
    assert.equal(await status('month', 1e15), 'range_too_large')
    assert.equal(await status('minute', 9e15), 'range_too_large')
  })

  test('queries look at so many rows at most', async () => {
    const { salus } = harness
    const busy = await harness.person({})
    const [person] = (
      await salus.database.pool.query('select environment_id from users where id = $1', [busy])
    ).rows
    const fill = (count: number) =>
      salus.clickhouse.command(
        `insert into samples (environment_id, user_id, series, started_at, ended_at, value, version)
         select {environmentId:UUID}, {userId:UUID}, 'heartrate',
           toDateTime64('2026-03-01 00:00:00', 3, 'UTC') + toIntervalMinute(number) as at, at, 60, 1
         from numbers({count:UInt32})`,
        { environmentId: person.environment_id, userId: busy, count },
      )
    const query = select(func('count', value('heartrate')))
    await fill(1000)
    assert.deepEqual(await harness.ask(busy, query), { count: [1000] })
    await fill(MOST_ROWS + 10_000)
    const answer = await harness.send(busy, [query])
    assert.deepEqual([answer.status, answer.body.detail.error_type], [400, 'range_too_large'])
    const short = await harness.ask(busy, query, { anchor: '2026-03-01', past: { unit: 'day' } })
    assert.deepEqual(short, { count: [1440] })
  })

  test('queries that take too long end', async () => {
    const limits = { sourceRows: 1000, seconds: 1, threads: 1 }
    const engine = withLimits(harness.salus.clickhouse, limits)
    const slow = 'select sleepEachRow(0.5) from numbers(20) settings max_block_size = 1'
    const late = { status: 503, errorType: 'query_timeout' }
    await assert.rejects(
      engine.queryBytes(slow.replace(' settings', '\nsettings'), {}, 'Null'),
      late,
    )
  })

  test('align does not add millions of rows', async () => {
    const query = {
      ...keyed,
      group_by: [trunc('minute')],
      ...carry({ max_age: { unit: 'year', value: 100 } }),
    }
    const answer = await harness.send(userId, [query])
    assert.deepEqual([answer.status, answer.body.detail.error_type], [400, 'range_too_large'])
  })
})

describe('an answer', () => {
  const timeframe = { type: 'relative', anchor: '2026-03-31', past: { unit: 'month' } }
  const call = (accept: string, headers: object = {}, user = userId) =>
    harness.salus.call(
      'POST',
      `/aggregate/v1/user/${user}/query`,
      { timeframe, queries: [select(glucose), select(mean)], config: { later: true } },
      { accept, ...headers },
    )

  test('is JSON unless Parquet is wanted', async () => {
    for (const accept of ['*/*', 'application/json', 'application/*;q=0.5']) {
      const { status, headers, body } = await call(accept)
      assert.equal(status, 200)
      assert.match(String(headers['content-type']), /^application\/json/)
      assert.deepEqual(body, {
        results: [
          { table: { 'glucose.value': [1] }, source_rule: 'all_sources' },
          { table: { mean: [1] }, source_rule: 'all_sources' },
        ],
      })
    }
  })

  test('is a gzipped tar of Parquet files under both names of its media type', async () => {
    for (const name of ['service', 'vital']) {
      const type = `application/vnd.${name}.tar+gzip+parquet`
      const response = await harness.salus.app.inject({
        method: 'POST',
        url: `/aggregate/v1/user/${userId}/query`,
        headers: { accept: type, 'x-service-api-key': harness.salus.apiKey },
        payload: { timeframe, queries: [select(glucose), select(mean)] },
      })
      assert.equal(response.statusCode, 200)
      assert.equal(response.headers['content-type'], type)
      const tar = gunzipSync(response.rawPayload).toString('latin1')
      assert.ok(tar.startsWith('0.parquet\0') && tar.includes('1.parquet\0'))
      assert.equal(tar.split('PAR1').length, 5)
    }
  })

  test('in another media type does not exist', async () => {
    for (const accept of ['text/csv', 'application/vnd.apache.parquet']) {
      const { status, body } = await call(accept)
      assert.deepEqual([status, body.detail.error_type], [406, 'not_acceptable'])
    }
  })

  test('is about users of the environment only', async () => {
    const unknownUser = '11111111-1111-4111-8111-111111111111'
    assert.equal((await call('*/*', {}, unknownUser)).status, 404)
    const { sandboxKey, productionKey } = await harness.salus.makeTeam()
    for (const key of [sandboxKey, productionKey]) {
      assert.equal((await call('*/*', { 'x-service-api-key': key })).status, 404)
    }
    assert.equal((await call('*/*', { 'x-service-api-key': 'sk_us_wrong' })).status, 401)
    assert.equal((await call('*/*', {}, userId.toUpperCase())).status, 200)
    assert.equal((await call('*/*', {}, 'me')).status, 422)
  })

  test('is aborted when its client is gone', async () => {
    const { dependencies, database } = harness.salus
    const { rows } = await database.pool.query('select environment_id from users where id = $1', [
      userId,
    ])
    const environment = { id: rows[0].environment_id } as Environment
    const scope = createScope(dependencies, environment)
    const request = { timeframe, queries: [select(glucose)] } as QueryRequest
    const prepared = await prepareQueries(scope, userId, request, MOST_ROWS)
    const gone = AbortSignal.abort(new Error('gone'))
    await assert.rejects(streamJsonAnswer(prepared, gone).next(), { message: 'gone' })
    await assert.rejects(
      async () => {
        for await (const _chunk of streamParquetAnswer(prepared, gone));
      },
      { name: /Error/ },
    )
  })

  test('of twenty queries with many rows comes as a whole', async () => {
    const rows = Array.from({ length: 3000 }, (_, minute) =>
      sample(
        new Date(Date.parse('2026-03-01T00:00:00Z') + minute * MINUTE_MS).toISOString(),
        minute,
        {
          appId: `app "${minute % 7}"\n[],`,
        },
      ),
    )
    const busy = await harness.person({ samples: rows })
    const query = select({ index: 'timeseries' }, glucose, { source: 'source_app_id' })
    const { status, body } = await harness.send(busy, Array(20).fill(query))
    assert.equal(status, 200)
    for (const { table } of body.results) {
      assert.deepEqual(
        table['glucose.value'],
        rows.map((row) => row.value),
      )
      assert.equal(table.source_app_id[8], 'app "1"\n[],')
      assert.equal(table.timestamp[2999], '2026-03-03T01:59:00')
    }
  })
})

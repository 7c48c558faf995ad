import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createHarness, type Harness } from '../../../test/harness.ts'
import { plainSample } from '../../../test/timeseries/plain-sample.ts'
import { makeOwner } from '../../../test/timeseries/sample-source.ts'

let salus: Harness
let userId = ''
before(async () => {
  salus = await createHarness()
  const owner = await makeOwner(salus)
  userId = owner.userId
  const starts = [
    '2026-02-09T23:59:59.999Z',
    '2026-02-10T00:00:00Z',
    '2026-02-10T12:00:00Z',
    '2026-02-10T12:00:00.700Z',
    '2026-02-10T23:59:59.999Z',
    '2026-02-11T00:00:00Z',
    // Now is 2026-03-01T12:00:00.250Z.
    '2026-03-01T12:00:00Z',
    '2026-03-01T12:00:01Z',
  ]
  await owner.write(starts.map((start) => plainSample({ startedAt: Date.parse(start) })))
  const noon = { startedAt: Date.parse('2026-02-10T12:00:00Z') }
  await owner.write([plainSample(noon)], 'health_connect')
})
after(() => salus.close())

const read = (query: string) => salus.call('GET', `/v2/timeseries/${userId}/steps/grouped?${query}`)

/** Starts of the samples of the manual provider, without the date and the offset where not needed. */
async function startsOf(query: string, provider = 'manual'): Promise<string[]> {
  const { status, text, body } = await read(query)
  assert.equal(status, 200, text)
  const data: { start: string }[] = body.groups[provider]?.[0].data ?? []
  return data.map(({ start }) => start.slice(5, 19))
}

const WHOLE_DAY = ['02-10T00:00:00', '02-10T12:00:00', '02-10T12:00:00', '02-10T23:59:59']

test('two dates include the whole of both days', async () => {
  assert.deepEqual(await startsOf('start_date=2026-02-10&end_date=2026-02-10'), WHOLE_DAY)
  assert.deepEqual(await startsOf('start_date=2026-02-10&end_date=2026-02-11'), [
    ...WHOLE_DAY,
    '02-11T00:00:00',
  ])
})

test('dates with slashes are the same dates', async () => {
  assert.deepEqual(await startsOf('start_date=2026/02/10&end_date=2026/02/10'), WHOLE_DAY)
})

test('two date-times include both ends, in whole seconds as answers show them', async () => {
  const noon = '2026-02-10T12:00:00Z'
  assert.deepEqual(await startsOf(`start_date=${noon}&end_date=${noon}`), [
    '02-10T12:00:00',
    '02-10T12:00:00',
  ])
  assert.deepEqual(await startsOf('start_date=2026-02-10T12:00:01Z&end_date=2026-02-10'), [
    '02-10T23:59:59',
  ])
  assert.deepEqual(await startsOf('start_date=2026-02-10&end_date=2026-02-10T11:59:59Z'), [
    '02-10T00:00:00',
  ])
})

test('a date-time with an offset is that instant, without one it is UTC', async () => {
  const offset = 'start_date=2026-02-10T17:30:00%2B05:30&end_date=2026-02-10T07:00:00-05:00'
  assert.equal((await startsOf(offset)).length, 2)
  const none = 'start_date=2026-02-10T12:00:00&end_date=2026-02-10T12:00:00'
  assert.equal((await startsOf(none)).length, 2)
})

test('without an end the read ends now', async () => {
  assert.deepEqual(await startsOf('start_date=2026-02-12'), ['03-01T12:00:00'])
  assert.deepEqual(await startsOf('start_date=2026-02-12&end_date=2026-03-02'), [
    '03-01T12:00:00',
    '03-01T12:00:01',
  ])
})

test('a provider narrows the answer, and one that nobody knows empties it', async () => {
  const day = 'start_date=2026-02-10&end_date=2026-02-10'
  const { groups } = (await read(day)).body
  assert.deepEqual(Object.keys(groups).sort(), ['health_connect', 'manual'])
  assert.deepEqual((await read(`${day}&provider=`)).body.groups, groups)
  assert.deepEqual(await startsOf(`${day}&provider=health_connect`, 'health_connect'), [
    '02-10T12:00:00',
  ])
  assert.deepEqual(Object.keys((await read(`${day}&provider=manual`)).body.groups), ['manual'])
  assert.deepEqual((await read(`${day}&provider=garmin`)).body, {
    groups: {},
    next: null,
    next_cursor: null,
  })
})

test('a start after the end is refused', async () => {
  for (const query of [
    'start_date=2026-02-11&end_date=2026-02-10',
    'start_date=2026-02-10T12:00:01Z&end_date=2026-02-10T12:00:00Z',
    'start_date=2026-03-02',
  ]) {
    const { status, body } = await read(query)
    assert.deepEqual([status, body.detail.error_type], [400, 'invalid_date_range'], query)
  }
})

test('a missing or malformed date is a problem of that parameter', async () => {
  const cases: [query: string, parameter: string][] = [
    ['', 'start_date'],
    ['start_date=', 'start_date'],
    ['start_date=2026-02-30', 'start_date'],
    ['start_date=10.02.2026', 'start_date'],
    ['start_date=2026-02-10&end_date=soon', 'end_date'],
  ]
  for (const [query, parameter] of cases) {
    const { status, body } = await read(query)
    assert.equal(status, 422, query)
    assert.deepEqual(body.detail[0].loc, ['query', parameter], query)
  }
})

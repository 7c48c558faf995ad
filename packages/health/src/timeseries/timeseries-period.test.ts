import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import { makeOwner } from '../../../server/test/timeseries/sample-source.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
let userId = ''
before(async () => {
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

const read = (query: string) => salus.call('GET', `/v2/timeseries/${userId}/steps/grouped?${query}`)

/**
 * Starts of the samples of the manual provider, without the date and the offset where not needed.
 */
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

test('a provider narrows the answer, and an unknown one empties it', async () => {
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

async function upload(person: string, provider: string, series: string, data: object[]) {
  const body = { stage: 'daily', provider, data }
  const { status, text } = await salus.call('POST', `/v2/timeseries/${person}/${series}`, body)
  assert.equal(status, 200, text)
}

describe('a chart', () => {
  const bpm = (at: string) => ({ value: 60, unit: 'bpm', start_date: at, end_date: at })

  test('has days that are those of the clock where the person was, however far east that was, up to months', async () => {
    const person = await salus.makeUser('samsung_health')
    const walk = (day: string) => ({
      value: 100,
      unit: 'count',
      start_date: `${day}T00:30:00+09:00`,
      end_date: `${day}T00:40:00+09:00`,
    })
    const data = ['2026-03-01', '2026-03-02', '2026-03-31', '2026-04-01'].map(walk)
    await upload(person, 'samsung_health', 'steps', data)
    const datesOf = async (points: number) => {
      const query = `start_date=2026-02-01&end_date=2026-04-30&points=${points}`
      const { body } = await salus.call('GET', `/v2/timeseries/${person}/steps/chart?${query}`)
      return body.lines[0].calendar_date
    }
    assert.deepEqual(await datesOf(89), ['2026-03-01', '2026-03-02', '2026-03-31', '2026-04-01'])
    assert.deepEqual(await datesOf(13), ['2026-02-23', '2026-03-02', '2026-03-30'])
    assert.deepEqual(await datesOf(4), ['2026-03-01', '2026-04-01'])
    assert.equal(await datesOf(400), null)
  })

  test('is listed with the local time of all series together, to the sample, whatever reaches furthest back', async () => {
    const person = await salus.makeUser('samsung_health', 'apple_health_kit')
    await salus.call('PATCH', `/v2/user/${person}`, { fallback_time_zone: 'Europe/Berlin' })
    const weight = (instant: string) => ({ ...bpm(instant), unit: 'kg' })
    const pulse = ['T00:10:00+01:00', 'T01:10:00+01:00', 'T03:10:00+02:00', 'T04:10:00+02:00']
    const night = pulse.map((time) => bpm(`2026-03-29${time}`))
    const scale = ['2026-03-20T08:00:00+01:00', '2026-04-03T08:00:00+02:00'].map(weight)
    // At home, a scale keeps its own clock.
    const abroad = ['10:00', '10:20', '11:00'].map((time) => bpm(`2026-04-10T${time}:00-07:00`))
    await upload(person, 'samsung_health', 'body_weight', scale)
    await upload(person, 'samsung_health', 'body_weight', [weight('2026-04-10T19:10:00+02:00')])
    await upload(person, 'apple_health_kit', 'heartrate', [...night, ...abroad])
    const { body } = await salus.call('GET', `/v2/timeseries/${person}/charts`)
    assert.deepEqual(body.local_times, [
      { from: '2026-03-20T07:00:00+00:00', timezone_offset: 3600, is_journey: false },
      { from: '2026-03-29T01:10:00+00:00', timezone_offset: 7200, is_journey: false },
      { from: '2026-04-10T17:00:00+00:00', timezone_offset: -25_200, is_journey: true },
    ])
  })
})

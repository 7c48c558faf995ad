import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHarness } from '../../../server/test/harness.ts'
import { DOCUMENTED_SERIES } from '../../../server/test/timeseries/documented-series.ts'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import { makeOwner, newWorkoutId } from '../../../server/test/timeseries/sample-source.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

const START = '2026-02-10T08:00:00Z'
const AT = '2026-02-10T08:00:00+00:00'
const LATER = '2026-02-10T08:05:00+00:00'

function upload(userId: string, resource: string, data: unknown[], provider = 'manual') {
  const body = { stage: 'daily', provider, data }
  return salus.call('POST', `/v2/timeseries/${userId}/${resource}`, body)
}

const read = (userId: string, resource: string, query = 'start_date=2026-02-01') =>
  salus.call('GET', `/v2/timeseries/${userId}/${resource}/grouped?${query}`)

const COMMON = ['id', 'timezone_offset', 'type', 'unit', 'timestamp', 'start', 'end']

for (const row of DOCUMENTED_SERIES) {
  test(`a sample of ${row.name} reads back in its documented shape`, async () => {
    const userId = await salus.makeUser('manual')
    const type = row.types === 'any' ? 'lead_1' : row.types?.[0]
    const metadata: Record<string, unknown> = { type }
    for (const [name, allowed] of Object.entries(row.fields ?? {})) metadata[name] = allowed[0]
    const value =
      row.name === 'note' ? 'A note' : row.name === 'hypnogram' ? 3 : (row.range[0] ?? 0) + 1
    const item = { value, unit: row.unit, start_date: START, end_date: LATER, metadata }
    const isPair = row.shape === 'BP'
    const data = isPair ? [{ systolic: item, diastolic: { ...item, value: 2 } }] : [item]
    const stored = await upload(userId, row.name, data)
    assert.equal(stored.body.inserted, 1, stored.text)
    const { body } = await read(userId, row.name)
    const [sample] = body.groups.manual[0].data
    assert.deepEqual(
      Object.keys(sample),
      [...COMMON, ...(isPair ? ['systolic', 'diastolic', 'grouping'] : ['value'])].concat(
        Object.keys(row.fields ?? {}),
      ),
    )
    assert.equal(sample.id, null)
    assert.equal(sample.timezone_offset, null)
    assert.equal(sample.type, type ?? null)
    assert.equal(sample.unit, row.unit)
    assert.equal(sample.timestamp, AT)
    assert.equal(sample.start, AT)
    assert.equal(sample.end, row.shape === 'I' ? LATER : AT)
    if (isPair) {
      assert.deepEqual([sample.systolic, sample.diastolic], [1, 2])
      assert.deepEqual(sample.grouping, ['unknown', null, null, null])
    } else {
      assert.equal(sample.value, value)
    }
    for (const [name, allowed] of Object.entries(row.fields ?? {})) {
      assert.deepEqual(sample[name], name === 'tags' ? [allowed[0]] : allowed[0])
    }
  })
}

test('fields that a sample lacks are null', async () => {
  const userId = await salus.makeUser('manual')
  const cases: [resource: string, item: object, fields: string[]][] = [
    ['body_temperature', { value: 37, unit: '°C' }, ['sensor_location']],
    ['workout_duration', { value: 5, unit: 'min' }, ['intensity']],
    ['hrv', { value: 40, unit: 'ms' }, ['method']],
    ['note', { value: 'a', unit: 'text' }, ['tags']],
    ['sleep_breathing_disturbance', { value: 1, unit: 'count' }, ['type']],
    ['glucose', { value: 5, unit: 'mmol/L' }, ['type']],
    [
      'insulin_injection',
      { value: 5, unit: 'unit', metadata: { type: 'rapid_acting' } },
      ['delivery_mode', 'delivery_form', 'bolus_purpose'],
    ],
  ]
  for (const [resource, item, fields] of cases) {
    await upload(userId, resource, [{ ...item, start_date: START }])
    const [sample] = (await read(userId, resource)).body.groups.manual[0].data
    for (const name of fields) assert.equal(sample[name], null, name)
  }
})

test('a blood pressure of a workout names source, workout and sport in its grouping', async () => {
  const { userId, write } = await makeOwner(salus)
  const workoutId = newWorkoutId()
  const pressure = { series: 'blood_pressure', value: 120.5, diastolic: 80, sourceType: 'cuff' }
  await write([plainSample({ ...pressure, workoutId, sport: 'running' })])
  const [group] = (await read(userId, 'blood_pressure')).body.groups.manual
  assert.deepEqual(group.data[0].grouping, ['cuff', workoutId, 'running', null])
  assert.deepEqual([group.data[0].systolic, group.data[0].diastolic], [120.5, 80])
})

test('samples are grouped by provider, and within it by every part of the source', async () => {
  const { userId, write } = await makeOwner(salus)
  const workoutId = newWorkoutId()
  const sources = [
    { sourceType: 'watch' },
    { sourceType: 'phone' },
    { sourceType: 'watch', appId: 'com.example' },
    { sourceType: 'watch', sport: 'running', startedAt: Date.parse(LATER) },
    { sourceType: 'watch', workoutId, sport: 'running' },
  ]
  await write(sources.map((source) => plainSample(source)))
  await write([plainSample({ sourceType: 'watch' })], 'health_connect')
  const { groups } = (await read(userId, 'steps')).body
  assert.deepEqual(Object.keys(groups).sort(), ['health_connect', 'manual'])
  assert.equal(groups.manual.length, 5)
  const { logo, ...source } = groups.health_connect[0].source
  assert.deepEqual(source, {
    provider: 'health_connect',
    type: 'watch',
    app_id: null,
    device_id: null,
    sport: null,
    workout_id: null,
    name: 'Android Health Connect',
    slug: 'health_connect',
  })
  assert.match(logo, /^http:\/\/.+\/assets\/providers\/health_connect\.svg$/)
  const ofWorkout = groups.manual.find((group: { source: { workout_id: string } }) =>
    Boolean(group.source.workout_id),
  )
  assert.deepEqual([ofWorkout.source.workout_id, ofWorkout.source.sport], [workoutId, 'running'])
})

test('a group is in order of time, whatever order the samples came in', async () => {
  const userId = await salus.makeUser('manual')
  const minutes = [30, 5, 59, 0, 12]
  const dates = minutes.map((minute) => `2026-02-10T08:${String(minute).padStart(2, '0')}:00Z`)
  for (const start_date of dates) {
    await upload(userId, 'steps', [{ value: 1, unit: 'count', start_date }])
  }
  const [group] = (await read(userId, 'steps')).body.groups.manual
  const starts = group.data.map((sample: { start: string }) => sample.start)
  assert.deepEqual(starts, starts.toSorted())
  assert.equal(starts.length, 5)
})

test('the offset of the person is shown in seconds, west is negative', async () => {
  const userId = await salus.makeUser('manual')
  const dates = ['2026-02-10T08:00:00+05:30', '2026-02-10T08:00:00-08:00']
  await upload(
    userId,
    'steps',
    dates.map((start_date) => ({ value: 1, unit: 'count', start_date })),
  )
  const [group] = (await read(userId, 'steps')).body.groups.manual
  assert.deepEqual(
    group.data.map((sample: { timezone_offset: number; start: string }) => [
      sample.timezone_offset,
      sample.start,
    ]),
    [
      [19800, '2026-02-10T02:30:00+00:00'],
      [-28800, '2026-02-10T16:00:00+00:00'],
    ],
  )
})

test('numbers of any size come back to the last bit', async () => {
  const userId = await salus.makeUser('manual')
  const values = [1e-7, 1e21, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1 / 3, 0, 123456789.125]
  const data = values.map((value, second) => ({
    value,
    unit: 'm',
    start_date: `2026-02-10T08:00:0${second}Z`,
  }))
  await upload(userId, 'distance', data)
  const [group] = (await read(userId, 'distance')).body.groups.manual
  assert.deepEqual(
    group.data.map((sample: { value: number }) => sample.value),
    values,
  )
})

test('texts with quotes, backslashes, tabs and emoji come back as they were', async () => {
  const userId = await salus.makeUser('manual')
  const odd = 'it\'s "odd" \\ \t\r\n\b\f\0\u0001 /é\u{1f600}\u2028'
  const item = { unit: 'text', start_date: START, source_bundle: odd }
  await upload(userId, 'note', [{ ...item, value: odd }])
  const ige = { value: 1, unit: 'FSU', start_date: START, source_bundle: odd }
  await upload(userId, 'ige', [{ ...ige, metadata: { type: odd } }])
  const [note] = (await read(userId, 'note')).body.groups.manual
  assert.deepEqual([note.source.app_id, note.data[0].value], [odd, odd])
  const [allergen] = (await read(userId, 'ige')).body.groups.manual
  assert.deepEqual([allergen.source.app_id, allergen.data[0].type], [odd, odd])
})

test('instants of 1905 and 2290 are shown as they are', async () => {
  const userId = await salus.makeUser('manual')
  const dates = ['1905-03-04T05:06:07.125Z', '2290-12-31T23:59:59Z']
  const data = dates.map((start_date) => ({ value: 1, unit: 'count', start_date }))
  assert.equal((await upload(userId, 'steps', data)).body.inserted, 2)
  const query = 'start_date=0001-01-01&end_date=9999-12-31'
  const [group] = (await read(userId, 'steps', query)).body.groups.manual
  assert.deepEqual(
    group.data.map((sample: { start: string }) => sample.start),
    ['1905-03-04T05:06:07+00:00', '2290-12-31T23:59:59+00:00'],
  )
})

test('a person without samples, and one who is unknown', async () => {
  const userId = await salus.makeUser('manual')
  const empty = { groups: {}, next: null, next_cursor: null }
  assert.deepEqual((await read(userId, 'steps')).body, empty)
  assert.equal((await read('00000000-0000-4000-8000-00000000dead', 'steps')).status, 404)
  assert.equal((await read(userId, 'mood')).status, 404)
  assert.equal((await read('me', 'steps')).status, 422)
})

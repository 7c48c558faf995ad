import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { SERIES_BY_UPLOAD_NAME, type Series } from '@salus/contracts/series'
import { createHarness } from '../../../server/test/harness.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)

const START = '2026-02-10T08:00:00Z'
const step = (change: object = {}) => ({ value: 10, unit: 'count', start_date: START, ...change })

function upload(userId: string, resource: string, data: unknown, change: object = {}) {
  const body = { stage: 'daily', provider: 'manual', data, ...change }
  return salus.call('POST', `/v2/timeseries/${userId}/${resource}`, body)
}

async function read(userId: string, resource: string, provider = 'manual') {
  const period = 'start_date=1900-01-01&end_date=2299-12-31'
  const url = `/v2/timeseries/${userId}/${resource}/grouped?${period}`
  const { body } = await salus.call('GET', url)
  const groups: { source: { type: string }; data: { value: number; start: string }[] }[] =
    body.groups[provider] ?? []
  return groups
}

const samplesOf = async (userId: string, resource: string, provider = 'manual') =>
  (await read(userId, resource, provider)).flatMap((group) => group.data)

/** An item that the series takes. */
function validItem({ name, unit, shape, types, valueKind, most, codes }: Series) {
  const value = codes === undefined ? Math.min(30, most ?? 30) : 1
  const type = types?.allowed?.[0] ?? (types === null ? undefined : 'lead_1')
  const metadata = { type: name === 'sleep_breathing_disturbance' ? undefined : type }
  const item = { value: valueKind === 'text' ? 'A note' : value, unit, start_date: START, metadata }
  return shape === 'blood_pressure' ? { systolic: item, diastolic: item } : item
}

test('every upload path stores a sample that its read path shows', async () => {
  const userId = await salus.makeUser('manual')
  for (const [name, series] of SERIES_BY_UPLOAD_NAME) {
    const { status, body } = await upload(userId, name, [validItem(series)])
    assert.equal(status, 200, name)
    assert.equal(body.inserted + body.unchanged, 1, name)
    assert.equal((await samplesOf(userId, series.name)).length, 1, name)
  }
})

test('a path that no series has is not found', async () => {
  const userId = await salus.makeUser('manual')
  assert.equal((await upload(userId, 'mood', [step()])).status, 404)
})

test('what iOS sends is taken: snake case, Z, no fractions, a final chunk, a device zone', async () => {
  const userId = await salus.makeUser('apple_health_kit')
  const item = step({
    end_date: '2026-02-10T08:05:00Z',
    source_bundle: 'com.apple.health.ABC',
    product_type: 'Watch6,1',
    type: null,
    metadata: { HKWasUserEntered: '0' },
  })
  const { body } = await upload(userId, 'steps', [item], {
    provider: 'apple_health_kit',
    stage: 'historical',
    start_date: '2026-01-10T00:00:00Z',
    end_date: '2026-02-11T00:00:00Z',
    time_zone: 'Europe/Vienna',
    is_final_chunk: true,
  })
  assert.equal(body.inserted, 1)
  const [group] = await read(userId, 'steps', 'apple_health_kit')
  assert.equal(group?.source.type, 'watch')
})

test('what Android sends is taken: an id, fractions of seconds, no final chunk', async () => {
  const userId = await salus.makeUser('health_connect')
  const item = step({
    id: '7d4c',
    start_date: '2026-02-10T08:00:00.123456Z',
    end_date: '2026-02-10T08:05:00.5Z',
    source_bundle: 'com.example.steps',
    product_type: null,
    type: 'phone',
    unit: '',
  })
  const change = { provider: 'health_connect', start_date: null, end_date: null, time_zone: null }
  assert.equal((await upload(userId, 'steps', [item], change)).body.inserted, 1)
  const [sample] = await samplesOf(userId, 'steps', 'health_connect')
  assert.equal(sample?.start, '2026-02-10T08:00:00+00:00')
})

test('an upload without samples is a success, in both stages', async () => {
  const userId = await salus.makeUser('manual')
  for (const stage of ['historical', 'daily']) {
    const { status, body } = await upload(userId, 'steps', [], { stage })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      success: true,
      inserted: 0,
      updated: 0,
      unchanged: 0,
      out_of_bounds: 0,
      put_aside: 0,
      problems: [],
    })
  }
})

test('a gzip body is taken, and a broken one is refused', async () => {
  const userId = await salus.makeUser('manual')
  const body = JSON.stringify({ stage: 'daily', provider: 'manual', data: [step()] })
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const url = `/v2/timeseries/${userId}/steps`
  const packed = gzipSync(body)
  assert.equal((await salus.call('POST', url, packed, headers)).body.inserted, 1)
  const cut = await salus.call('POST', url, packed.subarray(0, 40), headers)
  assert.equal(cut.status, 400)
})

test('a malformed envelope is refused as a whole', async () => {
  const userId = await salus.makeUser('manual')
  for (const change of [
    { stage: 'weekly' },
    { provider: 'fitbit' },
    { data: step() },
    { data: undefined },
    { start_date: 'yesterday' },
    { is_final_chunk: 'yes' },
  ]) {
    const { status, body } = await upload(userId, 'steps', [step()], change)
    assert.equal(status, 422, JSON.stringify(change))
    assert.equal(body.detail[0].loc[1], Object.keys(change)[0])
  }
  assert.equal((await samplesOf(userId, 'steps')).length, 0)
})

test('a user who is not connected is refused until connected, and again after it ends', async () => {
  const userId = await salus.makeUser()
  const refused = await upload(userId, 'steps', [step()])
  assert.equal(refused.status, 400)
  assert.equal(refused.body.detail.error_type, 'not_connected')
  await salus.call('POST', '/v2/link/provider/manual/manual', { user_id: userId })
  assert.equal((await upload(userId, 'steps', [step()])).status, 200)
  const other = await upload(userId, 'steps', [step()], { provider: 'health_connect' })
  assert.equal(other.body.detail.error_type, 'not_connected')
  await salus.call('DELETE', `/v2/user/${userId}/manual`)
  assert.equal((await upload(userId, 'steps', [step()])).status, 400)
})

test('an unknown user is not found', async () => {
  const unknown = '00000000-0000-4000-8000-00000000dead'
  assert.equal((await upload(unknown, 'steps', [step()])).status, 404)
})

test('the same again changes nothing, and another value replaces the first', async () => {
  const userId = await salus.makeUser('manual')
  const second = step({ start_date: '2026-02-10T09:00:00Z' })
  const countsOf = async (data: unknown[]) => {
    const { inserted, updated, unchanged } = (await upload(userId, 'steps', data)).body
    return [inserted, updated, unchanged]
  }
  assert.deepEqual(await countsOf([step(), second]), [2, 0, 0])
  assert.deepEqual(await countsOf([step(), second]), [0, 0, 2])
  assert.deepEqual(await countsOf([step({ value: 11 }), second]), [0, 1, 1])
  // Going back to the first value is a change as well: the newest wins, not the largest.
  assert.deepEqual(await countsOf([step({ value: 10 })]), [0, 1, 0])
  assert.deepEqual(
    (await samplesOf(userId, 'steps')).map(({ value }) => value),
    [10, 10],
  )
})

test('readings of one minute are as many samples, however often they are sent', async () => {
  const userId = await salus.makeUser('manual')
  const reading = (value: number, change: object = {}) => ({
    value,
    unit: 'mmol/L',
    start_date: START,
    metadata: { type: 'manual_scan' },
    ...change,
  })
  const four = [reading(5.1), reading(5.3), reading(5.2), reading(4.9)]
  const first = await upload(userId, 'glucose', [...four, reading(5.3)])
  assert.deepEqual([first.body.inserted, first.body.unchanged], [4, 1])
  const again = await upload(userId, 'glucose', four)
  assert.deepEqual([again.body.inserted, again.body.unchanged], [0, 4])
  const samples = await samplesOf(userId, 'glucose')
  assert.deepEqual(
    samples.map(({ value, start }) => [value, start]),
    [5.1, 5.3, 5.2, 4.9].map((value) => [value, '2026-02-10T08:00:00+00:00']),
  )
})

test('readings with the same id are one', async () => {
  const userId = await salus.makeUser('manual')
  const reading = (id: string, value: number) => ({ id, value, unit: 'mmol/L', start_date: START })
  const data = [reading('a', 5), reading('b', 5), reading('a', 6)]
  const { body } = await upload(userId, 'glucose', data)
  assert.deepEqual([body.inserted, body.updated], [2, 1])
  const values = (await samplesOf(userId, 'glucose')).map(({ value }) => value)
  assert.deepEqual(values, [6, 5])
})

test('of two values of one source and time the newer counts, in one upload too', async () => {
  const userId = await salus.makeUser('manual')
  await upload(userId, 'steps', [step(), step({ value: 20 })])
  const values = (await samplesOf(userId, 'steps')).map(({ value }) => value)
  assert.deepEqual(values, [20])
})

test('texts with quotes and backslashes, and years far away, are the same when sent again', async () => {
  const userId = await salus.makeUser('manual')
  const source_bundle = 'it\'s\\odd\t"\u{1f600}'
  const dates = ['1900-01-01T00:00:00Z', '1969-12-31T23:59:59.500Z', '1970-01-01T00:00:00.001Z']
  const late = ['2001-09-09T01:46:39.999Z', '2286-11-20T17:46:40Z', '2299-12-31T00:00:00Z']
  const data = [...dates, ...late].map((start_date) => step({ start_date, source_bundle }))
  assert.equal((await upload(userId, 'steps', data)).body.inserted, 6)
  assert.equal((await upload(userId, 'steps', data)).body.unchanged, 6)
  assert.equal((await samplesOf(userId, 'steps')).length, 6)
})

test('bounds keep both boundary days and drop the rest, by the local date where it is known', async () => {
  const userId = await salus.makeUser('manual')
  const bounds = { ingestion_start: '2026-02-25', ingestion_end: '2026-02-27' }
  await salus.call('PATCH', `/v2/user/${userId}`, bounds)
  const dates: [date: string, isKept: boolean][] = [
    // Without a zone it may be the day before or after.
    ['2026-02-23T23:59:59Z', false],
    ['2026-02-24T00:00:00Z', true],
    ['2026-02-28T23:59:59Z', true],
    ['2026-03-01T00:00:00Z', false],
    // The 25th in Vienna already, the 28th in Kolkata already, the 27th in New York still.
    ['2026-02-25T00:30:00+01:00', true],
    ['2026-02-24T23:30:00+01:00', false],
    ['2026-02-28T00:30:00+05:30', false],
    ['2026-02-27T23:30:00-05:00', true],
  ]
  for (const [start_date, isKept] of dates) {
    const { body } = await upload(userId, 'steps', [step({ start_date })])
    assert.deepEqual([body.inserted, body.out_of_bounds], isKept ? [1, 0] : [0, 1], start_date)
  }
  // The zone of the device makes the same instant another day.
  const late = step({ start_date: '2026-02-27T23:30:00Z', source_bundle: 'b' })
  const east = await upload(userId, 'steps', [late], { time_zone: 'Asia/Kolkata' })
  assert.equal(east.body.out_of_bounds, 1)
  assert.equal((await upload(userId, 'steps', [late])).body.inserted, 1)
})

test('one bound alone leaves the other side open', async () => {
  const userId = await salus.makeUser('manual')
  await salus.call('PATCH', `/v2/user/${userId}`, { ingestion_start: '2026-02-10' })
  const early = step({ start_date: '1950-01-01T00:00:00Z' })
  const late = step({ start_date: '2150-01-01T00:00:00Z' })
  const { body } = await upload(userId, 'steps', [early, late])
  assert.deepEqual([body.inserted, body.out_of_bounds], [1, 1])
})

test('the zone of a device is learned, and learned anew when it changes', async () => {
  const userId = await salus.makeUser('health_connect')
  const learn = async (time_zone: string) => {
    await upload(userId, 'steps', [step()], { provider: 'health_connect', time_zone })
    return (await salus.call('GET', `/v2/user/${userId}`)).body.fallback_time_zone
  }
  assert.equal(await learn('Nowhere/Land'), null)
  const learned = await learn('Europe/Vienna')
  assert.deepEqual([learned.id, learned.source_slug], ['Europe/Vienna', 'health_connect'])
  assert.equal((await learn('America/New_York')).id, 'America/New_York')
})

test('a zone set by hand stays what it is', async () => {
  const userId = await salus.makeUser('health_connect')
  await salus.call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: 'Asia/Tokyo' })
  const change = { provider: 'health_connect', time_zone: 'Europe/Vienna' }
  await upload(userId, 'steps', [step()], change)
  const { body } = await salus.call('GET', `/v2/user/${userId}`)
  assert.deepEqual(
    [body.fallback_time_zone.id, body.fallback_time_zone.source_slug],
    ['Asia/Tokyo', 'manual'],
  )
})

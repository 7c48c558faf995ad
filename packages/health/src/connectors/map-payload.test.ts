import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VENDOR_PAGES } from '../../../server/test/connectors/vendor-pages.registry.ts'
import type { Collection, Connector } from './connector.ts'
import { CONNECTORS } from './connectors.registry.ts'
import { mapPayload, PayloadError } from './map-payload.ts'
import type { PageData } from './page-data.ts'
import { rangeOfPayload } from './payload-range.ts'
import { VendorError } from './vendor-client.ts'
import { isFields } from './vendor-records.ts'

const at = (time: string, offset: number | null = null) => ({ at: Date.parse(time), offset })
const START = at('2026-03-01T22:00:00Z', 3600)
const END = at('2026-03-02T05:00:00Z', 7200)

/** A collection whose records are {"add": name of one of these, ...}. */
const KINDS: Readonly<Record<string, (data: PageData, record: Record<string, unknown>) => void>> = {
  weight: (data, { grams }) =>
    data.addSample('body_weight', {
      ...{ start: START, sourceType: 'scale', value: grams as number, unit: 'g' },
      modifiedAt: END.at,
    }),
  pressure: (data) =>
    data.addBloodPressure({
      start: at('2026-03-01T08:00:00Z'),
      systolic: 120,
      diastolic: 80,
      unit: 'mmHg',
    }),
  note: (data) => data.addNote({ start: END, text: 'Swam', tags: ['exercise'] }),
  night: (data, raw) =>
    data.addSleep({
      ...{ recordId: 'n1', start: START, end: END, deviceModel: 'Band', values: {}, raw },
      stages: [
        { stage: 'light', from: 0, to: 600 },
        { stage: 'deep', from: 600, to: 1800 },
        { stage: 'awake', from: 1800, to: 2000 },
        { stage: 'asleep', from: 2000, to: 2100 },
      ],
    }),
  workout(data, raw) {
    const values = { calories: 200 }
    const added = data.addWorkout({
      recordId: 'w1',
      start: START,
      end: END,
      sport: 'running',
      values,
      raw,
    })
    if (added === undefined) return
    data.addStream(added.id, { time: [1772402400], power: [180] })
    data.addSample('workout_distance', {
      ...{ start: START, end: END, value: 2, unit: 'km', workoutId: added.id, sport: 'running' },
    })
  },
  profile: (data, raw) =>
    data.addSummary('profile', { recordId: 'p', start: at('1970-01-01'), values: {}, raw }),
  device: (data) =>
    data.addDevice({
      ...{
        sourceType: 'scale',
        manufacturer: 'Maker',
        model: 'Body',
        version: null,
        deviceId: 'd1',
      },
    }),
}

const collection: Collection = {
  ...{ name: 'things', resources: ['weight'], history: 'by_range', mostDaysAtOnce: 1 },
  overlapHours: 1,
  page: () => ({ path: '/things' }),
  next: () => null,
  details: (answer) =>
    isFields(answer) && typeof answer.file === 'string'
      ? [{ path: '/more' }, { fileUrl: answer.file, isOptional: true }]
      : [],
  map(answer, data, [more, file], { range, cursor }) {
    if (!isFields(answer) || !Array.isArray(answer.items)) {
      throw new VendorError('oura', { kind: 'unexpected', status: null })
    }
    for (const item of answer.items) {
      const add = isFields(item) && typeof item.add === 'string' ? KINDS[item.add] : undefined
      if (add === undefined) data.quarantine('weight', 'not_an_object', item)
      else add(data, item)
    }
    const { to } = range
    if (answer.shows_request) {
      const text = JSON.stringify({
        more,
        file: (file as Buffer | undefined)?.toString(),
        to,
        cursor,
      })
      data.addNote({ start: END, text })
    }
  },
  record: {
    request: (id) => ({ path: `/things/${id}` }),
    toPage: (answer) => ({ items: [answer] }),
    remove: (id, data) => data.removeSummary('sleep', id),
  },
}

/** Pushes `{"pushed": answer}` and `{"deleted": id}`. */
const connector = {
  slug: 'oura',
  push: {
    read(body) {
      const { pushed, deleted } = isFields(body) ? body : {}
      const notice = { accountId: 'a', collection: 'things', range: null }
      if (typeof deleted === 'string')
        return [{ ...notice, record: { id: deleted, isDeleted: true } }]
      if (pushed !== undefined) return [{ ...notice, page: pushed }]
      throw new VendorError('oura', { kind: 'unexpected', status: null })
    },
  },
} as Partial<Connector> as Connector

const NOW = new Date('2026-03-05T10:00:00Z')
const linesOf = (payload: unknown) => mapPayload(connector, collection, payload, {}, NOW).lines
const lineOf = (record: object) => linesOf({ items: [record] })

test('a sample has its series, times, value in the unit of the series, and what else is known', () => {
  assert.deepEqual(lineOf({ add: 'weight', grams: 71500 }), [
    {
      resource: 'body_weight',
      start: '2026-03-01T22:00:00+00:00',
      end: '2026-03-01T22:00:00+00:00',
      timezone_offset: 3600,
      value: 71.5,
      unit: 'kg',
      source_type: 'scale',
      modified_at: '2026-03-02T05:00:00+00:00',
    },
  ])
  const [pressure] = lineOf({ add: 'pressure' })
  assert.deepEqual(
    [pressure?.systolic, pressure?.diastolic, pressure?.unit, pressure?.timezone_offset],
    [120, 80, 'mmHg', null],
  )
  const [note] = lineOf({ add: 'note' })
  assert.deepEqual([note?.resource, note?.value, note?.tags], ['note', 'Swam', ['exercise']])
})

test('a sleep has the columns that are known, and its stages in seconds from its start', () => {
  const [night] = lineOf({ add: 'night' })
  const { values, ...frame } = night as { values: Record<string, unknown>; resource: string }
  assert.deepEqual(frame, {
    resource: 'sleep',
    id: 'n1',
    start: '2026-03-01T22:00:00+00:00',
    end: '2026-03-02T05:00:00+00:00',
    timezone_offset: 7200,
    calendar_date: '2026-03-02',
    source_type: 'unknown',
    device_model: 'Band',
    stages: [
      ['light', 0, 600],
      ['deep', 600, 1800],
      ['awake', 1800, 2000],
      ['unknown', 2000, 2100],
    ],
  })
  assert.equal(values.stage_deep_second, 1200)
  assert.equal(values.duration_second, 25_200)
  assert.ok(Object.values(values).every((value) => value !== null))
  assert.equal('stage_type' in values, false)
})

test('a workout, its stream and its samples share the id of the vendor', () => {
  const [sample, workout, stream] = lineOf({ add: 'workout' })
  assert.deepEqual([sample?.workout, sample?.sport, sample?.value], ['w1', 'running', 2000])
  assert.equal(workout?.id, 'w1')
  assert.equal('stages' in (workout ?? {}), false)
  assert.deepEqual(stream, {
    ...{ resource: 'workout_stream', id: 'w1', time: [1772402400], power: [180] },
  })
})

test('a profile has no time, and a device is what its maker calls it', () => {
  const [profile] = lineOf({ add: 'profile' })
  assert.deepEqual([profile?.start, profile?.calendar_date], [null, null])
  assert.deepEqual(lineOf({ add: 'device' }), [
    {
      ...{ resource: 'device', source_type: 'scale', device_manufacturer: 'Maker' },
      ...{ device_model: 'Body', device_id: 'd1' },
    },
  ])
})

test('what is refused says why, and the rest is mapped', () => {
  const lines = linesOf({ items: [7, { add: 'weight', grams: 'heavy' }, { add: 'note' }] })
  assert.deepEqual(
    lines.map(({ resource, refused }) => [resource, refused]),
    [
      ['note', undefined],
      ['weight', 'not_an_object'],
      ['body_weight', 'invalid_value'],
    ],
  )
  assert.equal(lines[1]?.item, 7)
})

test('a message with data, one about a deletion, and the answer for one record are read too', () => {
  assert.equal(linesOf({ pushed: { items: [{ add: 'note' }] } })[0]?.resource, 'note')
  assert.deepEqual(linesOf({ deleted: 'n1' }), [{ resource: 'sleep', removed: 'n1' }])
  assert.equal(linesOf({ add: 'night' })[0]?.id, 'n1')
})

test('the context has the details, the range and the cursor; missing details are named', () => {
  const payload = { file: 'https://files.example/1', shows_request: true, items: [] }
  const range = { from: 0, to: 86_400_000 }
  const details = [{ score: 1 }, Buffer.from('fit').toString('base64')]
  const context = { details, range, cursor: 'c' }
  const whole = mapPayload(connector, collection, payload, context, NOW)
  assert.deepEqual(whole.missing, [])
  assert.deepEqual(JSON.parse(String(whole.lines[0]?.value)), {
    ...{ more: { score: 1 }, file: 'fit', to: 86_400_000, cursor: 'c' },
  })
  const half = mapPayload(connector, collection, payload, { details: [null] }, NOW)
  assert.deepEqual(half.missing, [{ fileUrl: 'https://files.example/1', isOptional: true }])
  assert.equal('more' in JSON.parse(String(half.lines[0]?.value)), false)
})

test('the range is that of the times in the payload, and today for one without times', () => {
  const rangeOf = (payload: unknown) => {
    const { from, to } = rangeOfPayload(payload, NOW)
    return [from, to].map((time) => new Date(time).toISOString().slice(0, 10))
  }
  assert.deepEqual(rangeOf({ a: [{ at: '2026-03-01T23:30:00+01:00' }], day: '2026-02-27' }), [
    ...['2026-02-27', '2026-03-02'],
  ])
  assert.deepEqual(rangeOf({ '2026-02-01': [], id: 1_234_567_890, born: '1980-05-01' }), [
    ...['2026-02-01', '2026-02-02'],
  ])
  assert.deepEqual(rangeOf([{ t: 1_772_402_400 }]), ['2026-03-01', '2026-03-02'])
  assert.deepEqual(rangeOf([{ t: 1_772_402_400_123 }]), ['2026-03-01', '2026-03-02'])
  for (const none of [{}, null, 7, 'x', '2026-99-99']) {
    assert.deepEqual(rangeOf(none), ['2026-03-05', '2026-03-06'])
  }
})

test('a message without data of the collection says what it is about', () => {
  const other: Collection = { ...collection, name: 'others' }
  assert.throws(
    () => mapPayload(connector, other, { deleted: 'n1' }, {}, NOW),
    /is a message about changes of things, and has no data of the collection others of oura/,
  )
})

const ODD = [
  null,
  7,
  'x',
  true,
  [],
  [[]],
  {},
  { items: 7 },
  { data: {} },
  [{ id: {} }],
  { body: [] },
]

test('no other payload is an answer', () => {
  for (const odd of ODD) assert.throws(() => linesOf(odd), PayloadError, JSON.stringify(odd))
})

for (const real of CONNECTORS) {
  test(`${real.slug} maps its pages, and says of other payloads that they are none`, () => {
    for (const one of real.collections) {
      const { records = [], page = () => null, details } = VENDOR_PAGES[real.slug]?.[one.name] ?? {}
      const { lines, missing } = mapPayload(real, one, page(records), {}, NOW)
      const texts = details?.map((one) => (Buffer.isBuffer(one) ? one.toString('base64') : one))
      const whole = mapPayload(real, one, page(records), texts ? { details: texts } : {}, NOW)
      assert.ok(lines.length > 0 || (missing.length > 0 && whole.lines.length > 0), one.name)
      assert.deepEqual(
        lines.filter(({ refused }) => refused !== undefined),
        [],
      )
      for (const odd of ODD) {
        try {
          mapPayload(real, one, odd, {}, NOW)
        } catch (error) {
          assert.ok(error instanceof PayloadError, `${one.name} ${JSON.stringify(odd)}: ${error}`)
        }
      }
    }
  })
}

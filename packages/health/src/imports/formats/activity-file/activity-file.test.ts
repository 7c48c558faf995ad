import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { campaignRuns } from '../../../../../server/test/campaign-runs.ts'
import {
  buildFit,
  checksum,
  type FitMessage,
  fitTime,
} from '../../../../../server/test/imports/build-fit.ts'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'

const START = '2024-06-01T08:00:00Z'
const at = (seconds: number) => fitTime(Date.parse(START) + seconds * 1000)
const GARMIN = 1
const RUNNING = 1
const CYCLING = 2

const fileId = (type = 4, manufacturer = GARMIN): FitMessage => [
  'file_id',
  { type, manufacturer, product: 1036, serial: 123_456_789, time: at(0) },
]
const record = (second: number, values: Record<string, number>): FitMessage => [
  'record',
  { timestamp: at(second), ...values },
]
const RIDE: readonly FitMessage[] = [
  fileId(),
  record(0, { lat: 52.5, lng: 13.4, rate: 100, cadence: 80, distance: 0 }),
  record(10, { lat: 52.501, lng: 13.4, rate: 120, cadence: 82, distance: 111.2 }),
  record(20, { rate: 140, distance: 250 }),
  [
    'session',
    {
      ...{ timestamp: at(30), start: at(0), sport: CYCLING, kind: 7, elapsed: 30.5, timer: 25 },
      ...{ distance: 260, calories: 12, mean_rate: 121, most_rate: 141 },
    },
  ],
  ['activity', { timestamp: at(30), local: at(30 + 7200) }],
]

const valuesOf = (line: Readonly<Record<string, unknown>> | undefined) =>
  (line?.values ?? {}) as Record<string, unknown>

const errorOf = (code: string, message?: RegExp) => (error: Error & { code?: string }) =>
  error.code === code && (message === undefined || message.test(error.message))

describe('a FIT file of an activity', () => {
  test('becomes a workout with its totals, stream, heart rates and distances', async () => {
    const { mapped, of } = await mapContent(buildFit(RIDE))
    assert.deepEqual([mapped.format, mapped.provider], ['activity_file', 'garmin'])
    const [workout] = of('workouts')
    assert.deepEqual(
      [workout?.start, workout?.end, workout?.timezone_offset, workout?.device_model],
      ['2024-06-01T08:00:00+00:00', '2024-06-01T08:00:30+00:00', 7200, 'Edge 500'],
    )
    const { map_polyline, map_summary_polyline, ...values } = valuesOf(workout)
    assert.ok(map_polyline && map_summary_polyline)
    const { heart_rate_zone_1: _zone, ...rest } = values
    const expected = {
      ...{ sport_name: 'Road Biking', duration_active_second: 25, distance_meter: 260 },
      ...{ calories: 12, heart_rate_mean: 121, heart_rate_maximum: 141, heart_rate_minimum: 100 },
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(rest[name], value, name)
    const [stream] = of('workout_stream')
    assert.deepEqual(stream?.heartrate, [100, 120, 140])
    assert.deepEqual(stream?.cadence, [80, 82, null])
    assert.deepEqual(stream?.distance, [0, 111.2, 250])
    const rates = of('heartrate').map(({ start, value }) => [start, value])
    assert.deepEqual(rates.at(-1), ['2024-06-01T08:00:20+00:00', 140])
    const distances = of('workout_distance')
    assert.deepEqual(
      distances.map(({ value }) => value),
      [111.2, 138.8],
    )
    assert.equal(stream?.id, workout?.id)
    assert.equal(new Set(distances.map(({ workout: id }) => id)).size, 1)
  })

  test('has no offset where the device wrote no local time, or an impossible one', async () => {
    for (const local of [undefined, at(30 + 100 * 3600), at(30 + 500)]) {
      const activity = { timestamp: at(30), ...(local !== undefined && { local }) }
      const { of } = await mapContent(buildFit([...RIDE.slice(0, -1), ['activity', activity]]))
      assert.equal(of('workouts')[0]?.timezone_offset, null)
    }
  })

  test('on foot has the steps of both legs in its cadence, and no steps made of it', async () => {
    const { of } = await mapContent(
      buildFit([
        fileId(),
        record(0, { cadence: 85 }),
        ['session', { start: at(0), sport: RUNNING, elapsed: 60, cycles: 85 }],
      ]),
    )
    assert.deepEqual(of('workout_stream')[0]?.cadence, [170])
    assert.equal(valuesOf(of('workouts')[0]).steps, 170)
    assert.deepEqual(of('steps'), [])
  })

  test('with several sessions becomes several workouts, each with its own points', async () => {
    const { of } = await mapContent(
      buildFit([
        fileId(),
        record(0, { rate: 100 }),
        record(99, { rate: 110 }),
        record(100, { rate: 150 }),
        ['session', { start: at(0), sport: CYCLING, elapsed: 100 }],
        ['session', { start: at(100), sport: RUNNING, elapsed: 50 }],
      ]),
    )
    const streams = of('workout_stream').map(({ heartrate }) => heartrate)
    assert.deepEqual(streams, [[100, 110], [150]])
    assert.deepEqual(
      of('workouts').map(({ values }) => (values as { sport_slug: string }).sport_slug),
      ['cycling', 'running'],
    )
  })

  test('may be followed by others in the same file', async () => {
    const other: FitMessage[] = [fileId(), ['session', { start: at(9000), sport: 1, elapsed: 60 }]]
    const chained = Buffer.concat([buildFit(RIDE), buildFit(other), Buffer.alloc(7)])
    const { of } = await mapContent(gzipSync(chained))
    assert.equal(of('workouts').length, 2)
  })

  test('without a session has the times of its records', async () => {
    const { of } = await mapContent(buildFit(RIDE.slice(0, 4)))
    const [workout] = of('workouts')
    assert.deepEqual(
      [workout?.end, valuesOf(workout).distance_meter],
      ['2024-06-01T08:00:20+00:00', 250],
    )
  })

  test('of another maker belongs to its provider, or is manual', async () => {
    for (const [manufacturer, provider] of [
      [23, 'suunto'],
      [32, 'wahoo'],
      [123, 'polar'],
      [260, 'zwift'],
      [294, 'manual'],
      [65_534, 'manual'],
    ] as const) {
      const { mapped } = await mapContent(buildFit([fileId(4, manufacturer), ...RIDE.slice(1)]))
      assert.equal(mapped.provider, provider)
    }
  })

  test('of a clock that was never set is quarantined', async () => {
    const { of } = await mapContent(
      buildFit([fileId(), ['session', { start: 1000, sport: 1, elapsed: 60 }]]),
    )
    assert.deepEqual(
      of('workouts').map(({ refused }) => refused),
      ['invalid_start_date'],
    )
  })

  test('that is damaged is refused', async () => {
    const sound = buildFit(RIDE)
    const changed = Buffer.from(sound)
    changed.writeUInt8((changed[60] ?? 0) ^ 1, 60)
    await assert.rejects(mapContent(changed), errorOf('malformed_file', /checksum/))
    await assert.rejects(mapContent(sound.subarray(0, -40)), errorOf('malformed_file', /truncated/))
    await assert.rejects(mapContent(Buffer.concat([sound, Buffer.from('more')])), /no FIT file/)
  })

  test('of settings has no measurements', async () => {
    for (const type of [2, 5, 6, 49]) {
      await assert.rejects(mapContent(buildFit([fileId(type)])), errorOf('unknown_format', /plan/))
    }
  })
})

test('a FIT file of a scale becomes body measurements', async () => {
  const { of } = await mapContent(
    buildFit([fileId(9), ['weight_scale', { timestamp: at(0), weight: 70.5, fat: 21.3 }]]),
  )
  assert.deepEqual(
    of('body').map(({ values }) => values),
    [{ weight_kilogram: 70.5, fat_mass_percentage: 21.3 }],
  )
  assert.deepEqual(
    of('body_weight').map(({ value, unit }) => [value, unit]),
    [[70.5, 'kg']],
  )
})

const TCX = `<TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>${START}</Id>
<Lap StartTime="${START}"><TotalTimeSeconds>60</TotalTimeSeconds></Lap><Creator><Name>Edge 500</Name></Creator></Activity></Activities></TrainingCenterDatabase>`

test('of the activity of a FIT file is the same workout, which FIT describes better', async () => {
  const [fit] = (await mapContent(buildFit(RIDE))).of('workouts')
  const [other] = (await mapContent(TCX)).of('workouts')
  assert.equal(other?.id, fit?.id)
  const modified = (line: typeof fit) => Date.parse(String(line?.modified_at))
  assert.ok(modified(fit) > modified(other))
})

test('a FIT file with any changed bytes is read or refused', async () => {
  const sound = buildFit(RIDE)
  const outcomes = new Set<string>()
  const change = fc.tuple(fc.nat(sound.length - 17), fc.nat(255))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
      const content = Buffer.from(sound)
      for (const [offset, byte] of changes) content.writeUInt8(byte, 14 + offset)
      content.writeUInt16LE(checksum(content.subarray(0, -2)), content.length - 2)
      const outcome = await mapContent(content).then(
        () => 'read',
        (error: { code?: string }) => error.code ?? String(error),
      )
      outcomes.add(outcome)
    }),
    { seed: 1, numRuns: campaignRuns(60, 3000) },
  )
  const known = ['read', 'malformed_file', 'unknown_format']
  assert.deepEqual(
    [...outcomes].filter((outcome) => !known.includes(outcome)),
    [],
  )
  assert.ok(outcomes.has('read') && outcomes.has('malformed_file'))
})

describe('a zip of activity files', () => {
  const FILES = {
    'export/a.fit': buildFit(RIDE),
    'export/b.tcx.gz': gzipSync(TCX.replaceAll('2024-06-01', '2024-06-02')),
    'export/c.fit': buildFit(RIDE).subarray(0, 100),
    'export/read me.txt': 'Notes of Anna',
    'export/1.jpg': 'x',
    'export/2.jpg': 'x',
    'export/3.jpg': 'x',
  }

  test('has the workouts of all files, and counts the damaged one', async () => {
    const { mapped, of } = await mapContent(FILES)
    assert.equal(mapped.provider, 'garmin')
    assert.equal(of('workouts').filter(({ refused }) => refused === undefined).length, 2)
    const fit = mapped.progress.types.find(({ type }) => type === 'fit')
    assert.deepEqual(fit?.put_aside_reasons, { invalid_field: 1 })
    assert.ok(!JSON.stringify(of('workouts')).includes('Anna'))
  })

  test('of several makers is manual', async () => {
    const wahoo = buildFit([fileId(4, 32), ...RIDE.slice(1)])
    const { mapped } = await mapContent({ 'a.fit': buildFit(RIDE), 'b.fit': wahoo })
    assert.equal(mapped.provider, 'manual')
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { buildFit, type FitMessage, fitTime } from '../../../../../server/test/imports/build-fit.ts'
import { mapContent, zipOf } from '../../../../../server/test/imports/map-content.ts'

const ROOT = '3c3e/DI_CONNECT/'
const MAIL = 'anna@example.com'
const SUMMARIES = `${ROOT}DI-Connect-Fitness/${MAIL}_0_summarizedActivities.json`
const UPLOADED = `${ROOT}DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip`
const values = (line: Readonly<Record<string, unknown>> | undefined) =>
  (line?.values ?? {}) as Record<string, unknown>

const START = Date.UTC(2026, 0, 19, 12, 0, 0)
const at = (seconds: number) => fitTime(START + seconds * 1000)
const summary = (activityId: number, start: number, change: object = {}) => ({
  ...{ activityId, name: 'Loop', activityType: 'trail_running', sportType: 'RUNNING' },
  ...{ startTimeGmt: start, beginTimestamp: start, startTimeLocal: start + 3_600_000 },
  ...{ duration: 600_000, elapsedDuration: 660_000, movingDuration: 590_000 },
  ...{ distance: 200_000, elevationGain: 5000, avgSpeed: 0.3333, maxSpeed: 0.5 },
  ...{ avgHr: 150, maxHr: 170, calories: 418.4 },
  ...change,
})
const fit = (start: number, calories: number): Buffer => {
  const messages: FitMessage[] = [
    ['file_id', { type: 4, manufacturer: 1, product: 1036 }],
    ['record', { timestamp: start, rate: 140, distance: 0 }],
    ['record', { timestamp: start + 60, rate: 160, distance: 200 }],
    ['session', { start, sport: 1, kind: 3, elapsed: 660, timer: 600, calories }],
  ]
  return buildFit(messages)
}
const exported = (...activities: object[]) =>
  JSON.stringify([{ summarizedActivitiesExport: activities }])

describe('the activities of a Garmin export', () => {
  test('are in milliseconds, centimeters and tenths of meters per second', async () => {
    const { of } = await mapContent({ [SUMMARIES]: exported(summary(11, START)) })
    const [workout] = of('workouts')
    assert.deepEqual(
      [workout?.id, workout?.start, workout?.end, workout?.timezone_offset],
      ['11', '2026-01-19T12:00:00+00:00', '2026-01-19T12:11:00+00:00', 3600],
    )
    assert.deepEqual(workout?.values, {
      ...{ title: 'Loop', sport_name: 'Trail Running', sport_slug: 'trail_running' },
      ...{ duration_active_second: 590, distance_meter: 2000, elevation_gain_meter: 50 },
      ...{ speed_mean: 3.333, speed_maximum: 5, heart_rate_mean: 150, heart_rate_maximum: 170 },
    })
  })

  test('join the file of the device, in a zip inside, by their start', async () => {
    const inner = zipOf({
      [`${MAIL}_900.fit`]: fit(at(1), 100),
      [`${MAIL}_901.fit`]: fit(at(90_000), 50),
      [`${MAIL}_902.fit`]: Buffer.from('no FIT at all'),
      [`${MAIL}_903.fit`]: fit(at(200_000), 50).subarray(0, 60),
      [`${MAIL}_904.fit`]: buildFit([['file_id', { type: 2, manufacturer: 1 }]]),
    })
    const { mapped, of, lines } = await mapContent({
      // 418.4 kJ are the 100 kcal of the file: so the other one has kJ, too.
      [SUMMARIES]: exported(
        summary(11, START),
        summary(12, START + 400_000_000, { calories: 836.8 }),
      ),
      [UPLOADED]: inner,
      'customer_data/customer.json': JSON.stringify({ mail: MAIL }),
    })
    const found = of('workouts').filter(({ refused }) => refused === undefined)
    assert.deepEqual(
      found.map((line) => [line.id, values(line).calories]),
      [
        ['11', 100],
        [`activity-${START / 1000 + 90_000}`, 50],
        ['12', 200],
      ],
    )
    assert.deepEqual(
      of('workout_stream').map(({ heartrate }) => heartrate),
      [
        [140, 160],
        [140, 160],
      ],
    )
    assert.equal(of('heartrate').length, 4)
    const counted = mapped.progress.types.find(({ type }) => type === 'activities')
    assert.deepEqual(counted?.put_aside_reasons, { invalid_field: 1 })
    assert.doesNotMatch(JSON.stringify(lines), /anna/)
  })

  test('have no calories where no file shows their unit', async () => {
    const { of } = await mapContent({ [SUMMARIES]: exported(summary(11, START)) })
    assert.equal(values(of('workouts')[0]).calories, undefined)
  })

  test('of several sports are their parts', async () => {
    const { of } = await mapContent({
      [SUMMARIES]: exported(
        summary(1, START, { activityType: 'multi_sport', childIds: [2, 3] }),
        summary(2, START, { activityType: 'open_water_swimming' }),
        summary(3, START + 700_000, { activityType: 'cycling' }),
      ),
    })
    assert.deepEqual(
      of('workouts').map(({ id }) => id),
      ['2', '3'],
    )
  })

  test('of a wrong time or number are quarantined', async () => {
    const { of } = await mapContent({
      [SUMMARIES]: exported(
        summary(1, 0),
        summary(2, Date.UTC(2199, 0)),
        summary(3, START, { elapsedDuration: 'long', duration: null }),
        summary(4, START, { distance: '=1+1' }),
        { name: 'x' },
      ),
    })
    assert.deepEqual(
      of('workouts')
        .map(({ refused }) => refused)
        .sort(),
      [
        ...['invalid_end_date', 'invalid_field', 'invalid_start_date', 'invalid_start_date'],
        'invalid_value',
      ],
    )
  })
})

test('the activities alone are recognized by their content', async () => {
  const { mapped, of } = await mapContent(exported(summary(11, START)))
  assert.deepEqual([mapped.format, of('workouts')[0]?.id], ['garmin_export', '11'])
})

test('further files of an activity of a Garmin export add no workout', async () => {
  const gpx = (second: number) =>
    `<gpx creator="Garmin Connect"><trk><trkseg><trkpt lat="1" lon="2"><time>${new Date(START + second * 1000).toISOString()}</time></trkpt></trkseg></trk></gpx>`
  const inner = zipOf({
    'a_0.gpx': gpx(1),
    'a_1.fit': fit(at(0), 100),
    'a_2.gpx': gpx(3601),
    'a_3.fit': fit(at(3600), 100),
  })
  const { of } = await mapContent({ [SUMMARIES]: exported(summary(11, START)), [UPLOADED]: inner })
  assert.deepEqual(
    of('workouts').map(({ id, device_model: device }) => [id, device]),
    [
      ['11', 'Edge 500'],
      [`activity-${START / 1000 + 3600}`, 'Edge 500'],
    ],
  )
})

test('a weight of a Garmin export with a local time only needs a zone', async () => {
  const path = `${ROOT}DI-Connect-Wellness/1_userBioMetrics.json`
  const questionsOf = async (weight: unknown) => {
    const item = { metaData: { calendarDate: '2026-01-05T08:00:00.0' }, weight }
    const { mapped } = await mapContent({ [path]: JSON.stringify([item]) })
    return mapped.questions.map(({ option }) => option)
  }
  assert.deepEqual(await questionsOf({ weight: 80_000 }), ['time_zone'])
  assert.deepEqual(await questionsOf({ weight: 80_000, timestampGMT: '2026-01-05T07:00:00.0' }), [])
  assert.deepEqual(await questionsOf(null), [])
})

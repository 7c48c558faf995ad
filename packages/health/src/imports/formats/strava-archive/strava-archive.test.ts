import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildFit, fitTime } from '../../../../../server/test/imports/build-fit.ts'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'
import { PageData, toPayloadLines } from '../../../connectors/index.ts'
import { mapActivities } from '../../../connectors/strava/strava.mapper.ts'

const HEAD =
  'Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Max Heart Rate,Relative Effort,Commute,Activity Private Note,Activity Gear,Filename,Athlete Weight,Bike Weight,Elapsed Time,Moving Time,Distance,Max Speed,Average Speed,Elevation Gain,Elevation Loss,Elevation Low,Elevation High,Max Grade,Average Grade,Average Positive Grade,Average Negative Grade,Max Cadence,Average Cadence,Max Heart Rate,Average Heart Rate,Max Watts,Average Watts,Calories,Weighted Average Power'.split(
    ',',
  )
const NAMES = [
  ...['id', 'date', 'title', 'type', 'description', 'shown_elapsed', 'shown', 'rate', 'effort'],
  ...['commute', 'note', 'gear', 'file', 'weight', 'bike', 'elapsed', 'moving', 'meters'],
  ...['most_speed', 'speed', 'gain', 'loss', 'low', 'high', 'a', 'b', 'c', 'd', 'e', 'f'],
  ...['most_rate', 'mean_rate', 'most_watts', 'watts', 'calories', 'weighted'],
]
type Row = Readonly<Record<string, string>>
const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const table = (rows: readonly Row[], head: readonly string[] = HEAD) =>
  [head, ...rows.map((row) => NAMES.slice(0, head.length).map((name) => row[name] ?? ''))]
    .map((cells) => cells.map(quoted).join(','))
    .join('\n')

const RIDE: Row = {
  ...{ id: '9001', date: 'Apr 30, 2026, 7:00:00 AM', title: 'Loop', type: 'Ride' },
  ...{
    description: 'with Anna,\n"fast"',
    note: 'secret',
    shown_elapsed: '1,800',
    shown: '1,005.01',
  },
  ...{ file: 'activities/77.fit.gz', elapsed: '1800.0', moving: '1750.0', meters: '15012.4' },
  ...{ most_speed: '14.1', speed: '8.5', gain: '31.0', low: '20.5', high: '44.0' },
  ...{ most_rate: '170.0', mean_rate: '140.0', most_watts: '600', watts: '180', calories: '400' },
  ...{ weighted: '190' },
}
const at = (seconds: number) => fitTime(Date.parse('2026-04-30T07:00:00Z') + seconds * 1000)
const FIT = buildFit([
  ['file_id', { type: 4, manufacturer: 1, product: 1036 }],
  ['record', { timestamp: at(-3600), rate: 60 }],
  ['record', { timestamp: at(0), rate: 120, distance: 0 }],
  ['record', { timestamp: at(900), rate: 150, distance: 8000 }],
  ['session', { start: at(0), sport: 2, elapsed: 1800, distance: 15_000, calories: 390 }],
  ['activity', { timestamp: at(1800), local: at(1800 + 7200) }],
])
const ARCHIVE = {
  'export_1/activities.csv': table([RIDE]),
  'export_1/activities/77.fit.gz': gzipSync(FIT),
  'export_1/profile.csv': 'First Name,Last Name\nAnna,B\n',
  'export_1/messaging.json': '[{"from": "Anna"}]',
}

describe('an archive of Strava', () => {
  test('has the workouts of its table, with their files', async () => {
    const { mapped, of, lines } = await mapContent(ARCHIVE)
    assert.deepEqual([mapped.format, mapped.provider], ['strava_archive', 'strava'])
    const [workout] = of('workouts')
    assert.deepEqual(
      [workout?.id, workout?.start, workout?.end, workout?.timezone_offset, workout?.device_model],
      ['9001', '2026-04-30T07:00:00+00:00', '2026-04-30T07:30:00+00:00', 7200, 'Edge 500'],
    )
    const values = workout?.values as Record<string, unknown>
    const expected = {
      ...{ title: 'Loop', sport_slug: 'cycling', duration_active_second: 1750, calories: 400 },
      // The second distance, in meters; the first one is the one that the app shows.
      ...{ distance_meter: 15_012.4, speed_mean: 8.5, speed_maximum: 14.1, power_mean: 180 },
      ...{ elevation_gain_meter: 31, elevation_minimum_meter: 20.5, power_weighted_mean: 190 },
      ...{ heart_rate_mean: 140, heart_rate_maximum: 170 },
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(values[name], value, name)
    // The point an hour before the activity is not of it.
    assert.deepEqual(of('workout_stream')[0]?.heartrate, [120, 150])
    assert.doesNotMatch(JSON.stringify(lines), /Anna|secret/)
  })

  test('has the ids and values of the interface', async () => {
    const { of } = await mapContent({ 'activities.csv': table([RIDE]) })
    const owner = { userId: '00000000-0000-4000-8000-000000000000', provider: 'strava' }
    const data = new PageData(owner)
    const activity = {
      ...{ id: 9001, name: 'Loop', sport_type: 'Ride', start_date: '2026-04-30T07:00:00Z' },
      ...{ elapsed_time: 1800, moving_time: 1750, distance: 15_012.4, calories: 400 },
      ...{ max_speed: 14.1, average_speed: 8.5, total_elevation_gain: 31, elev_low: 20.5 },
      ...{ elev_high: 44, max_heartrate: 170, average_heartrate: 140, max_watts: 600 },
      ...{ average_watts: 180, weighted_average_watts: 190 },
    }
    mapActivities([activity], data, [])
    const [ofInterface] = toPayloadLines(data.toArrivedData(), [], owner)
    const [ofArchive] = of('workouts')
    const { power_source: _, ...values } = (ofInterface?.values ?? {}) as Record<string, unknown>
    assert.deepEqual(ofArchive?.values, values)
    assert.equal(ofArchive?.id, ofInterface?.id)
  })

  test('in another language is read by the order of its columns', async () => {
    const translated = HEAD.slice(0, 35).map((name) => name.replace(/^(\w)/, 'Übersetzt $1'))
    const content = table([{ ...RIDE, date: '30.04.2026, 07:00:00', type: 'Radfahrt' }], translated)
    const { of } = await mapContent({ ...ARCHIVE, 'export_1/activities.csv': content })
    const [workout] = of('workouts')
    const values = workout?.values as Record<string, unknown>
    assert.deepEqual(
      [workout?.id, workout?.start, values.distance_meter, values.calories, values.sport_slug],
      ['9001', '2026-04-30T07:00:00+00:00', 15_012.4, 400, 'cycling'],
    )
  })

  test('with a date in an unknown language has the start of the file', async () => {
    const content = table([{ ...RIDE, date: '30 Επρ 2026, 07:00:00' }])
    const { of } = await mapContent({ ...ARCHIVE, 'export_1/activities.csv': content })
    assert.equal(of('workouts')[0]?.start, '2026-04-30T07:00:00+00:00')
  })

  test('of an unknown layout is refused', async () => {
    const files = { 'activities.csv': 'a,b\n1,2\n', 'activities/77.fit.gz': gzipSync(FIT) }
    await assert.rejects(mapContent(files), { code: 'unknown_columns' })
  })

  test('with only the shown distance needs its unit', async () => {
    const head = HEAD.slice(0, 13)
    const rows = [
      { ...RIDE, shown_elapsed: '1800', shown: '10' },
      { ...RIDE, id: '9002', type: 'Swim', shown_elapsed: '1800', shown: '1,500' },
    ]
    const asked = await mapContent(table(rows, head))
    assert.deepEqual(
      asked.mapped.questions.map(({ option }) => option),
      ['distance_unit'],
    )
    assert.deepEqual(asked.lines, [])
    const { of } = await mapContent(table(rows, head), { distance_unit: 'mi' })
    const distances = of('workouts').map(
      ({ values }) => (values as { distance_meter: number }).distance_meter,
    )
    assert.deepEqual(distances, [16_093.44, 1500])
  })

  test('with dates of slashes asks for their order, unless a date shows it', async () => {
    const dated = (...dates: string[]) =>
      table(dates.map((date, index) => ({ ...RIDE, id: String(index + 1), date })))
    const asked = await mapContent(dated('04/05/2026, 07:00:00'))
    assert.deepEqual(
      asked.mapped.questions.map(({ option }) => option),
      ['date_order'],
    )
    const shown = await mapContent(dated('04/05/2026, 07:00:00', '14/05/2026, 07:00:00'))
    assert.deepEqual(
      shown.of('workouts').map(({ start }) => String(start).slice(0, 10)),
      ['2026-05-04', '2026-05-14'],
    )
  })

  test('has the same workouts in any order of rows, columns and files', async () => {
    const rows = [
      RIDE,
      { ...RIDE, id: '9002', file: '' },
      { ...RIDE, id: '9003', file: 'gone.gpx' },
    ]
    const byId = (lines: readonly Readonly<Record<string, unknown>>[]) =>
      lines.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
    const first = await mapContent({ ...ARCHIVE, 'export_1/activities.csv': table(rows) })
    const second = await mapContent(
      Object.fromEntries(
        Object.entries({
          ...ARCHIVE,
          'export_1/activities.csv': table(rows.toReversed()),
        }).toReversed(),
      ),
    )
    assert.deepEqual(byId(second.of('workouts')), byId(first.of('workouts')))
  })

  test('quarantines wrong rows, without their texts, and goes on', async () => {
    const rows = [
      { ...RIDE, id: '=1+1' },
      { ...RIDE, id: '2', date: 'yesterday' },
      { ...RIDE, id: '3', date: 'Jan 1, 1970, 12:00:00 AM' },
      { ...RIDE, id: '4', date: 'Jan 1, 2199, 12:00:00 AM' },
      { ...RIDE, id: '5', elapsed: '' },
      { ...RIDE, id: '6', meters: '@SUM(1)' },
      { ...RIDE, id: '7', file: 'activities/broken.fit' },
    ]
    const { mapped, of } = await mapContent({
      'activities.csv': table(rows),
      'activities/broken.fit': FIT.subarray(0, 50),
    })
    assert.deepEqual(
      of('workouts').flatMap(({ refused }) => refused ?? []),
      [
        ...['invalid_field', 'invalid_start_date', 'invalid_start_date', 'invalid_start_date'],
        ...['invalid_end_date', 'invalid_value'],
      ],
    )
    assert.deepEqual(
      of('workouts').flatMap(({ id }) => id ?? []),
      ['7'],
    )
    const [counted] = mapped.progress.types
    assert.deepEqual([counted?.records, counted?.put_aside], [7, 7])
    assert.doesNotMatch(JSON.stringify(of('workouts')), /Anna|secret/)
  })

  test('with a head row only has no workouts', async () => {
    const { mapped, lines } = await mapContent(table([]))
    assert.deepEqual([mapped.format, lines.length], ['strava_archive', 0])
  })
})

describe('numbers of tables of Strava', () => {
  const german = HEAD.map((name) =>
    name
      .replace('Activity ID', 'Aktivitäts-ID')
      .replace('Elapsed Time', 'Verstrichene Zeit')
      .replace('Distance', 'Distanz')
      .replace('Max Heart Rate', 'Max. Herzfrequenz'),
  )

  test('have decimal commas in other languages, also with three decimals', async () => {
    const row = { ...RIDE, date: '30.04.2026, 07:00:00', type: 'Radfahrt', file: '' }
    const numbers = { meters: '1.234,5', speed: '9,123', most_speed: '12,5', elapsed: '1800.0' }
    const { of } = await mapContent({
      'activities.csv': table([{ ...row, ...numbers }], german),
      'activities/77.fit': FIT,
    })
    const values = (of('workouts')[0]?.values ?? {}) as Record<string, unknown>
    assert.deepEqual(
      [values.distance_meter, values.speed_mean, values.speed_maximum],
      [1234.5, 9.123, 12.5],
    )
  })

  test('need no unit where no distance has that of the display', async () => {
    const head = HEAD.slice(0, 7)
    const questionsOf = async (type: string, shown: string) => {
      const row = { ...RIDE, type, shown, shown_elapsed: '1800' }
      const { mapped } = await mapContent({ 'activities.csv': table([row], head) })
      return mapped.questions.map(({ option }) => option)
    }
    assert.deepEqual(await questionsOf('Ride', '15.0'), ['distance_unit'])
    assert.deepEqual(await questionsOf('Swim', '1,500'), [])
    assert.deepEqual(await questionsOf('Weight Training', ''), [])
  })
})

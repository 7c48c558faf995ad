import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { mapContent } from '../../../../../../server/test/imports/map-content.ts'

const START = '2024-06-01T08:00:00Z'

const valuesOf = (line: Readonly<Record<string, unknown>> | undefined) =>
  (line?.values ?? {}) as Record<string, unknown>

const errorOf = (code: string, message?: RegExp) => (error: Error & { code?: string }) =>
  error.code === code && (message === undefined || message.test(error.message))

const trackpoint = (time: string, more: string) =>
  `<Trackpoint><Time>${time}</Time>${more}</Trackpoint>`
const lap = (start: string, totals: string, points: string) =>
  `<Lap StartTime="${start}">${totals}<Track>${points}</Track></Lap>`
const tcx = (laps: string) => `<?xml version="1.0" encoding="UTF-8"?>
<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"
 xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><Activities>
<Activity Sport="Running"><Id>${START}</Id>${laps}
<Creator><Name>Forerunner 245</Name></Creator></Activity></Activities></TrainingCenterDatabase>`
const meters = (value: number) => `<DistanceMeters>${value}</DistanceMeters>`
const TWO_LAPS = tcx(
  lap(
    START,
    '<TotalTimeSeconds>20</TotalTimeSeconds><DistanceMeters>60</DistanceMeters><Calories>5</Calories>',
    trackpoint(START, `${meters(0)}<HeartRateBpm><Value>100</Value></HeartRateBpm>`) +
      trackpoint(
        '2024-06-01T08:00:20Z',
        `${meters(60)}<HeartRateBpm><Value>121</Value></HeartRateBpm>
        <Extensions><ns3:TPX><ns3:Speed>3.0</ns3:Speed><ns3:RunCadence>80</ns3:RunCadence></ns3:TPX></Extensions>`,
      ),
  ) +
    lap(
      '2024-06-01T08:00:50Z',
      '<TotalTimeSeconds>10</TotalTimeSeconds><DistanceMeters>30</DistanceMeters><Calories>3</Calories>',
      // This writer begins anew with each lap; a point with a time alone is a pause.
      trackpoint('2024-06-01T08:00:50Z', meters(0)) +
        trackpoint('2024-06-01T08:00:55Z', '') +
        trackpoint('2024-06-01T08:01:00', meters(30)),
    ),
)

describe('a TCX file', () => {
  test('has the sums of its laps, and distances that go on over laps', async () => {
    const { mapped, of } = await mapContent(TWO_LAPS)
    assert.equal(mapped.provider, 'garmin')
    const [workout] = of('workouts')
    const values = valuesOf(workout)
    assert.deepEqual(
      [workout?.end, values.duration_active_second, values.distance_meter, values.calories],
      ['2024-06-01T08:01:00+00:00', 30, 90, 8],
    )
    assert.deepEqual([values.heart_rate_mean, values.heart_rate_maximum], [111, 121])
    const [stream] = of('workout_stream')
    assert.deepEqual(stream?.distance, [0, 60, 60, 90])
    assert.deepEqual(stream?.cadence, [null, 160, null, null])
  })

  test('may have blanks and a byte order mark before the declaration, and be compressed', async () => {
    const plain = await mapContent(TWO_LAPS)
    for (const content of [`          ${TWO_LAPS}`, `\ufeff${TWO_LAPS}`, gzipSync(TWO_LAPS)]) {
      assert.deepEqual((await mapContent(content)).lines, plain.lines)
    }
    const utf16 = Buffer.from(`\ufeff${TWO_LAPS}`, 'utf16le')
    assert.deepEqual((await mapContent(utf16)).lines, plain.lines)
  })

  test('with a document type or a broken end is refused', async () => {
    const doctype = TWO_LAPS.replace('?>', '?><!DOCTYPE x [<!ENTITY a "aa">]>')
    await assert.rejects(mapContent(doctype), errorOf('malformed_xml'))
    await assert.rejects(mapContent(TWO_LAPS.slice(0, -20)), errorOf('malformed_xml'))
  })
})

const gpx = (tracks: string, creator = 'StravaGPX') =>
  `<?xml version="1.0"?><gpx version="1.1" creator="${creator}" xmlns="http://www.topografix.com/GPX/1/1"
  xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">${tracks}</gpx>`
const place = (lat: number, time: string, more = '') =>
  `<trkpt lat="${lat}" lon="13.4">${time && `<time>${time}</time>`}${more}</trkpt>`
const rate = (bpm: number) =>
  `<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>${bpm}</gpxtpx:hr></gpxtpx:TrackPointExtension></extensions>`

describe('a GPX file', () => {
  test('has the distance within its segments, and not between them', async () => {
    const track = `<trk><name>Loop</name><type>9</type>
      <trkseg>${place(52, START, rate(90))}${place(52.01, '2024-06-01T08:05:00Z', rate(110))}</trkseg>
      <trkseg>${place(53, '2024-06-01T08:10:00Z')}${place(53.01, '2024-06-01T08:15:00Z')}</trkseg></trk>`
    const { mapped, of } = await mapContent(gpx(track))
    assert.equal(mapped.provider, 'strava')
    const [workout] = of('workouts')
    const values = valuesOf(workout)
    // A degree of latitude is the 360th part of the circumference of the sphere.
    const expected = (0.02 * 2 * Math.PI * 6_371_008.8) / 360
    assert.ok(Math.abs(Number(values.distance_meter) - expected) < 0.01)
    assert.deepEqual(
      [values.sport_slug, values.title, values.heart_rate_mean],
      ['running', 'Loop', 100],
    )
    const sum = of('workout_distance').reduce((total, { value }) => total + Number(value), 0)
    assert.ok(Math.abs(sum - expected) < 0.01)
  })

  test('without times is a route and refused', async () => {
    const route = `<trk><trkseg>${place(52, '')}${place(52.1, '')}</trkseg></trk>`
    await assert.rejects(mapContent(gpx(route)), errorOf('unknown_format', /route/))
    await assert.rejects(mapContent(gpx('<wpt lat="1" lon="2"/>')), errorOf('unknown_format'))
  })

  test('of a clock that was never set is quarantined, one point of it left out', async () => {
    const years = ['1901', '1970', '1989', '2199']
    for (const year of years) {
      const wrong = place(52, `${year}-01-01T00:00:00Z`)
      const alone = await mapContent(gpx(`<trk><trkseg>${wrong}</trkseg></trk>`))
      assert.deepEqual(
        alone.of('workouts').map(({ refused }) => refused),
        ['invalid_start_date'],
        year,
      )
      const mixed = `<trk><trkseg>${wrong}${place(52, START)}${place(52.1, '2024-06-01T08:05:00Z')}</trkseg></trk>`
      const { of } = await mapContent(gpx(mixed))
      assert.equal(of('workouts')[0]?.start, '2024-06-01T08:00:00+00:00', year)
      const refused = of('workout_stream').flatMap((line) => line.refused ?? [])
      assert.deepEqual(refused, ['invalid_start_date'], year)
    }
  })
})

test('distances that begin anew with each of several laps count up through the activity', async () => {
  const laps = [0, 1, 2, 3].map((index) => {
    const at = (second: number) => `2024-06-01T08:0${index}:${second === 0 ? '00' : second}Z`
    const points = [0, 20, 40].map((second) => trackpoint(at(second), meters(second * 5)))
    return lap(at(0), '<TotalTimeSeconds>60</TotalTimeSeconds>', points.join(''))
  })
  const { of } = await mapContent(tcx(laps.join('')))
  const distances = of('workout_stream')[0]?.distance
  const expected = [0, 200, 400, 600].flatMap((base) => [base, base + 100, base + 200])
  assert.deepEqual(distances, expected)
})

test('a run of a GPX file has the steps of both legs in its cadence', async () => {
  const track = (kind: string, cadence: number) =>
    `<gpx creator="eTrex 30"><trk><type>${kind}</type><trkseg><trkpt lat="52" lon="13">
    <time>${START}</time><extensions><a:cad>${cadence}</a:cad></extensions></trkpt></trkseg></trk></gpx>`
  for (const [kind, cadence, expected] of [
    ['running', 85, 170],
    ['9', 85, 170],
    ['trail_running', 172, 172],
    ['cycling', 85, 85],
  ] as const) {
    const { mapped, of } = await mapContent(track(kind, cadence))
    assert.deepEqual(of('workout_stream')[0]?.cadence, [expected], kind)
    assert.equal(mapped.provider, 'garmin')
  }
})

test('an invalid activity of a TCX file counts once', async () => {
  const { mapped } = await mapContent(
    tcx(lap(START, '<TotalTimeSeconds>-5</TotalTimeSeconds>', '')),
  )
  const [counts] = mapped.progress.types
  assert.deepEqual([mapped.progress.records, counts?.put_aside, counts?.not_supported], [1, 1, 0])
})

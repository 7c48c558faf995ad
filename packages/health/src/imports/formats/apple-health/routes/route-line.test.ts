import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import polylineCodec from '@googlemaps/polyline-codec'
import fc from 'fast-check'
import { readGpxPoints } from './gpx-points.ts'
import { elevationOf, encodeLine, toRouteLine } from './route-line.ts'
import { type Coordinates, simplifyLine } from './simplify-line.ts'

const FIXTURE = join(import.meta.dirname, '../fixtures/korita-zbevnica.gpx')

test('a hike has the points and the length that another program counts', async () => {
  const points = await readGpxPoints(createReadStream(FIXTURE))
  // The file has 871 track points, 358 of them without a time.
  assert.equal(points.length, 513)
  const line = toRouteLine(points)
  assert.equal(line?.time[0], Date.parse('2010-10-03T09:36:30Z') / 1000)
  assert.equal(line?.time.at(-1), Date.parse('2010-10-03T13:19:31Z') / 1000)
  // Summed as chords in space, on the same sphere.
  assert.ok(Math.abs((line?.distance.at(-1) ?? 0) - 6281.9) < 0.5, `${line?.distance.at(-1)}`)
})

test('a file in small chunks gives the same points', async () => {
  const whole = await readGpxPoints(createReadStream(FIXTURE))
  const cut = await readGpxPoints(createReadStream(FIXTURE, { highWaterMark: 37 }))
  assert.deepEqual(cut, whole)
})

async function pointsOf(text: string) {
  return readGpxPoints(
    (async function* () {
      yield Buffer.from(text)
    })(),
  )
}

test('points without coordinates, time or sense are left out', async () => {
  const time = '<time>2024-05-01T10:00:00Z</time>'
  const points = await pointsOf(
    `<gpx><trkpt lat="1" lon="2">${time}</trkpt><trkpt lat='1' lon='2'/>
    <trkpt lat="" lon="2">${time}</trkpt><trkpt lat="91" lon="2">${time}</trkpt>
    <trkpt lon="-180.5" lat="2">${time}</trkpt><trkpt lon="3" lat="2"><time>no</time></trkpt>
    <trkpt lon="3" lat="2"><ele>high</ele>${time}<extensions><gpx:speed>2.5</gpx:speed></extensions></trkpt>`,
  )
  assert.deepEqual(points, [
    { at: 1714557600000, latitude: 1, longitude: 2, altitudeMeter: null, speed: null },
    { at: 1714557600000, latitude: 2, longitude: 3, altitudeMeter: null, speed: 2.5 },
  ])
})

const point = (second: number, latitude: number, altitudeMeter: number | null = null) => ({
  at: second * 1000,
  latitude,
  longitude: 10,
  altitudeMeter,
  speed: null,
})

test('points come in order of time, one a second, with speeds between them', () => {
  const line = toRouteLine([point(20, 50.002), point(0, 50), point(10, 50.001), point(10.5, 60)])
  assert.deepEqual(line?.time, [0, 10, 20])
  assert.deepEqual(line?.latitude, [50, 50.001, 50.002])
  assert.deepEqual(line?.distance, [0, 111.2, 222.39])
  assert.deepEqual(line?.speed, [null, 11.12, 11.12])
  assert.equal(toRouteLine([point(1, 50)]), undefined)
})

test('climbs count from the noise of a receiver on', () => {
  const altitudes = [100, 101, 100, 101.5, 110, 109, 110, 90, 95]
  const line = toRouteLine(altitudes.map((meters, second) => point(second, 50 + second, meters)))
  assert.deepEqual(line && elevationOf(line), { gain: 15, maximum: 110, minimum: 90 })
  const flat = toRouteLine([point(0, 50), point(1, 51)])
  assert.equal(flat && elevationOf(flat), null)
})

test('a summary line has a hundred points at most, all of the line, and stays near it', async () => {
  const line = toRouteLine(await readGpxPoints(createReadStream(FIXTURE)))
  assert.ok(line)
  const { polyline, summaryPolyline } = encodeLine(line)
  const [all, few] = [polylineCodec.decode(polyline), polylineCodec.decode(summaryPolyline)]
  assert.equal(all.length, line.time.length)
  assert.equal(few.length, 100)
  const known = new Set(all.map(String))
  assert.ok(few.every((point) => known.has(String(point))))
})

const coordinates = fc.tuple(
  fc.double({ min: -80, max: 80, noNaN: true }),
  fc.double({ min: -170, max: 170, noNaN: true }),
)

test('a simplified line keeps its ends, its order and the limit', () => {
  fc.assert(
    fc.property(
      fc.array(coordinates, { minLength: 2, maxLength: 60 }),
      fc.nat({ max: 30 }),
      (line, n) => {
        const most = n + 2
        const simple = simplifyLine(line as Coordinates[], most)
        assert.equal(simple.length, Math.min(most, line.length))
        assert.deepEqual([simple[0], simple.at(-1)], [line[0], line.at(-1)])
        let from = 0
        for (const kept of simple) {
          from = line.indexOf(kept as [number, number], from) + 1
          assert.ok(from > 0)
        }
      },
    ),
  )
})

test('corners are kept before points on the way', () => {
  const line: Coordinates[] = [
    [0, 0],
    [0, 0.5],
    [0, 1],
    [0.5, 1.001],
    [1, 1],
  ]
  assert.deepEqual(simplifyLine(line, 3), [
    [0, 0],
    [0, 1],
    [1, 1],
  ])
})

import type { VendorInstant, WorkoutPoint } from '../../../../connectors/index.ts'
import { ImportFileError } from '../../../files/import-file-error.ts'
import type { ImportFile } from '../../../files/import-files.ts'
import { isPossibleTime } from '../../../running/possible-time.ts'
import { providerOfMaker } from '../makers.ts'
import type { RecordedActivity } from '../recorded-activity.ts'
import { numberOf, readXml } from './read-xml.ts'
import { MOST_POINTS } from './tcx.ts'
import { readTime } from './xml-times.ts'

/** The least of all: it has no totals. */
const DETAIL = 0
const EARTH_METERS = 6_371_008.8
/** Elements of a point with their channels; extensions of several makers. */
const CHANNELS: Readonly<Record<string, keyof WorkoutPoint['values']>> = {
  ele: 'altitude',
  hr: 'heartrate',
  heartrate: 'heartrate',
  cad: 'cadence',
  cadence: 'cadence',
  atemp: 'temperature',
  temp: 'temperature',
  temperature: 'temperature',
  power: 'power',
  watts: 'power',
  powerinwatts: 'power',
  speed: 'velocity_smooth',
}
/** Numbers that Strava writes as types. */
const SPORTS: Readonly<Record<string, string>> = {
  1: 'cycling',
  4: 'hiking',
  9: 'running',
  10: 'walking',
  biking: 'cycling',
}

/** Turns of one leg in a minute; what is more in a run counts the steps of both. */
const MOST_STRIDES = 120

interface Track {
  title: string
  type: string
  segments: Point[][]
}

interface Point {
  time: VendorInstant | undefined
  values: WorkoutPoint['values']
}

/**
 * Reads the tracks of a GPX file, and the program that wrote it. Routes and waypoints are left out.
 * @throws ImportFileError `malformed_xml`
 */
async function readGpx(file: ImportFile): Promise<{ tracks: Track[]; creator: string }> {
  const tracks: Track[] = []
  let [creator, count] = ['', 0]
  let point: Point | undefined
  await readXml(file, {
    open(name, attributes) {
      if (name === 'gpx') creator = attributes.creator ?? ''
      if (name === 'trk') tracks.push({ title: '', type: '', segments: [] })
      if (name === 'trkseg') tracks.at(-1)?.segments.push([])
      if (name !== 'trkpt') return
      if (++count > MOST_POINTS) throw new ImportFileError('file_too_large')
      const [lat, lng] = [numberOf(attributes.lat), numberOf(attributes.lon)]
      point = { time: undefined, values: { lat, lng } }
      tracks.at(-1)?.segments.at(-1)?.push(point)
    },
    close(name, text, parent) {
      const track = tracks.at(-1)
      if (name === 'trkpt') point = undefined
      else if (point !== undefined && name === 'time') point.time = readTime(text)
      else if (point !== undefined) {
        const channel = CHANNELS[name.toLowerCase()]
        if (channel !== undefined) point.values[channel] ??= numberOf(text)
      } else if (parent === 'trk' && name === 'name' && track) track.title = text
      else if (parent === 'trk' && name === 'type' && track) track.type = text
    },
  })
  return { tracks, creator }
}

/** Returns the provider of a GPX file. */
export const providerOfGpx = async (file: ImportFile): Promise<string> =>
  providerOfMaker((await readGpx(file)).creator)

/**
 * Returns the workouts of a GPX file: its tracks with times. A track without times is a course.
 * @returns `courses` counts the tracks without times
 * @throws ImportFileError `malformed_xml`
 */
export async function activitiesOfGpx(
  file: ImportFile,
  now: Date,
): Promise<{ activities: RecordedActivity[]; courses: number }> {
  const { tracks } = await readGpx(file)
  let courses = 0
  const activities = tracks.flatMap((track) => {
    const activity = toActivity(track, now)
    if (activity === undefined) courses += 1
    return activity ?? []
  })
  // A file with routes or waypoints only.
  return { activities, courses: tracks.length === 0 ? 1 : courses }
}

function toActivity({ title, type, segments }: Track, now: Date): RecordedActivity | undefined {
  const points: WorkoutPoint[] = []
  let [meters, offset] = [0, null as number | null]
  for (const segment of segments) {
    let last: Point | undefined
    for (const point of segment) {
      // Distance is that within segments: between them the device was paused.
      meters += last === undefined ? 0 : distanceOf(last.values, point.values)
      last = point
      if (point.time === undefined) continue
      offset ??= point.time.offset
      const isPlaced = point.values.lat !== undefined && point.values.lng !== undefined
      const values = { ...point.values, ...(isPlaced && { distance: meters }) }
      points.push({ second: Math.floor(point.time.at / 1000), values })
    }
  }
  if (points.length === 0) return undefined
  const all = points.map(({ second }) => second)
  // A receiver without a fix may have another date at first.
  const possible = all.filter((second) => isPossibleTime(second * 1000, now))
  const seconds = possible.length > 0 ? possible : all
  const [first, last] = [
    seconds.reduce((a, b) => Math.min(a, b)),
    seconds.reduce((a, b) => Math.max(a, b)),
  ]
  const kind = type.trim().toLowerCase().replaceAll(' ', '_')
  const sport = SPORTS[kind] ?? (kind === '' ? 'other' : kind)
  return {
    start: { at: first * 1000, offset },
    end: { at: last * 1000, offset },
    sport,
    values: { title: title === '' ? null : title.toWellFormed() },
    points: sport.includes('running') ? withSteps(points) : points,
    sourceType: 'unknown',
    deviceModel: '',
    raw: { type: kind, points: points.length, segments: segments.length },
    detail: DETAIL,
  }
}

/** Returns the points of a run with the steps of both legs in their cadence. */
function withSteps(points: readonly WorkoutPoint[]): readonly WorkoutPoint[] {
  const isOfOneLeg = points.every(({ values: { cadence } }) => !(Number(cadence) > MOST_STRIDES))
  if (!isOfOneLeg) return points
  return points.map(({ second, values }) => {
    const { cadence } = values
    const steps = typeof cadence === 'number' ? 2 * cadence : cadence
    return { second, values: { ...values, cadence: steps } }
  })
}

/** Meters between two places by the haversine formula; 0 where one has no valid place. */
function distanceOf(a: WorkoutPoint['values'], b: WorkoutPoint['values']): number {
  const [lat1, lng1, lat2, lng2] = [a.lat, a.lng, b.lat, b.lng].map((degrees) =>
    typeof degrees === 'number' ? (degrees * Math.PI) / 180 : Number.NaN,
  ) as [number, number, number, number]
  const half =
    Math.sin((lat2 - lat1) / 2) ** 2 +
    Math.cos(lat1) * Math.cos(lat2) * Math.sin((lng2 - lng1) / 2) ** 2
  const meters = 2 * EARTH_METERS * Math.asin(Math.min(1, Math.sqrt(half)))
  return Number.isFinite(meters) ? meters : 0
}

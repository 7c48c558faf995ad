import type { VendorInstant, WorkoutPoint } from '../../../../connectors/index.ts'
import { ImportFileError } from '../../../files/import-file-error.ts'
import type { ImportFile } from '../../../files/import-files.ts'
import { numberOf, readXml } from './read-xml.ts'
import { readTime } from './xml-times.ts'

/** Eleven days with a point each second. */
export const MOST_POINTS = 1_000_000

interface TcxLap {
  start: VendorInstant | undefined
  seconds?: number | undefined
  meters?: number | undefined
  calories?: number | undefined
  meanRate?: number | undefined
  maximumRate?: number | undefined
  maximumSpeed?: number | undefined
}

/** One activity of a Training Center file, in seconds, meters, kcal and beats per minute. */
export interface TcxActivity {
  sport: string
  start: VendorInstant | undefined
  laps: TcxLap[]
  points: WorkoutPoint[]
  /** Name of the device or program. */
  creator: string
}

/** Elements of a point, with their channels. */
const CHANNELS: Readonly<Record<string, keyof WorkoutPoint['values']>> = {
  LatitudeDegrees: 'lat',
  LongitudeDegrees: 'lng',
  AltitudeMeters: 'altitude',
  Cadence: 'cadence',
  RunCadence: 'cadence',
  Speed: 'velocity_smooth',
  Watts: 'power',
}

/**
 * Reads the activities of a Training Center file, and the name of the program that wrote it.
 * @throws ImportFileError `malformed_xml`
 */
export async function readTcx(
  file: ImportFile,
): Promise<{ activities: TcxActivity[]; author: string }> {
  const activities: TcxActivity[] = []
  let [author, count] = ['', 0]
  let activity: TcxActivity | undefined
  let point: TcxPoint | undefined
  let meters = new Meters()
  await readXml(file, {
    open(name, attributes) {
      if (name === 'Activity') {
        activity = {
          sport: attributes.Sport ?? '',
          start: undefined,
          laps: [],
          points: [],
          creator: '',
        }
        meters = new Meters()
        activities.push(activity)
      } else if (name === 'Lap') {
        activity?.laps.push({ start: readTime(attributes.StartTime ?? '') })
        meters.beginLap()
      } else if (name === 'Trackpoint') {
        if (++count > MOST_POINTS) throw new ImportFileError('file_too_large')
        point = { time: undefined, values: {} }
      }
    },
    close(name, text, parent) {
      if (name === 'Trackpoint') {
        if (point?.time !== undefined && activity !== undefined) {
          const second = Math.floor(point.time.at / 1000)
          activity.points.push({ second, values: point.values })
        }
        point = undefined
      } else if (point !== undefined) {
        readPoint(point, meters, { name, text, parent, isRun: activity?.sport === 'Running' })
      } else if (activity !== undefined) readActivity(activity, name, text, parent)
      if (name === 'Activity') activity = undefined
      if (name === 'Name' && parent === 'Author') author = text
    },
  })
  return { activities, author }
}

interface TcxPoint {
  time: VendorInstant | undefined
  values: WorkoutPoint['values']
}

/** Distances count up through an activity, but some programs begin anew with each lap. */
class Meters {
  #base = 0
  #last = 0
  #isFirstOfLap = true

  beginLap(): void {
    this.#isFirstOfLap = true
  }

  add(value: number): number {
    if (this.#isFirstOfLap && value < (this.#last - this.#base) / 2) this.#base = this.#last
    this.#isFirstOfLap = false
    this.#last = this.#base + value
    return this.#last
  }
}

function readPoint(
  point: TcxPoint,
  meters: Meters,
  { name, text, parent, isRun }: { name: string; text: string; parent: string; isRun: boolean },
): void {
  if (name === 'Time') {
    point.time = readTime(text)
    return
  }
  const value = numberOf(text)
  if (value === undefined) return
  if (name === 'Value' && parent === 'HeartRateBpm') point.values.heartrate = value
  else if (name === 'DistanceMeters') point.values.distance = meters.add(value)
  else {
    const channel = Object.hasOwn(CHANNELS, name) ? CHANNELS[name] : undefined
    // The cadence of a run counts strides, of two steps each.
    const factor = channel === 'cadence' && isRun ? 2 : 1
    if (channel !== undefined) point.values[channel] ??= value * factor
  }
}

function readActivity(activity: TcxActivity, name: string, text: string, parent: string): void {
  if (name === 'Id' && parent === 'Activity') activity.start = readTime(text)
  else if (name === 'Name' && parent === 'Creator') activity.creator = text
  const lap = activity.laps.at(-1)
  if (lap === undefined) return
  const value = numberOf(text)
  if (parent === 'AverageHeartRateBpm') lap.meanRate = value
  else if (parent === 'MaximumHeartRateBpm') lap.maximumRate = value
  else if (parent !== 'Lap') return
  else if (name === 'TotalTimeSeconds') lap.seconds = value
  else if (name === 'DistanceMeters') lap.meters = value
  else if (name === 'Calories') lap.calories = value
  else if (name === 'MaximumSpeed') lap.maximumSpeed = value
}

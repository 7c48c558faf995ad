import { isStorableInstant, type QuarantineReason } from '../../../../ingest/index.ts'
import { parseAppleDate } from '../apple-dates.ts'
import { productOf } from '../apple-device.ts'
import type { HealthWorkout, TextMap } from '../health-data.ts'
import type { LocalTimes } from '../local-time/local-times.ts'
import { TIME_ZONE } from '../local-time/zone-evidence.ts'
import {
  BEATS_PER_MINUTE,
  COUNT,
  KILOCALORIES,
  METERS,
  METERS_PER_SECOND,
  MINUTES,
  quantityOf,
  quantityText,
  WATTS,
} from '../quantities.ts'
import { sourceOfRecord } from '../record-source.ts'

/** The element of a workout in the units of a summary. Values that it lacks are null. */
export interface WorkoutElement {
  /** `HKWorkoutActivityType…` without its prefix. */
  activity: string
  sourceType: string
  appId: string
  deviceModel: string
  startedAt: number
  endedAt: number
  timezoneOffset: number
  timeZone: string
  title: string | null
  activeSeconds: number
  distanceMeter: number | null
  calories: number | null
  steps: number | null
  elevationGainMeter: number | null
  speedMean: number | null
  speedMaximum: number | null
  powerMean: number | null
  powerMaximum: number | null
  heartRate: { mean: number | null; minimum: number | null; maximum: number | null }
  /** Paths of GPX files. */
  routes: string[]
  raw: unknown
}

const ACTIVITY = 'HKWorkoutActivityType'
const QUANTITY = 'HKQuantityTypeIdentifier'

/**
 * Reads one workout of an export. Before iOS 16 distance and energy are attributes, later
 * statistics; statistics take precedence.
 * @param device Device of its source, where the element names none.
 */
export function readWorkout(
  workout: HealthWorkout,
  localTimes: LocalTimes,
  device = workout.attributes.get('device'),
): WorkoutElement | QuarantineReason {
  const { attributes, metadata } = workout
  const start = parseAppleDate(attributes.get('startDate') ?? '')
  if (start === undefined || !isStorableInstant(start.epochMilliseconds)) {
    return 'invalid_start_date'
  }
  const end = parseAppleDate(attributes.get('endDate') ?? '')
  if (end === undefined || !isStorableInstant(end.epochMilliseconds)) return 'invalid_end_date'
  const [startedAt, endedAt] = [start.epochMilliseconds, end.epochMilliseconds]
  if (endedAt < startedAt) return 'end_before_start'
  const isUserEntered = metadata.get('HKWasUserEntered') === '1'
  const { timezoneOffset, timeZone } = localTimes.localTimeOfRecord(start, metadata.get(TIME_ZONE))
  // Texts that are kept must not retain the part of the file that they were cut from.
  return structuredClone({
    activity: (attributes.get('workoutActivityType') ?? '').replace(ACTIVITY, ''),
    ...sourceOfRecord(attributes.get('sourceName') ?? '', device, isUserEntered),
    deviceModel: productOf(device),
    startedAt,
    endedAt,
    timezoneOffset,
    timeZone,
    title: metadata.get('HKWorkoutBrandName') ?? null,
    activeSeconds: activeSecondsOf(workout, startedAt, endedAt),
    ...measuresOf(workout),
    routes: workout.routes,
    raw: toRaw(workout),
  })
}

function activeSecondsOf({ attributes, events }: HealthWorkout, from: number, to: number): number {
  const active = activeMilliseconds(events, from, to)
  if (active < to - from) return Math.round(active / 1000)
  // Some apps have no events, only a duration without pauses.
  const duration = quantityOf(MINUTES, attributes.get('duration'), attributes.get('durationUnit'))
  const elapsed = (to - from) / 1000
  return Math.round(duration === null || duration <= 0 ? elapsed : Math.min(duration * 60, elapsed))
}

function measuresOf({ attributes, metadata, statistics }: HealthWorkout) {
  const byType = new Map(statistics.map((entry) => [typeOf(entry), entry]))
  const find = (type: string) => byType.get(type)
  const power = find('CyclingPower') ?? find('RunningPower')
  const rate = find('HeartRate')
  const energy = sumOf(KILOCALORIES, find('ActiveEnergyBurned'))
  const burned = [attributes.get('totalEnergyBurned'), attributes.get('totalEnergyBurnedUnit')]
  const length = [attributes.get('totalDistance'), attributes.get('totalDistanceUnit')]
  return {
    distanceMeter:
      distanceOf(attributes, byType) ?? quantityOf(METERS, length[0], length[1] ?? 'km'),
    calories: energy ?? quantityOf(KILOCALORIES, burned[0], burned[1] ?? 'kcal'),
    steps: sumOf(COUNT, find('StepCount')),
    elevationGainMeter: quantityText(METERS, metadata.get('HKElevationAscended')),
    speedMean: quantityText(METERS_PER_SECOND, metadata.get('HKAverageSpeed')),
    speedMaximum: quantityText(METERS_PER_SECOND, metadata.get('HKMaximumSpeed')),
    powerMean: quantityOf(WATTS, power?.get('average'), power?.get('unit')),
    powerMaximum: quantityOf(WATTS, power?.get('maximum'), power?.get('unit')),
    heartRate: {
      mean: quantityOf(BEATS_PER_MINUTE, rate?.get('average'), rate?.get('unit')),
      minimum: quantityOf(BEATS_PER_MINUTE, rate?.get('minimum'), rate?.get('unit')),
      maximum: quantityOf(BEATS_PER_MINUTE, rate?.get('maximum'), rate?.get('unit')),
    },
  }
}

const typeOf = (statistics: TextMap): string => (statistics.get('type') ?? '').replace(QUANTITY, '')

function sumOf(units: typeof METERS, statistics: TextMap | undefined): number | null {
  return quantityOf(units, statistics?.get('sum'), statistics?.get('unit'))
}

/** Sports with a distance of their own; a watch may count steps as well. */
const DISTANCES: readonly [activity: RegExp, type: string][] = [
  [/cycling/i, 'DistanceCycling'],
  [/^swimming/i, 'DistanceSwimming'],
  [/wheelchair/i, 'DistanceWheelchair'],
  [/crosscountryskiing/i, 'DistanceCrossCountrySkiing'],
  [/downhillskiing|snowboarding|snowsports/i, 'DistanceDownhillSnowSports'],
  [/paddle/i, 'DistancePaddleSports'],
  [/rowing/i, 'DistanceRowing'],
  [/skating/i, 'DistanceSkatingSports'],
]

/** Returns the distance of the sport; the sum of all for a workout of several sports. */
function distanceOf(attributes: TextMap, byType: ReadonlyMap<string, TextMap>): number | null {
  const distances = [...byType].filter(([type]) => type.startsWith('Distance'))
  const activity = attributes.get('workoutActivityType') ?? ''
  const meters = distances.flatMap(([, entry]) => sumOf(METERS, entry) ?? [])
  if (meters.length === 0) return null
  if (/SwimBikeRun/.test(activity)) return meters.reduce((sum, value) => sum + value, 0)
  const [, own] = DISTANCES.find(([pattern]) => pattern.test(activity.replace(ACTIVITY, ''))) ?? []
  return sumOf(METERS, byType.get(own ?? 'DistanceWalkingRunning')) ?? Math.max(...meters)
}

function toRaw({ attributes, metadata, statistics, events, routes }: HealthWorkout): unknown {
  const plain = (entries: TextMap) => Object.fromEntries(entries)
  return {
    ...plain(attributes),
    metadata: plain(metadata),
    statistics: statistics.map(plain),
    events: events.map(plain),
    routes,
  }
}

const PAUSES = /^HKWorkoutEventType(Motion)?Paused?$/
const RESUMES = /^HKWorkoutEventType(Motion)?Resumed?$/

/**
 * Returns the milliseconds of a workout without pauses, by its events. Manual and automatic pauses
 * may overlap; a pause without an end lasts to the end of the workout.
 */
function activeMilliseconds(events: readonly TextMap[], from: number, to: number): number {
  const turns = events
    .flatMap((event) => {
      const at = parseAppleDate(event.get('date') ?? '')?.epochMilliseconds
      const type = event.get('type') ?? ''
      const isPause = PAUSES.test(type)
      if (at === undefined || !(isPause || RESUMES.test(type))) return []
      const byMotion = type.includes('Motion')
      return [{ at: Math.min(Math.max(at, from), to), isPause, byMotion }]
    })
    .sort((a, b) => a.at - b.at)
  const paused = { byMotion: false, byPerson: false }
  let active = 0
  let since = from
  for (const { at, isPause, byMotion } of turns) {
    if (!paused.byMotion && !paused.byPerson) active += at - since
    since = at
    paused[byMotion ? 'byMotion' : 'byPerson'] = isPause
  }
  return paused.byMotion || paused.byPerson ? active : active + to - since
}

import {
  maximumRateAt,
  measureHeartRates,
  type NewSummary,
  newSummary,
  type Reading,
  toSport,
  type WorkoutStream,
} from '../../../../summaries/index.ts'
import { instantName } from '../apple-dates.ts'
import { elevationOf, encodeLine, type RouteLine } from '../routes/route-line.ts'
import type { WorkoutElement } from './workout-element.ts'

/** Data of a workout outside its element. */
interface WorkoutContext {
  /** In order of time, within the workout. */
  heartRates: readonly Reading[]
  /** Steps within the workout, counting each instant once; null when none were counted. */
  steps: number | null
  route: RouteLine | undefined
  birthDate: string | null
  /** Time of writing, or null. */
  modifiedAt: number | null
}

/**
 * Returns the summary of a workout. Values of its element precede computed ones, records its
 * statistics.
 */
export function toWorkoutSummary(
  element: WorkoutElement,
  context: WorkoutContext,
): NewSummary<'workouts'> {
  const { startedAt, endedAt, activity, sourceType, appId, deviceModel } = element
  const { timezoneOffset, timeZone, raw } = element
  const sport = toSport(activity)
  return newSummary(
    'workouts',
    {
      recordId: `${instantName(startedAt)} ${activity}`,
      sourceType,
      appId,
      deviceModel,
      startedAt,
      endedAt,
      timezoneOffset,
      timeZone,
      modifiedAt: context.modifiedAt,
      raw,
    },
    {
      title: element.title,
      sport_name: sport.name,
      sport_slug: sport.slug,
      duration_active_second: element.activeSeconds,
      calories: element.calories,
      power_mean: element.powerMean,
      power_maximum: element.powerMaximum,
      steps: element.steps ?? context.steps,
      ...heartRateValues(element, context),
      ...movementValues(element, context.route),
    },
  )
}

function heartRateValues(
  { heartRate, ...session }: WorkoutElement,
  { heartRates, birthDate }: WorkoutContext,
): Partial<NewSummary<'workouts'>['values']> {
  if (heartRates.length > 0) {
    return measureHeartRates(heartRates, session, maximumRateAt(birthDate, session.startedAt))
  }
  const whole = (value: number | null) => value && Math.round(value)
  return {
    heart_rate_mean: whole(heartRate.mean),
    heart_rate_minimum: whole(heartRate.minimum),
    heart_rate_maximum: whole(heartRate.maximum),
  }
}

function movementValues(
  element: WorkoutElement,
  route: RouteLine | undefined,
): Partial<NewSummary<'workouts'>['values']> {
  const meters = element.distanceMeter ?? route?.distance.at(-1) ?? null
  const { activeSeconds } = element
  const mean = meters !== null && meters > 0 && activeSeconds > 0 ? meters / activeSeconds : null
  const values = {
    distance_meter: meters,
    elevation_gain_meter: element.elevationGainMeter,
    speed_mean: element.speedMean ?? mean,
    speed_maximum: element.speedMaximum,
  }
  if (route === undefined) return values
  const elevation = elevationOf(route)
  const line = encodeLine(route)
  const speeds = route.speed.filter((speed) => speed !== null)
  const fastest = speeds.length === 0 ? null : speeds.reduce((most, speed) => Math.max(most, speed))
  return {
    ...values,
    elevation_gain_meter: values.elevation_gain_meter ?? elevation?.gain ?? null,
    elevation_maximum_meter: elevation?.maximum ?? null,
    elevation_minimum_meter: elevation?.minimum ?? null,
    speed_maximum: values.speed_maximum ?? fastest,
    map_polyline: line.polyline,
    map_summary_polyline: line.summaryPolyline,
  }
}

/**
 * Returns the stream of a workout: every second with a point of the route or a heart rate.
 * Undefined where there is neither.
 */
export function toWorkoutStream(
  heartRates: readonly Reading[],
  route: RouteLine | undefined,
): WorkoutStream | undefined {
  const rates = new Map(
    heartRates.map(({ startedAt, value }) => [Math.floor(startedAt / 1000), value]),
  )
  const indexes = new Map(route?.time.map((second, index) => [second, index]))
  const time = [...new Set([...rates.keys(), ...indexes.keys()])].sort((a, b) => a - b)
  if (time.length === 0) return undefined
  const heartrate = rates.size > 0 && { heartrate: time.map((at) => rates.get(at) ?? null) }
  if (route === undefined) return { time, ...heartrate }
  const at = (column: readonly (number | null)[]) =>
    time.map((second) => {
      const index = indexes.get(second)
      return index === undefined ? null : (column[index] ?? null)
    })
  const has = (column: readonly (number | null)[]) => column.some((value) => value !== null)
  return {
    time,
    lat: at(route.latitude),
    lng: at(route.longitude),
    distance: at(route.distance),
    ...(has(route.altitude) && { altitude: at(route.altitude) }),
    ...(has(route.speed) && { velocity_smooth: at(route.speed) }),
    ...heartrate,
  }
}

import type { Calendar } from '../people/days.ts'
import { type Activity, POINT_MS, recordingOf, wattsOf } from './activities.ts'

const POINTS_A_MINUTE = 60_000 / POINT_MS

/** Returns the streams of an activity by type; undefined for a manual entry, which has none. */
export function streamsOf(
  calendar: Calendar,
  { exercise, isManual }: Activity,
  keys: ReadonlySet<string>,
): Record<string, object> | undefined {
  if (isManual) return undefined
  const { minutes, beats, isOutside, isCycling } = recordingOf(calendar, exercise)
  const points = minutes.flatMap((minute) => Array.from({ length: POINTS_A_MINUTE }, () => minute))
  let distance = 0
  const distances = points.map(({ meters }) => {
    distance += meters / POINTS_A_MINUTE
    return Number(distance.toFixed(1))
  })
  const onFoot = exercise.sport.stepsAMinute > 50
  const data: Record<string, readonly unknown[] | undefined> = {
    time: points.map((_point, index) => (index * POINT_MS) / 1000),
    distance: distances,
    latlng: isOutside ? distances.map((meters) => [47.1 + meters / 111_000, 8.5]) : undefined,
    altitude: isOutside ? distances.map((meters) => 430 + (meters % 100) / 10) : undefined,
    velocity_smooth: points.map(({ meters }) => Number((meters / 60).toFixed(3))),
    heartrate: beats,
    // Turns of the pedals, or steps of one leg.
    cadence: isCycling
      ? points.map(() => 84)
      : onFoot
        ? points.map(({ steps }) => Math.round(steps / 2))
        : undefined,
    watts: isCycling ? points.map(({ met }) => wattsOf(met)) : undefined,
    temp: isCycling ? points.map(() => 18) : undefined,
    moving: points.map(() => true),
  }
  const wanted = Object.entries(data).filter(
    ([type, values]) => values !== undefined && (keys.has(type) || type === 'distance'),
  )
  return Object.fromEntries(
    wanted.map(([type, values]) => [
      type,
      { data: values, series_type: 'distance', original_size: points.length, resolution: 'high' },
    ]),
  )
}

import type { components } from '../../../api/openapi.generated.d.ts'
import { formatDistance, formatSpeed, type ShownUnits } from '../../../components/units.ts'
import { formatDuration } from '../local-time.ts'

export type Workout = components['schemas']['MergedWorkout']

/** Returns the duration in seconds, pauses included. */
export const secondsOf = ({ time_start: start, time_end: end }: Workout): number =>
  (Date.parse(end) - Date.parse(start)) / 1000

type Fact = [title: string, value: number | null, format: (value: number) => string]

const bpm = (value: number): string => `${value} bpm`
const watts = (value: number): string => `${Math.round(value)} W`
const meters = (value: number): string => `${Math.round(value)} m`

/** Returns the facts of a workout, in words and units. */
export function factsOf(workout: Workout, units: ShownUnits): [title: string, value: string][] {
  const distance = (value: number): string => formatDistance(value, units)
  const speed = (value: number): string => formatSpeed(value, units)
  const facts: Fact[] = [
    ['Duration', secondsOf(workout), formatDuration],
    ['Moving', workout.moving_time, formatDuration],
    ['Distance', workout.distance, distance],
    ['Energy', workout.calories, (value) => `${Math.round(value)} kcal`],
    ['Mean heart rate', workout.average_hr, bpm],
    ['Highest heart rate', workout.max_hr, bpm],
    ['Mean speed', workout.average_speed, speed],
    ['Highest speed', workout.max_speed, speed],
    ['Ascent', workout.total_elevation_gain, meters],
    ['Mean power', workout.average_watts, watts],
    ['Highest power', workout.max_watts, watts],
    ['Steps', workout.steps, (value) => value.toLocaleString('en')],
  ]
  return facts.flatMap(([title, value, format]) => (value === null ? [] : [[title, format(value)]]))
}

import { convertToCanonical, type SeriesName, series as seriesOf } from '@salus/contracts/series'
import { recordingOf, type WorkoutPoint } from '../../../connectors/index.ts'
import { isFields } from '../../../summaries/index.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import { readPhoneDate } from './auto-export-dates.ts'
import { ALL_DEVICES, type PointSettings } from './metric-points.ts'
import { labelOf } from './metric-types.registry.ts'

type Fields = Record<string, unknown>

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

/** Reads `{qty, units}`, or a list of them, which is added up, in the unit of a series. */
function amountOf(value: unknown, series: SeriesName): number | null {
  if (Array.isArray(value)) {
    const parts = value.map((part) => amountOf(part, series))
    const known = parts.filter((part) => part !== null)
    return known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0)
  }
  if (!isFields(value)) return null
  const quantity = numberOf(value.qty)
  if (quantity === null) return null
  return convertToCanonical(seriesOf(series).units, labelOf(value.units), quantity) ?? null
}

/** A rate is a number, `{qty, units}`, or a field of an object of several. */
const rateOf = (value: unknown): number | null => {
  const rate = numberOf(isFields(value) ? value.qty : value)
  return rate !== null && rate >= 10 && rate <= 350 ? Math.round(rate) : null
}

/** Adds a workout of version 1 or 2 of the app's exports. */
export function addWorkout(out: ImportWriter, workout: unknown, settings: PointSettings): void {
  const data = out.type('workouts', 'workouts')
  data.count()
  if (!isFields(workout)) {
    data.quarantine('workouts', 'not_an_object', null)
    return
  }
  const { name, id } = workout
  const [start, end] = [readPhoneDate(workout.start), readPhoneDate(workout.end)]
  const raw = {
    name: typeof name === 'string' ? name : null,
    start: workout.start,
    end: workout.end,
  }
  if (start === undefined || !isPossibleTime(start.at, settings.now)) {
    data.quarantine('workouts', 'invalid_start_date', raw)
    return
  }
  if (end === undefined || !isPossibleTime(end.at, settings.now)) {
    data.quarantine('workouts', 'invalid_end_date', raw)
    return
  }
  const recording = recordingOf(data, [...routePoints(workout.route), ...ratePoints(workout)])
  const sport = typeof name === 'string' ? name : ''
  const { modifiedAt } = settings
  const added = data.addWorkout({
    ...ALL_DEVICES,
    recordId: typeof id === 'string' && id !== '' ? id : `${start.at / 1000} ${sport}`,
    start: { at: start.at, offset: start.offset },
    end: { at: end.at, offset: end.offset },
    sport: sport.replace(/^(indoor|outdoor) /i, ''),
    values: { ...valuesOf(workout), ...recording?.route },
    heartRates: recording?.heartRates ?? [],
    raw,
    ...(modifiedAt !== undefined && { modifiedAt }),
  })
  if (added !== undefined && recording !== undefined) data.addStream(added.id, recording.stream)
}

function valuesOf(workout: Fields) {
  const { heartRate, elevation } = workout
  const rates = isFields(heartRate) ? heartRate : {}
  const climb = isFields(elevation)
    ? { qty: elevation.ascent, units: elevation.units }
    : workout.elevationUp
  // `activeEnergy` is a list of amounts in version 2.
  const energy = amountOf(workout.activeEnergyBurned, 'calories_active')
  return {
    distance_meter: amountOf(workout.distance, 'distance'),
    calories: energy ?? amountOf(workout.activeEnergy, 'calories_active'),
    steps: roundOf(amountOf(workout.stepCount, 'steps')),
    elevation_gain_meter: amountOf(climb, 'distance'),
    heart_rate_mean: rateOf(rates.avg ?? workout.avgHeartRate),
    heart_rate_minimum: rateOf(rates.min),
    heart_rate_maximum: rateOf(rates.max ?? workout.maxHeartRate),
    duration_active_second: durationOf(workout.duration),
  }
}

const roundOf = (value: number | null): number | null => (value === null ? null : Math.round(value))

/** Seconds. */
function durationOf(duration: unknown): number | null {
  return roundOf(numberOf(duration))
}

function routePoints(route: unknown): WorkoutPoint[] {
  return listOf(route).flatMap((point) => {
    const at = readPhoneDate(point.timestamp)?.at
    if (at === undefined) return []
    const values = {
      lat: point.latitude ?? point.lat,
      lng: point.longitude ?? point.lon,
      altitude: point.altitude,
    }
    return [{ second: Math.floor(at / 1000), values }]
  })
}

function ratePoints(workout: Fields): WorkoutPoint[] {
  return listOf(workout.heartRateData).flatMap((point) => {
    const at = readPhoneDate(point.date)?.at
    const heartrate = numberOf(point.qty ?? point.Avg ?? point.avg)
    if (at === undefined || heartrate === null) return []
    return [{ second: Math.floor(at / 1000), values: { heartrate } }]
  })
}

import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields } from '../vendor-records.ts'
import { detailsOf, type Fields, isComplete, workoutsOf } from './peloton-pages.ts'
import { hasRoute, recordingOfSeries, totalsOf } from './peloton-series.ts'

/** Disciplines by the table of sports: on a machine, and outdoors where there is another. */
const SPORTS: Readonly<Record<string, readonly [indoors: string, outdoors?: string]>> = {
  cycling: ['stationary_biking', 'cycling'],
  running: ['treadmill_running', 'running'],
  walking: ['indoor_walking', 'walking'],
  caesar: ['rowing_machine', 'rowing'],
  rowing: ['rowing_machine', 'rowing'],
  bike_bootcamp: ['boot_camp'],
  caesar_bootcamp: ['boot_camp'],
  row_bootcamp: ['boot_camp'],
  tread_bootcamp: ['boot_camp'],
  circuit: ['boot_camp'],
  strength: ['strength_training'],
  stretching: ['stretching'],
  yoga: ['yoga'],
  meditation: ['meditation'],
  cardio: ['mixed_cardio'],
}
const MACHINES: ReadonlySet<string> = new Set([
  'cycling',
  'running',
  'walking',
  'caesar',
  'rowing',
  'bike_bootcamp',
  'caesar_bootcamp',
  'row_bootcamp',
  'tread_bootcamp',
  'circuit',
])

/** Maps workouts with their series, as far as the vendor has one. */
export function mapWorkouts(
  answer: unknown,
  data: PageData,
  details: readonly unknown[],
  request: Pick<PageRequest, 'range'>,
): void {
  const wanted = details.length === 0 ? [] : detailsOf(answer, request)
  const series = new Map(wanted.map(({ id }, index) => [id, details[index]]))
  for (const record of workoutsOf(answer)) {
    if (data.read('workouts', record) === undefined || !isFields(record)) continue
    const { id } = record
    if (!isComplete(record)) continue
    if (typeof id !== 'string' || id === '') data.quarantine('workouts', 'invalid_field', record)
    else addWorkout(data, id, record, series.get(id))
  }
}

function addWorkout(data: PageData, id: string, record: Fields, series: unknown): void {
  const { timezone, fitness_discipline: discipline } = record
  // Not every workout outdoors is marked as one.
  const isOutdoor = record.is_outdoor === true || hasRoute(series)
  const zone = typeof timezone === 'string' ? timezone : ''
  const seconds = { unit: 's', offset: null } as const
  const start = data.epochInstant('workouts', record.start_time, seconds, record)
  const end =
    start && data.epochInstant('workouts', record.end_time, seconds, record, 'invalid_end_date')
  const totals = totalsOf(series)
  const reader = data.read('workouts', totals)
  if (start === undefined || end === undefined || reader === undefined) return
  const values = {
    title: titleOf(record),
    calories: reader.measured('calories', 1e6),
    distance_meter: reader.measured('distance_meter', 1e8),
    elevation_gain_meter: reader.number('elevation_gain_meter', 0, 1e6),
    heart_rate_mean: reader.heartRate('heart_rate_mean'),
    heart_rate_maximum: reader.heartRate('heart_rate_maximum'),
    power_mean: reader.measured('power_mean', 20_000),
    power_maximum: reader.measured('power_maximum', 20_000),
    speed_mean: reader.measured('speed_mean', 500),
    speed_maximum: reader.measured('speed_maximum', 500),
  }
  if (!data.isValid('workouts', reader, record)) return
  // Zones with fixed offsets, such as Etc/GMT+5 for five hours before UTC, name no place.
  const offset = zoneOffsetSeconds(zone, start.at)
  const isNamed = offset !== null && !zone.startsWith('Etc/')
  const recording = recordingOfSeries(data, series, start.at)
  const [indoors = 'other', outdoors = indoors] = SPORTS[String(discipline)] ?? []
  const isMachine = !isOutdoor && MACHINES.has(String(discipline))
  const added = data.addWorkout({
    recordId: id,
    start: { at: start.at, offset },
    end: { at: end.at, offset },
    ...(isNamed && { timeZone: zone }),
    sourceType: isMachine ? 'exercise_machine' : 'unknown',
    sport: isOutdoor ? outdoors : indoors,
    values: {
      ...values,
      power_source: values.power_mean === null ? null : 'device',
      ...recording?.route,
    },
    heartRates: recording?.heartRates ?? [],
    raw: withoutPerson(record),
  })
  if (added !== undefined && recording) data.addStream(added.id, recording.stream)
}

/** The title of a class; a workout without one is of the person alone. */
function titleOf({ ride, title }: Fields): string | null {
  const said = isFields(ride) ? ride.title : title
  return typeof said === 'string' && said !== '' ? said.toWellFormed() : null
}

/** A class has pages about its teacher, pictures and songs, which say nothing of the person. */
function withoutPerson({ ride, peloton: _class, user: _user, ...record }: Fields): Fields {
  if (!isFields(ride)) return record
  const { id, title, duration } = ride
  return { ...record, ride: { id, title, duration } }
}

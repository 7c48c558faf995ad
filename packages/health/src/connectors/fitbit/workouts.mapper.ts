import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { dateAtOffset, parseInstant } from '@salus/kernel/time/instants'
import type { DetailRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields, type SourceType, type VendorInstant } from '../vendor-records.ts'
import { type Fields, idOf, listOf, PERSON } from './fitbit-pages.ts'

const METERS: Readonly<Record<string, number>> = { Kilometer: 1000, Mile: 1609.344 }
const SOURCES: Readonly<Record<string, SourceType>> = {
  tracker: 'watch',
  auto_detected: 'watch',
  mobile_run: 'phone',
  manual: 'app',
}
/** Of two records of one workout the first kind here is stored. */
const RANKS = ['tracker', 'auto_detected', 'mobile_run']
/** Channels of a stream, with the intraday data that they are made of. */
const CHANNELS = [
  ['heart', '1sec'],
  ['distance', '1min'],
  ['steps', '1min'],
] as const

interface Workout {
  record: Fields
  id: string
  start: VendorInstant
  end: VendorInstant
  /** Place of its kind of record in RANKS. */
  rank: number
}

/** Returns the workouts of a page whose times are known. */
function workoutsOf(answer: unknown): Workout[] {
  const found = listOf(answer, 'activities').filter(isFields)
  return found.flatMap((record) => {
    const { startTime, duration } = record
    const from = typeof startTime === 'string' ? parseInstant(startTime) : undefined
    if (from === undefined || typeof duration !== 'number' || !(duration >= 0)) return []
    const start = { at: from.epochMilliseconds, offset: from.offsetSeconds }
    const end = { ...start, at: start.at + duration }
    const id = idOf(record.logId) || String(startTime)
    return [{ record, id, start, end, rank: rankOf(record) }]
  })
}

const rankOf = (record: Fields): number => {
  const rank = RANKS.indexOf(String(record.logType))
  return rank < 0 ? RANKS.length : rank
}

/**
 * Whether another record of the page is a better one of the same workout, because a phone and a
 * tracker both recorded it. Entries by hand always count.
 */
function isRepeated(workout: Workout, all: readonly Workout[]): boolean {
  if (workout.rank === RANKS.length) return false
  return all.some((other) => {
    if (other.rank >= workout.rank || other.record.activityName !== workout.record.activityName)
      return false
    const [from, to] = [
      Math.max(other.start.at, workout.start.at),
      Math.min(other.end.at, workout.end.at),
    ]
    return to - from > (workout.end.at - workout.start.at) / 2
  })
}

/** Requests what was measured during each workout, in its local time. */
export function streamDetails(answer: unknown): DetailRequest[] {
  return streamedOf(answer).flatMap(({ start, end }) => {
    const local = ({ at }: VendorInstant) => new Date(at + (start.offset ?? 0) * 1000).toISOString()
    const days = [start.at, end.at].map((at) => dateAtOffset(at, start.offset ?? 0)).join('/')
    const times = [local(start), local({ ...end, at: end.at + MINUTE_MS })].map((text) =>
      text.slice(11, 16),
    )
    return CHANNELS.map(([name, detail]) => ({
      path: `${PERSON}/activities/${name}/date/${days}/${detail}/time/${times.join('/')}.json`,
      isOptional: true as const,
    }))
  })
}

/** Nothing was measured during a workout that was entered by hand. */
function streamedOf(answer: unknown): Workout[] {
  const all = workoutsOf(answer)
  return all.filter((workout) => {
    const length = workout.end.at - workout.start.at
    const isMeasured = workout.record.logType !== 'manual' && length > 0 && length < DAY_MS
    return isMeasured && !isRepeated(workout, all)
  })
}

/** Maps activity logs, with their streams. */
export function mapWorkouts(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const all = workoutsOf(answer)
  const streamed = details.length === 0 ? [] : streamedOf(answer).map(({ id }) => id)
  const workoutOf = new Map(all.map((workout) => [workout.record, workout]))
  for (const record of listOf(answer, 'activities')) {
    if (data.read('workouts', record) === undefined || !isFields(record)) continue
    const start = data.instant('workouts', record.startTime, record)
    const workout = workoutOf.get(record)
    if (start === undefined) continue
    if (workout === undefined) data.quarantine('workouts', 'invalid_end_date', record)
    else if (!isRepeated(workout, all)) {
      const added = addWorkout(data, workout)
      const index = streamed.indexOf(workout.id) * CHANNELS.length
      if (added === undefined || index < 0) continue
      addStream(data, added.id, workout, details.slice(index, index + CHANNELS.length))
    }
  }
}

function addWorkout(data: PageData, { record, id, start, end }: Workout) {
  const reader = data.read('workouts', record)
  if (reader === undefined) return undefined
  const { source, logType, activityName, distanceUnit, lastModified } = record
  const device = isFields(source) && typeof source.name === 'string' ? source.name : ''
  const active = reader.number('activeDuration')
  const distance = reader.number('distance')
  const speed = reader.number('speed')
  const meters = METERS[String(distanceUnit ?? 'Kilometer')]
  const values = {
    title: typeof activityName === 'string' ? activityName.toWellFormed() : null,
    duration_active_second: active === null ? null : Math.round(active / 1000),
    calories: reader.number('calories'),
    distance_meter: distance === null || meters === undefined ? null : distance * meters,
    elevation_gain_meter: reader.number('elevationGain'),
    speed_mean: speed === null || meters === undefined ? null : (speed * meters) / 3600,
    heart_rate_mean: reader.heartRate('averageHeartRate'),
    steps: reader.integer('steps'),
  }
  if (!data.isValid('workouts', reader, record)) return undefined
  const changedAt = typeof lastModified === 'string' ? parseInstant(lastModified) : undefined
  return data.addWorkout({
    recordId: id,
    start,
    end,
    sourceType: SOURCES[String(logType)] ?? 'unknown',
    deviceModel: device,
    sport: typeof activityName === 'string' ? activityName : '',
    ...(changedAt && { modifiedAt: changedAt.epochMilliseconds }),
    values,
    raw: record,
  })
}

type Point = Partial<Record<'heartrate' | 'distance' | 'cadence', number>>

/** Adds the points of a workout, where there are any. */
function addStream(
  data: PageData,
  workoutId: string,
  workout: Workout,
  details: readonly unknown[],
): void {
  const points = new Map<number, Point>()
  let meters = 0
  for (const [index, [name]] of CHANNELS.entries()) {
    for (const { at, value } of rowsOf(details[index], name, workout)) {
      const point = points.get(at) ?? {}
      points.set(at, point)
      meters += name === 'distance' ? value * 1000 : 0
      if (name === 'heart') point.heartrate = Math.round(value)
      else if (name === 'steps') point.cadence = value
      else point.distance = meters
    }
  }
  if (points.size === 0) return
  const sorted = [...points].sort(([a], [b]) => a - b)
  const channels = (['heartrate', 'distance', 'cadence'] as const).map((name) => {
    const values = sorted.map(([, point]) => point[name] ?? null)
    return [name, values.some((value) => value !== null) ? values : []]
  })
  const time = sorted.map(([at]) => Math.floor(at / 1000))
  data.addStream(workoutId, { time, ...Object.fromEntries(channels) })
}

/** Returns the values within a workout; a row has a local time, which passes midnight once. */
function rowsOf(answer: unknown, name: string, { start, end }: Workout) {
  const rows = isFields(answer) ? answer[`activities-${name}-intraday`] : undefined
  const dataset = isFields(rows) && Array.isArray(rows.dataset) ? rows.dataset.filter(isFields) : []
  const offset = start.offset ?? 0
  const day = dateAtOffset(start.at, offset)
  return dataset.flatMap(({ time, value }) => {
    const local = typeof time === 'string' ? parseInstant(`${day}T${time}`) : undefined
    if (local === undefined || typeof value !== 'number' || !(value >= 0)) return []
    const at = local.epochMilliseconds - offset * 1000
    const dated = at <= start.at - MINUTE_MS ? at + DAY_MS : at
    return dated < end.at ? [{ at: Math.max(dated, start.at), value }] : []
  })
}

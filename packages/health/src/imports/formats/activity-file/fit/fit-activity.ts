import { getFitGarminProductDisplayName } from 'fit-file-parser'
import { type PageData, pointsOfRecords, type SourceType } from '../../../../connectors/index.ts'
import type { RecordedActivity } from '../recorded-activity.ts'
import type { FitFile } from './fit-file.ts'
import { isOnFoot, sportOf } from './fit-sports.ts'
import { at, offsetOf, pick, timeOf } from './fit-values.ts'

type Fields = Record<string, unknown>

/** Above TCX and GPX, which are made of FIT files. */
const DETAIL = 2
const MOST_SECONDS = 31 * 86_400
/** Computers of bicycles and handhelds, which are not worn. */
const NOT_WORN = /\b(?:edge|index|tacx|rally|gpsmap|etrex|montana|oregon)\b/i

const KEPT = [
  'sport',
  'sub_sport',
  'start_time',
  'timestamp',
  'total_elapsed_time',
  'total_timer_time',
  'total_distance',
  'total_calories',
  'total_ascent',
  'total_cycles',
  'avg_heart_rate',
  'max_heart_rate',
  'avg_speed',
  'max_speed',
  'enhanced_avg_speed',
  'enhanced_max_speed',
  'avg_power',
  'max_power',
  'normalized_power',
]

/** Returns the workouts of a FIT file of an activity: one for each session. */
export function activitiesOf(data: PageData, file: FitFile): RecordedActivity[] {
  const sessions = file.all('session')
  const records = file.all('record')
  const offset = offsetOf(file.all('activity')[0])
  const own = developerNames(file)
  const device = deviceOf(file)
  const found = (sessions.length === 0 ? sessionOfRecords(file, records) : sessions).flatMap(
    (session) => {
      const times = timesOf(data, session, sessions.length > 1 ? [] : records)
      const values = times && valuesOf(data, session)
      return times === undefined || values === undefined ? [] : [{ session, times, values }]
    },
  )
  // Some devices write the sessions in another order.
  const ordered = found.toSorted((a, b) => a.times.from - b.times.from)
  return ordered.map(({ session, times, values }, index) => {
    const next = ordered[index + 1]?.times.from ?? Number.POSITIVE_INFINITY
    const isOwn = (record: Fields) => {
      const time = timeOf(record.timestamp) ?? 0
      return time >= times.from && time < next
    }
    const points = ordered.length === 1 ? records : records.filter(isOwn)
    return {
      start: at(times.from, offset),
      end: at(times.to, offset),
      sport: sportOf(session.sport, session.sub_sport),
      values,
      points: pointsOfRecords(points, isOnFoot(session.sport) ? 2 : 1, own),
      ...device,
      raw: pick(session, KEPT),
      detail: DETAIL,
    }
  })
}

/** Names of developers hide fields of the profile, and may have other units. */
const developerNames = (file: FitFile): ReadonlySet<string> =>
  new Set(
    file.all('field_description').flatMap(({ field_name: name }) => [name].flat().map(String)),
  )

function deviceOf(file: FitFile): { sourceType: SourceType; deviceModel: string } {
  const { manufacturer, product, product_name: name } = file.all('file_id')[0] ?? {}
  const ofGarmin =
    manufacturer === 'garmin' && typeof product === 'number'
      ? getFitGarminProductDisplayName(product)
      : null
  const deviceModel = typeof name === 'string' && name !== '' ? name : (ofGarmin ?? '')
  const isWorn = manufacturer === 'garmin' && ofGarmin && !NOT_WORN.test(ofGarmin)
  return { sourceType: isWorn ? 'watch' : 'unknown', deviceModel }
}

/** A device that stopped at once has written no session. */
function sessionOfRecords(file: FitFile, records: readonly Fields[]): Fields[] {
  const times = records.flatMap(({ timestamp }) => timeOf(timestamp) ?? [])
  if (times.length === 0) return []
  const first = times.reduce((a, b) => Math.min(a, b))
  const last = times.reduce((a, b) => Math.max(a, b))
  const { sport, sub_sport } = file.all('sport')[0] ?? file.all('lap')[0] ?? {}
  const start = { start_time: new Date(first), total_elapsed_time: (last - first) / 1000 }
  return [
    {
      ...start,
      ...(sport !== undefined && { sport }),
      ...(sub_sport !== undefined && { sub_sport }),
    },
  ]
}

/**
 * Returns start and end of a session in epoch milliseconds.
 * @param records Those of the session, where it has the file for itself.
 */
function timesOf(
  data: PageData,
  session: Fields,
  records: readonly Fields[],
): { from: number; to: number } | undefined {
  const from = timeOf(session.start_time)
  if (from === undefined) {
    data.quarantine('workouts', 'invalid_start_date', pick(session, KEPT))
    return undefined
  }
  const { total_elapsed_time: elapsed, total_timer_time: timer } = session
  const seconds = [elapsed, timer].find(
    (value): value is number => typeof value === 'number' && value > 0 && value <= MOST_SECONDS,
  )
  // Some devices write the start also as the time of the session.
  const last =
    [session, records.at(-1)]
      .map((message) => timeOf(message?.timestamp) ?? from)
      .find((time) => time > from && time <= from + MOST_SECONDS * 1000) ?? from
  return { from, to: Math.max(from, seconds === undefined ? last : from + seconds * 1000) }
}

function valuesOf(data: PageData, session: Fields): RecordedActivity['values'] | undefined {
  const known = pick(session, KEPT)
  const reader = data.read('workouts', known)
  if (reader === undefined) return undefined
  const cycles = isOnFoot(session.sport) ? reader.measured('total_cycles', 1e7) : null
  const values = {
    duration_active_second: reader.integer('total_timer_time', 0, MOST_SECONDS),
    distance_meter: reader.measured('total_distance', 1e8),
    // 0 stands for none.
    calories: reader.measured('total_calories', 1e6),
    elevation_gain_meter: reader.number('total_ascent', 0, 1e6),
    heart_rate_mean: reader.heartRate('avg_heart_rate'),
    heart_rate_maximum: reader.heartRate('max_heart_rate'),
    speed_mean: reader.measured('enhanced_avg_speed', 500) ?? reader.measured('avg_speed', 500),
    speed_maximum: reader.measured('enhanced_max_speed', 500) ?? reader.measured('max_speed', 500),
    power_mean: reader.measured('avg_power', 20_000),
    power_maximum: reader.measured('max_power', 20_000),
    power_weighted_mean: reader.measured('normalized_power', 20_000),
    // A cycle on foot is a stride, of two steps.
    steps: cycles === null ? null : Math.round(cycles * 2),
  }
  return data.isValid('workouts', reader, known) ? values : undefined
}

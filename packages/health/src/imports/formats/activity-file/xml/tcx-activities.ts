import type { PageData } from '../../../../connectors/index.ts'
import type { ImportFile } from '../../../files/import-files.ts'
import { providerOfMaker } from '../makers.ts'
import type { RecordedActivity } from '../recorded-activity.ts'
import { readTcx, type TcxActivity } from './tcx.ts'

/** Below FIT, which has more, and above GPX, which has no totals. */
const DETAIL = 1
const SPORTS: Readonly<Record<string, string>> = { biking: 'cycling' }
const MOST_SECONDS = 31 * 86_400

/**
 * Returns the workouts of a Training Center file. @throws ImportFileError `malformed_xml`
 */
export async function activitiesOfTcx(
  data: PageData,
  file: ImportFile,
): Promise<RecordedActivity[]> {
  const { activities } = await readTcx(file)
  return activities.flatMap((activity) => toActivity(data, activity) ?? [])
}

/** Returns the provider of a Training Center file. */
export async function providerOfTcx(file: ImportFile): Promise<string> {
  const { activities, author } = await readTcx(file)
  const names = [...activities.map(({ creator }) => creator), author]
  return names.map(providerOfMaker).find((slug) => slug !== 'manual') ?? 'manual'
}

function toActivity(data: PageData, activity: TcxActivity): RecordedActivity | undefined {
  const { points, laps, sport } = activity
  const first = activity.start ?? laps[0]?.start
  const firstPoint = points[0]?.second
  const start =
    first ?? (firstPoint === undefined ? undefined : { at: firstPoint * 1000, offset: null })
  const totals = totalsOf(laps)
  const raw = {
    sport,
    start: start && new Date(start.at).toISOString(),
    laps: laps.length,
    ...totals,
  }
  if (start === undefined) {
    data.quarantine('workouts', 'invalid_start_date', raw)
    return undefined
  }
  const reader = data.read('workouts', totals)
  if (reader === undefined) return undefined
  const values = {
    duration_active_second: reader.integer('seconds', 0, MOST_SECONDS),
    distance_meter: reader.measured('meters', 1e8),
    calories: reader.measured('calories', 1e6),
    heart_rate_maximum: reader.heartRate('maximumRate'),
    speed_maximum: reader.measured('maximumSpeed', 500),
    // The mean of the points is computed, where they have rates.
    heart_rate_mean: hasRates(activity) ? null : reader.heartRate('meanRate'),
  }
  if (!data.isValid('workouts', reader, raw)) return undefined
  const kind = sport.toLowerCase()
  return {
    start,
    end: { at: endOf(start.at, activity), offset: start.offset },
    sport: SPORTS[kind] ?? kind,
    values,
    points,
    sourceType: 'unknown',
    deviceModel: '',
    raw,
    detail: DETAIL,
  }
}

const hasRates = ({ points }: TcxActivity): boolean =>
  points.some(({ values }) => values.heartrate !== undefined)

function totalsOf(laps: TcxActivity['laps']): Record<string, number> {
  const sum = (name: 'seconds' | 'meters' | 'calories') => {
    const known = laps.flatMap((lap) => lap[name] ?? [])
    return known.length === 0 ? [] : [[name, known.reduce((a, b) => a + b, 0)] as const]
  }
  const most = (name: 'maximumRate' | 'maximumSpeed') => {
    const known = laps.flatMap((lap) => lap[name] ?? [])
    return known.length === 0 ? [] : [[name, known.reduce((a, b) => Math.max(a, b))] as const]
  }
  const rated = laps.flatMap(({ meanRate: rate, seconds }) =>
    rate === undefined || !seconds ? [] : [{ rate, seconds }],
  )
  const time = rated.reduce((total, { seconds }) => total + seconds, 0)
  const mean = rated.reduce((total, { rate, seconds }) => total + rate * seconds, 0) / time
  return Object.fromEntries([
    ...sum('seconds'),
    ...sum('meters'),
    ...sum('calories'),
    ...most('maximumRate'),
    ...most('maximumSpeed'),
    ...(Number.isFinite(mean) ? [['meanRate', mean] as const] : []),
  ])
}

/** The end of the last point or lap: laps do not count pauses. */
function endOf(start: number, { points, laps }: TcxActivity): number {
  const ends = laps.flatMap(({ start: lap, seconds }) =>
    lap === undefined || seconds === undefined || !(seconds >= 0 && seconds <= MOST_SECONDS)
      ? []
      : [lap.at + seconds * 1000],
  )
  const last = points.reduce((latest, { second }) => Math.max(latest, second * 1000), start)
  return ends.reduce((latest, end) => Math.max(latest, end), last)
}

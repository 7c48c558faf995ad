import { DAY_MS, DAY_SECONDS } from '@salus/contracts/time-units'
import { isFields } from '../../../summaries/index.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import { readPhoneDate } from './auto-export-dates.ts'
import { type ExportItem, readItems } from './export-items.ts'
import { METRIC_TYPES } from './metric-types.registry.ts'

/** Time over which the app summed values. */
export type Aggregation = 'minutes' | 'hours' | 'days'

/** What must be known of an export before its points are read. */
export interface Survey {
  /** Names and units of the metrics, by their position. */
  readonly metrics: readonly { name: string; units: unknown }[]
  /** Undefined where the dates of the sums do not prove it. */
  readonly aggregation: Aggregation | undefined
  /**
   * When local days begin, epoch milliseconds, by their dates: a day ends where the next one
   * begins, also where it has 23 or 25 hours.
   */
  readonly midnights: ReadonlyMap<string, number>
  /** The latest time of the export, epoch milliseconds; null for an export without times. */
  readonly newest: number | null
}

const MOST_METRICS = 10_000
/** Days of two centuries. */
const MOST_DAYS = 75_000

/** What dates of sums prove. All sums of an export are over the same time. */
interface Evidence {
  dates: number
  first: number | undefined
  hasSeconds: boolean
  hasMinutes: boolean
  hasHours: boolean
  /** Shortest time between neighbors, milliseconds. */
  least: number
}

/** Reads an export for the first time. @throws ImportFileError `malformed_json` */
export async function surveyExport(file: ImportFile, now: Date): Promise<Survey> {
  const metrics: { name: string; units: unknown }[] = []
  const evidence = new Map<number, Evidence>()
  const midnights = new Map<string, number>()
  let newest: number | null = null
  const look = (item: ExportItem): void => {
    if (item.kind === 'workout' || item.kind === 'other') return
    const { kind, metric, value } = item
    if (metric >= MOST_METRICS) return
    metrics[metric] ??= { name: '', units: undefined }
    if (kind === 'name') metrics[metric].name = typeof value === 'string' ? value : ''
    else if (kind === 'units') metrics[metric].units = value
    else if (isFields(value)) {
      const isRaw = value.startDate !== undefined
      const date = readPhoneDate(isRaw ? (value.endDate ?? value.startDate) : value.date)
      if (date === undefined || !isPossibleTime(date.at, now)) return
      newest = Math.max(newest ?? 0, date.at)
      if (isRaw) return
      addEvidence(evidence, metric, date)
      const isMidnight = date.secondOfDay === 0 && midnights.size < MOST_DAYS
      if (isMidnight) midnights.set(date.day, Math.min(midnights.get(date.day) ?? date.at, date.at))
    }
  }
  for await (const items of readItems(file)) for (const item of items) look(item)
  const sums = [...evidence].flatMap(([metric, found]) => {
    const name = metrics[metric]?.name ?? ''
    const isSum = Object.hasOwn(METRIC_TYPES, name) && METRIC_TYPES[name]?.isAmount
    return isSum ? [found] : []
  })
  return { metrics, aggregation: aggregationOf(sums), midnights, newest }
}

function addEvidence(
  evidence: Map<number, Evidence>,
  metric: number,
  { at, secondOfDay }: { at: number; secondOfDay: number },
): void {
  const known = evidence.get(metric) ?? {
    ...{ dates: 0, first: undefined, least: Number.POSITIVE_INFINITY },
    ...{ hasSeconds: false, hasMinutes: false, hasHours: false },
  }
  evidence.set(metric, known)
  const gap = known.first === undefined ? 0 : Math.abs(at - known.first)
  if (gap > 0) known.least = Math.min(known.least, gap)
  known.first = at
  known.dates++
  known.hasSeconds ||= secondOfDay % 60 !== 0
  known.hasMinutes ||= secondOfDay % 3600 >= 60
  known.hasHours ||= secondOfDay % DAY_SECONDS >= 3600
}

/** A single full hour, or midnights a week apart, prove nothing. */
function aggregationOf(sums: readonly Evidence[]): Aggregation | undefined {
  if (sums.some(({ hasSeconds }) => hasSeconds)) return undefined
  if (sums.some(({ hasMinutes }) => hasMinutes)) return 'minutes'
  const least = sums.reduce((gap, sum) => Math.min(gap, sum.least), Number.POSITIVE_INFINITY)
  if (!Number.isFinite(least)) return undefined
  if (sums.some(({ hasHours }) => hasHours)) return 'hours'
  return least < 6 * DAY_MS ? 'days' : undefined
}

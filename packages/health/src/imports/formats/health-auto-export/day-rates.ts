import { startOfUtcDay } from '@salus/kernel/time/instants'
import { isFields } from '../../../summaries/index.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import { readPhoneDate } from './auto-export-dates.ts'
import { ALL_DEVICES, knownOf, type PointSettings } from './metric-points.ts'
import { DAILY_RATES, labelOf } from './metric-types.registry.ts'

type DayColumn =
  | 'heart_rate_mean'
  | 'heart_rate_minimum'
  | 'heart_rate_maximum'
  | 'heart_rate_resting'
  | 'heart_rate_mean_walking'

interface Day {
  offset: number | null
  values: Partial<Record<DayColumn, number>>
}

/** Days of two centuries. */
const MOST_DAYS = 75_000
const RATE_LABELS: ReadonlySet<string> = new Set(['count/min', 'bpm'])

/** Collects heart rates that are facts of a local day. */
export class DayRates {
  readonly #out: ImportWriter
  readonly #settings: PointSettings
  readonly #days = new Map<string, Day>()

  constructor(out: ImportWriter, settings: PointSettings) {
    this.#out = out
    this.#settings = settings
  }

  /** Whether the values of a metric are facts of a day. */
  has(name: string): boolean {
    const { aggregation } = this.#settings
    return Object.hasOwn(DAILY_RATES, name) || (name === 'heart_rate' && aggregation === 'days')
  }

  add({ name, units }: { name: string; units: unknown }, point: unknown): void {
    const data = this.#out.type(name, 'activity')
    data.count()
    const fields = isFields(point) ? point : {}
    const date = readPhoneDate(fields.startDate ?? fields.date)
    const known = { ...knownOf(fields), units: labelOf(units) }
    const daily = Object.hasOwn(DAILY_RATES, name) ? DAILY_RATES[name] : undefined
    const found: [DayColumn, unknown][] =
      daily === undefined
        ? [
            ['heart_rate_mean', fields.Avg ?? fields.avg ?? fields.qty],
            ['heart_rate_minimum', fields.Min ?? fields.min],
            ['heart_rate_maximum', fields.Max ?? fields.max],
          ]
        : [[daily, fields.qty ?? fields.Avg ?? fields.avg]]
    const given = found.filter(([, value]) => value !== undefined && value !== null)
    const isRate = (value: unknown) => typeof value === 'number' && value >= 10 && value <= 350
    if (date === undefined || !isPossibleTime(date.at, this.#settings.now)) {
      data.quarantine('activity', 'invalid_date', known)
    } else if (!RATE_LABELS.has(labelOf(units))) data.quarantine('activity', 'unknown_unit', known)
    else if (given.length === 0 || !given.every(([, value]) => isRate(value))) {
      data.quarantine('activity', 'out_of_range', known)
    } else {
      const day = this.#days.get(date.day) ?? { offset: date.offset, values: {} }
      for (const [column, value] of given) day.values[column] = value as number
      this.#days.set(date.day, day)
      data.countAsMerged()
      if (this.#days.size > MOST_DAYS) throw new ImportFileError('file_too_large')
    }
  }

  async store(): Promise<void> {
    const data = this.#out.type('days', 'activity')
    const { modifiedAt } = this.#settings
    for (const [day, { offset, values }] of this.#days) {
      data.addSummary('activity', {
        ...ALL_DEVICES,
        recordId: day,
        calendarDate: day,
        start: { at: startOfUtcDay(day) - (offset ?? 0) * 1000, offset },
        values,
        raw: { date: day, ...values },
        ...(modifiedAt !== undefined && { modifiedAt }),
      })
    }
    await this.#out.settle()
  }
}

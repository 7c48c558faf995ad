import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { CsvTable } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import { readDecimal } from '../../files/table-numbers.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { readLocalDate } from '../../running/local-dates.ts'
import { isPossibleTime } from '../../running/possible-time.ts'

/** A column of days, and whether it is a whole number. */
type DayValue = 'steps' | 'distance' | 'active' | 'passive'

/** Files of one value a day; elevations have an unknown unit. */
export const DAY_FILES: ReadonlyMap<string, DayValue | null> = new Map([
  ['aggregates_steps.csv', 'steps'],
  ['aggregates_distance.csv', 'distance'],
  ['aggregates_calories_earned.csv', 'active'],
  ['aggregates_calories_passive.csv', 'passive'],
  ['aggregates_elevation.csv', null],
])

/** Days of two centuries. */
const MOST_DAYS = 75_000

/** Collects the values of local days, which several files have. */
export class WithingsDays {
  readonly #out: ImportWriter
  readonly #now: Date
  readonly #days = new Map<string, Partial<Record<DayValue, number>>>()

  constructor(out: ImportWriter, now: Date) {
    this.#out = out
    this.#now = now
  }

  async read(name: string, table: CsvTable): Promise<void> {
    const column = DAY_FILES.get(name) ?? null
    const data = this.#out.type(name.replace('.csv', ''), column === null ? null : 'activity')
    const [date = '', value = ''] = [/^date$/i, /^value$/i].map((pattern) =>
      table.head.find((each) => pattern.test(each)),
    )
    for await (const rows of table.batches()) {
      for (const row of rows) {
        if (column === null) {
          data.countNotSupported()
          continue
        }
        data.count()
        const known = row.pick([date, value])
        const day = readLocalDate(row.get(date), 'year_first')?.slice(0, 10)
        const amount = readDecimal(row.get(value))
        if (day === undefined || !isPossibleTime(startOfUtcDay(day), this.#now)) {
          data.quarantine('activity', 'invalid_date', known)
        } else if (Number.isNaN(amount)) data.quarantine('activity', 'invalid_value', known)
        else if (amount < 0) data.quarantine('activity', 'out_of_range', known)
        else this.#set(day, column, amount)
      }
      await this.#out.settle()
    }
  }

  #set(day: string, column: DayValue, amount: number): void {
    const values = this.#days.get(day) ?? {}
    values[column] = amount
    this.#days.set(day, values)
    if (this.#days.size > MOST_DAYS) throw new ImportFileError('file_too_large')
  }

  /** Stores the days: each has the id of the same day of a cloud connection. */
  async store(): Promise<void> {
    const data = this.#out.type('days', 'activity')
    for (const [day, { steps, distance, active, passive }] of this.#days) {
      data.addSummary('activity', {
        recordId: day,
        calendarDate: day,
        start: { at: startOfUtcDay(day), offset: null },
        sourceType: 'watch',
        values: {
          steps: steps === undefined ? null : Math.round(steps),
          distance_meter: distance ?? null,
          calories_active: active ?? null,
          // What is burned at rest is no active energy; both are the total.
          calories_total: active === undefined || passive === undefined ? null : active + passive,
        },
        raw: { date: day, steps, distance, calories_earned: active, calories_passive: passive },
      })
    }
    await this.#out.settle()
  }
}

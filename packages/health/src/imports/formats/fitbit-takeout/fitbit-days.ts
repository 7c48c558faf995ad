import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { PageData, VendorSummary } from '../../../connectors/index.ts'
import type { ImportContext } from '../import-format.ts'

type Values = VendorSummary<'activity'>['values']
export type DayAmount =
  | 'steps'
  | 'distance_meter'
  | 'calories_total'
  | 'intensity_sedentary_second'
  | 'intensity_low_second'
  | 'intensity_medium_second'
  | 'intensity_high_second'

/** Collects the days of an export from all its files; a day has a few numbers. */
export class FitbitDays {
  readonly #days = new Map<string, Partial<Record<DayAmount | 'heart_rate_resting', number>>>()

  /** Adds an amount to the sum of a local date. */
  add(date: string, name: DayAmount, amount: number): void {
    const day = this.#dayOf(date)
    day[name] = (day[name] ?? 0) + amount
  }

  setRestingRate(date: string, rate: number): void {
    this.#dayOf(date).heart_rate_resting = rate
  }

  #dayOf(date: string) {
    const day = this.#days.get(date) ?? {}
    this.#days.set(date, day)
    return day
  }

  /**
   * Adds the summaries. Days after the export are left out, because the vendor fills months with
   * zeros; so are days without any amount.
   * @param lastDate Local date after which no day has data.
   */
  addTo(data: PageData & { count(): void }, { clock }: ImportContext, lastDate: string): void {
    for (const [date, day] of this.#days) {
      const isEmpty = Object.values(day).every((value) => !value)
      if (date > lastDate || isEmpty) continue
      data.count()
      const offset = clock.local(`${date}T00:00:00`)?.offset ?? null
      const values: Values = Object.fromEntries(
        Object.entries(day).map(([name, value]) => [name, Math.round(value * 1000) / 1000]),
      )
      data.addSummary('activity', {
        sourceType: 'watch',
        recordId: date,
        calendarDate: date,
        start: { at: startOfUtcDay(date), offset },
        values,
        raw: day,
      })
    }
  }
}

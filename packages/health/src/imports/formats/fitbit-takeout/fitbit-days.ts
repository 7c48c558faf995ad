import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
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

const MINUTES_OF_A_DAY = DAY_MS / MINUTE_MS

/** Times of which an amount was added: exports repeat minutes where their files overlap. */
class SeenTimes {
  /** Bits of the minutes of a day by its number; a list of years has some kilobytes. */
  readonly #minutes = new Map<number, Uint8Array>()
  readonly #others = new Set<number>()

  /** Returns whether an instant was seen before, and keeps it. */
  has(at: number): boolean {
    if (at % MINUTE_MS !== 0) {
      const isKnown = this.#others.has(at)
      this.#others.add(at)
      return isKnown
    }
    const day = Math.floor(at / DAY_MS)
    const bits = this.#minutes.get(day) ?? new Uint8Array(MINUTES_OF_A_DAY / 8)
    this.#minutes.set(day, bits)
    const minute = (at - day * DAY_MS) / MINUTE_MS
    const [index, bit] = [minute >> 3, 1 << (minute & 7)]
    const isKnown = ((bits[index] ?? 0) & bit) !== 0
    bits[index] = (bits[index] ?? 0) | bit
    return isKnown
  }
}

/** Collects the days of an export from all its files; a day has a few numbers. */
export class FitbitDays {
  readonly #days = new Map<string, Partial<Record<DayAmount | 'heart_rate_resting', number>>>()

  readonly #seen = new Map<DayAmount, SeenTimes>()

  /** Adds the amount of an instant, epoch milliseconds, to the sum of its local date, once. */
  add(date: string, name: DayAmount, { at, amount }: { at: number; amount: number }): void {
    const seen = this.#seen.get(name) ?? new SeenTimes()
    this.#seen.set(name, seen)
    if (seen.has(at)) return
    const day = this.#dayOf(date)
    day[name] = (day[name] ?? 0) + amount
  }

  /** Sets the amount of a whole day. Of two the larger one counts: a day grows after an export. */
  set(date: string, name: DayAmount, amount: number): void {
    const day = this.#dayOf(date)
    day[name] = Math.max(day[name] ?? 0, amount)
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

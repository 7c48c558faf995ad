import { startOfUtcDay } from '@salus/kernel/time/instants'
import { isFields } from '../../../summaries/index.ts'
import { readJsonItems } from '../../files/json.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { GarminMember } from './garmin-members.ts'
import { dateIn, type Fields, offsetBetween, pickFields, withoutGaps } from './garmin-values.ts'

const WATCH = { sourceType: 'watch' } as const
const KEPT = [
  'calendarDate',
  'totalSteps',
  'totalDistanceMeters',
  'totalKilocalories',
  'activeKilocalories',
  'bmrKilocalories',
  'floorsAscendedInMeters',
  'moderateIntensityMinutes',
  'vigorousIntensityMinutes',
  'highlyActiveSeconds',
  'activeSeconds',
  'restingHeartRate',
  'minHeartRate',
  'maxHeartRate',
  'wellnessStartTimeGmt',
  'wellnessStartTimeLocal',
  'wellnessEndTimeGmt',
  'wellnessEndTimeLocal',
]
/** The vendor counts ten feet as a floor. */
const METERS_OF_A_FLOOR = 3.048
const LONGEST_DAY_SECONDS = 90_000

/** Days by date: of several files with a day the latest counts. */
export class GarminDays {
  readonly #days = new Map<string, Fields>()

  async read({ file }: GarminMember, data: TypeData, now: Date): Promise<void> {
    for await (const items of readJsonItems(file, '$.*')) {
      for (const item of items) this.add(item, data, now)
    }
  }

  add(item: unknown, data: TypeData, now: Date): void {
    const record: Fields = isFields(item) ? pickFields(item, KEPT) : {}
    const date = dateIn(record.calendarDate)
    if (date === undefined || !isPossibleTime(startOfUtcDay(date), now)) {
      data.count()
      data.quarantine('activity', 'invalid_date', record)
      return
    }
    if (this.#days.has(date)) data.countMerged()
    this.#days.set(date, withoutGaps(record))
  }

  get size(): number {
    return this.#days.size
  }

  /** Returns the offset of a day in seconds; null where it is unknown or changed in the day. */
  offsetOf(date: string): number | null {
    const day = this.#days.get(date)
    if (day === undefined) return null
    const start = offsetBetween(day.wellnessStartTimeLocal, day.wellnessStartTimeGmt)
    const hasEnd = day.wellnessEndTimeGmt !== undefined && day.wellnessEndTimeLocal !== undefined
    if (!hasEnd) return start
    return offsetBetween(day.wellnessEndTimeLocal, day.wellnessEndTimeGmt) === start ? start : null
  }

  addTo(data: TypeData): void {
    for (const [date, record] of this.#days) {
      data.count()
      const values = valuesOf(data, record)
      if (values === undefined) continue
      const offset = offsetBetween(record.wellnessStartTimeLocal, record.wellnessStartTimeGmt)
      data.addSummary('activity', {
        ...WATCH,
        recordId: date,
        calendarDate: date,
        start: { at: startOfUtcDay(date), offset },
        values,
        raw: record,
      })
    }
  }
}

function valuesOf(data: TypeData, record: Fields) {
  const reader = data.read('activity', record)
  if (reader === undefined) return undefined
  const active = reader.number('activeKilocalories')
  const basal = reader.number('bmrKilocalories')
  const ascended = reader.number('floorsAscendedInMeters')
  const seconds = (name: string, factor = 1) => {
    const value = reader.number(name, 0, LONGEST_DAY_SECONDS / factor)
    return value === null ? null : Math.round(value * factor)
  }
  const [brisk, highly] = [seconds('activeSeconds'), seconds('highlyActiveSeconds')]
  const values = {
    calories_total:
      active === null || basal === null
        ? reader.measured('totalKilocalories', 1e6)
        : active + basal,
    calories_active: active,
    steps: reader.integer('totalSteps'),
    distance_meter: reader.number('totalDistanceMeters'),
    floors_climbed: ascended === null ? null : Math.round(ascended / METERS_OF_A_FLOOR),
    duration_active_second: brisk === null && highly === null ? null : (brisk ?? 0) + (highly ?? 0),
    intensity_medium_second: seconds('moderateIntensityMinutes', 60),
    intensity_high_second: seconds('vigorousIntensityMinutes', 60),
    heart_rate_minimum: reader.heartRate('minHeartRate'),
    heart_rate_maximum: reader.heartRate('maxHeartRate'),
    heart_rate_resting: reader.heartRate('restingHeartRate'),
  }
  if (!data.isValid('activity', reader, record)) return undefined
  // A day before the first one of the device.
  return Object.values(values).every((value) => !value) ? undefined : values
}

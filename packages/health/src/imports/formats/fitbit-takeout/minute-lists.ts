import { DAY_SECONDS, MINUTE_MS } from '@salus/contracts/time-units'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { VendorInstant } from '../../../connectors/index.ts'
import { isFields } from '../../../summaries/index.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { readJsonItems } from '../../files/json.ts'
import { zoneOf } from '../../import-options.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'
import type { DayAmount, FitbitDays } from './fitbit-days.ts'
import { isoOfShort, utcOfShort } from './fitbit-times.ts'
import type { Member } from './members.ts'

type Fields = Record<string, unknown>

const TRACKER = { sourceType: 'watch' } as const
const CENTIMETERS = 100
/** Lists of minutes of a day, by the beginning of their name. */
const INTENSITIES: Readonly<Record<string, DayAmount>> = {
  sedentary: 'intensity_sedentary_second',
  lightly: 'intensity_low_second',
  moderately: 'intensity_medium_second',
  very: 'intensity_high_second',
}
const MOST_MINUTES = 25 * 60
/** No person takes as many steps or goes as many meters in a minute, or uses as many kcal. */
const MOST_OF_A_MINUTE = 10_000

/** UTC dates of which the lists have data, by series: the tables have the same again. */
export class CoveredDates {
  readonly #dates = new Map<string, Set<number>>()

  add(series: string, at: number): void {
    const dates = this.#dates.get(series) ?? new Set<number>()
    this.#dates.set(series, dates)
    dates.add(Math.floor(at / 1000 / DAY_SECONDS))
  }

  has(series: string, at: number): boolean {
    return this.#dates.get(series)?.has(Math.floor(at / 1000 / DAY_SECONDS)) ?? false
  }
}

export interface ListTarget {
  data: TypeData
  context: ImportContext
  days: FitbitDays
  covered: CoveredDates
  settle: () => Promise<void>
}

/** Returns an instant with the offset of the zone of the options. */
export function placed(at: number, { options }: ImportContext): VendorInstant {
  const zone = zoneOf(options)
  return { at, offset: zone === null ? null : zoneOffsetSeconds(zone, at) }
}

/** Returns the local date of an instant; undefined where its zone is unknown. */
export const localDateOf = ({ at, offset }: VendorInstant): string | undefined =>
  offset === null ? undefined : dateAtOffset(at, offset)

export async function forEachItem(
  file: ImportFile,
  { data, settle }: ListTarget,
  resource: string,
  add: (item: Fields) => Outcome,
): Promise<void> {
  for await (const items of readJsonItems(file, '$.*')) {
    for (const item of items) {
      if (isFields(item)) countOutcome(data, add(item))
      else {
        data.count()
        data.quarantine(resource, 'not_an_object', null)
      }
    }
    await settle()
  }
}

/** What became of a record that is neither stored nor quarantined by itself. */
export type Outcome = 'merged' | 'unsupported' | undefined

export function countOutcome(data: TypeData, outcome: Outcome): void {
  if (outcome === 'merged') data.countMerged()
  else if (outcome === 'unsupported') data.countNotSupported()
  else data.count()
}

/** The time and value of an item, to quarantine it. */
const known = ({ dateTime, value }: Fields): Fields => ({ dateTime, value })

/** Adds steps or distances of minutes, whose times are in UTC. */
export async function addAmounts(
  { file }: Member,
  target: ListTarget,
  name: 'steps' | 'distance',
): Promise<void> {
  const { data, context, days, covered } = target
  await forEachItem(file, target, name, (item) => {
    const at = utcOfShort(item.dateTime)
    const amount = typeof item.value === 'string' ? Number(item.value || 'none') : item.value
    if (at === undefined || !isPossibleTime(at, context.now)) {
      data.quarantine(name, 'invalid_start_date', known(item))
      return undefined
    }
    const value = name === 'distance' ? (amount as number) / CENTIMETERS : (amount as number)
    if (value > MOST_OF_A_MINUTE) {
      data.quarantine(name, 'out_of_range', known(item))
      return undefined
    }
    const start = placed(at, context)
    const end = placed(at + MINUTE_MS, context)
    const unit = name === 'distance' ? 'm' : 'count'
    data.addSample(name, { ...TRACKER, start, end, value, unit }, known(item))
    covered.add(name, at)
    const date = localDateOf(start)
    if (date !== undefined && value >= 0) {
      days.add(date, name === 'steps' ? 'steps' : 'distance_meter', { at, amount: value })
    }
    return undefined
  })
}

/** Adds heart rates, whose times are in UTC; without any confidence a rate is not to be used. */
export async function addHeartRates({ file }: Member, target: ListTarget): Promise<void> {
  const { data, context, covered } = target
  await forEachItem(file, target, 'heartrate', (item) => {
    const at = utcOfShort(item.dateTime)
    const { bpm, confidence }: Fields = isFields(item.value) ? item.value : {}
    const raw = { dateTime: item.dateTime, bpm, confidence }
    if (at === undefined || !isPossibleTime(at, context.now)) {
      data.quarantine('heartrate', 'invalid_start_date', raw)
    } else if (confidence === 0) return 'unsupported'
    else {
      const sample = { ...TRACKER, start: placed(at, context), value: bpm as number, unit: 'bpm' }
      data.addSample('heartrate', sample, raw)
      covered.add('heartrate', at)
    }
    return undefined
  })
}

/** Adds minutes of a day, in the date of the person. */
export async function addMinutes({ file }: Member, target: ListTarget): Promise<void> {
  const name = INTENSITIES[file.name.split('_', 1)[0] ?? '']
  const { data, days } = target
  await forEachItem(file, target, 'activity', (item) => {
    const date = isoOfShort(item.dateTime)?.slice(0, 10)
    const minutes = Number(item.value ?? 'none')
    if (date === undefined) data.quarantine('activity', 'invalid_date', known(item))
    else if (!(minutes >= 0 && minutes <= MOST_MINUTES)) {
      data.quarantine('activity', 'out_of_range', known(item))
    } else if (name !== undefined) {
      days.set(date, name, minutes * 60)
      return 'merged'
    }
    return undefined
  })
}

/**
 * Adds the calories of minutes to the total of their local day. They include those of rest, so they
 * are no active calories.
 */
export async function addCalories({ file }: Member, target: ListTarget): Promise<void> {
  const { data, days, context } = target
  let last: VendorInstant | undefined
  await forEachItem(file, target, 'activity', (item) => {
    const local = isoOfShort(item.dateTime)
    const date = local?.slice(0, 10)
    const instant = local === undefined ? undefined : context.clock.local(local, last)
    const calories = Number(item.value ?? 'none')
    if (date === undefined || instant === undefined)
      data.quarantine('activity', 'invalid_date', known(item))
    else if (!(calories >= 0)) data.quarantine('activity', 'invalid_value', known(item))
    else if (calories > MOST_OF_A_MINUTE) {
      data.quarantine('activity', 'out_of_range', known(item))
    } else {
      last = instant
      days.add(date, 'calories_total', { at: instant.at, amount: calories })
      return 'merged'
    }
    return undefined
  })
}

/** Adds resting heart rates of days; null and 0 stand for none. */
export async function addRestingRates({ file }: Member, target: ListTarget): Promise<void> {
  const { data, days } = target
  await forEachItem(file, target, 'activity', (item) => {
    const { date: text, value: rate }: Fields = isFields(item.value) ? item.value : {}
    const date = isoOfShort(text ?? item.dateTime)?.slice(0, 10)
    if (!rate) return 'unsupported'
    if (date === undefined) data.quarantine('activity', 'invalid_date', { date: text, rate })
    else if (typeof rate !== 'number' || !(rate >= 10 && rate <= 350)) {
      data.quarantine('activity', 'out_of_range', { date, rate })
    } else {
      days.setRestingRate(date, rate)
      return 'merged'
    }
    return undefined
  })
}

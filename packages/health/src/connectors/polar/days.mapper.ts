import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { parseInstant, startOfUtcDay } from '@salus/kernel/time/instants'
import type { PageData } from '../page-data.ts'
import { isFields } from '../vendor-records.ts'
import { type Fields, recordsOf, soundRecordsOf, withUnderscores } from './polar-pages.ts'
import { clockMs, durationMs, type NightTimes, offsetInNight } from './polar-times.ts'
import { ratesOf } from './sleep.mapper.ts'

/** An earlier night, or a later one, says less about where the person was. */
const MOST_DAYS_AWAY = 7

type Night = NightTimes & { record: Fields }

/** Returns the nights of a list of sleeps, or of available sleeps, by date. */
function nightsOf(answer: unknown): Map<string, Night> {
  const { nights, available } = isFields(answer) ? answer : {}
  const records = [nights ?? available ?? answer].flat().filter(isFields)
  return new Map(
    records.flatMap((record) => {
      const start = instantOf(record.sleep_start_time ?? record.start_time)
      const end = instantOf(record.sleep_end_time ?? record.end_time)
      return start && end ? [[String(record.date), { start, end, record }] as const] : []
    }),
  )
}

function instantOf(text: unknown) {
  const parsed = typeof text === 'string' ? parseInstant(text) : undefined
  if (parsed === undefined || parsed.offsetSeconds === null) return undefined
  return { at: parsed.epochMilliseconds, offset: parsed.offsetSeconds }
}

/** Returns the night that ended on a date, else the nearest one. */
function nightNear(nights: ReadonlyMap<string, Night>, date: string): Night | undefined {
  const own = nights.get(date)
  if (own !== undefined || nights.size === 0) return own
  for (let days = 1; days <= MOST_DAYS_AWAY; days++) {
    for (const shift of [-days, days]) {
      const near = new Date(startOfUtcDay(date) + shift * DAY_MS).toISOString().slice(0, 10)
      const night = nights.get(near)
      if (night !== undefined) return night
    }
  }
  return undefined
}

/**
 * Maps `{"date", "heart_rate_samples": [{"heart_rate", "sample_time"}]}`, local times without an
 * offset: it is that of the night that ended on the date, which is in the detail. A heart rate that
 * the night has too counts there.
 */
export function mapHeartRates(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const nights = nightsOf(details[0])
  const rateAt = new Map(
    [...nights.values()].flatMap((night) =>
      ratesOf(night, night.record).map(({ local, value }) => [local, value]),
    ),
  )
  const days = recordsOf(answer, 'heart_rates', 'heart_rate_samples')
  for (const record of soundRecordsOf(data, 'heartrate', days)) {
    const date = data.date('heartrate', dateIn(record.date), record)
    const samples = record.heart_rate_samples ?? []
    if (date === undefined) continue
    if (!Array.isArray(samples)) {
      data.quarantine('heartrate', 'invalid_field', record)
      continue
    }
    const midnight = startOfUtcDay(date)
    const own = nights.get(date)
    const offset = nightNear(nights, date)?.end.offset ?? null
    for (const sample of samples) {
      const { sample_time, heart_rate: value } = isFields(sample) ? sample : {}
      const local = midnight + clockMs(sample_time)
      // 0 and null mean that the watch measured none.
      if (value === 0 || value === null) continue
      if (rateAt.get(local - (local % MINUTE_MS)) === value) continue
      const here = own === undefined ? offset : offsetInNight(own, local)
      const start = { at: local - (here ?? 0) * 1000, offset: here }
      const frame = { sourceType: 'watch', start, value: value as number, unit: 'bpm' } as const
      data.addSample('heartrate', frame, isFields(sample) ? { date, sample_time, value } : sample)
    }
  }
}

/** Returns the date of a local time; any other value as it is. */
const dateIn = (text: unknown): unknown =>
  typeof text === 'string' && parseInstant(text) !== undefined ? text.slice(0, 10) : text

/** Maps days, whose times are local and without an offset. */
export function mapActivities(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const nights = nightsOf(details[0])
  const isOld = isFields(answer) && OLD_FIELD in answer
  const days = recordsOf(answer, 'activities', isOld ? OLD_FIELD : 'start_time')
  for (const day of soundRecordsOf(data, 'activity', days)) addDay(data, day, nights)
}

/** A field of days of the transactions that are deprecated. */
const OLD_FIELD = 'active-steps'

function addDay(data: PageData, given: Fields, nights: ReadonlyMap<string, Night>): void {
  const record = withUnderscores(given, OLD_FIELD)
  const text = record.start_time ?? record.date
  const day = data.date('activity', dateIn(text), given)
  const reader = data.read('activity', record)
  if (day === undefined || reader === undefined) return
  const active = durationMs(record.active_duration ?? record.duration) / 1000
  const values = {
    calories_total: reader.number('calories'),
    calories_active: reader.number('active_calories'),
    steps: reader.integer('steps') ?? reader.integer('active_steps'),
    distance_meter: reader.number('distance_from_steps'),
    duration_active_second: secondsOf(active),
    intensity_sedentary_second: secondsOf(durationMs(record.inactive_duration) / 1000),
    ...intensitiesOf(record, active),
  }
  if (!data.isValid('activity', reader, given)) return
  const { samples: _samples, ...raw } = record
  const created = typeof raw.created === 'string' ? parseInstant(raw.created) : undefined
  data.addSummary('activity', {
    recordId: day,
    calendarDate: day,
    start: { at: startOfUtcDay(day), offset: nightNear(nights, day)?.end.offset ?? null },
    sourceType: 'watch',
    values,
    raw,
    ...(created && { modifiedAt: created.epochMilliseconds }),
  })
}

const secondsOf = (seconds: number): number | null =>
  Number.isNaN(seconds) ? null : Math.round(seconds)

const ZONES = ['LIGHT', 'MODERATE', 'VIGOROUS']
/** Rounding of the minutes of a day. */
const TOLERANCE_SECONDS = 300

/**
 * Returns the seconds of each intensity from the samples of zones, each of which lasts until the
 * next. The documentation does not say so; therefore they count only if they add up to the active
 * time that the vendor reports.
 */
function intensitiesOf({ samples, end_time: end }: Fields, active: number) {
  const zones = isFields(samples) && isFields(samples.activity_zones) ? samples.activity_zones : {}
  const steps = (Array.isArray(zones.samples) ? zones.samples : []).filter(isFields)
  // A whole day ends at 23:59:59.
  const times = [...steps.map(({ timestamp }) => timestamp), end].map((text) => {
    const at = typeof text === 'string' ? parseInstant(text)?.epochMilliseconds : undefined
    return at === undefined ? Number.NaN : Math.ceil(at / 30_000) * 30_000
  })
  const [low = 0, medium = 0, high = 0] = ZONES.map((zone) =>
    steps.reduce((sum, step, index) => {
      const seconds = ((times[index + 1] ?? Number.NaN) - (times[index] ?? Number.NaN)) / 1000
      return step.zone === zone ? sum + seconds : sum
    }, 0),
  )
  const isSound = Math.min(low, medium, high) >= 0
  if (!isSound || !(Math.abs(low + medium + high - active) <= TOLERANCE_SECONDS)) return {}
  return {
    intensity_low_second: low,
    intensity_medium_second: medium,
    intensity_high_second: high,
  }
}

const SEXES = ['male', 'female']

/** Maps the physical information, a present state. */
export function mapProfile(answer: unknown, data: PageData): void {
  if (answer === undefined) return
  const reader = data.read('profile', answer)
  if (reader === undefined || !isFields(answer)) return
  const height = reader.number('height', 0, 300)
  // The basic information of a user has the other name.
  const born = reader.date('birthday') ?? reader.date('birthdate')
  const modified = typeof answer.modified === 'string' ? parseInstant(answer.modified) : undefined
  if (!data.isValid('profile', reader, answer)) return
  data.addSummary('profile', {
    recordId: 'profile',
    start: { at: 0, offset: null },
    sourceType: 'app',
    values: {
      height_centimeter: height ? Math.round(height) : null,
      birth_date: born,
      sex: SEXES.find((sex) => sex.toUpperCase() === answer.gender) ?? null,
    },
    raw: answer,
    ...(modified && { modifiedAt: modified.epochMilliseconds }),
  })
}

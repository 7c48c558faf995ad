import { formatInstant } from '@salus/kernel/time/instants'
import type { PageData } from '../page-data.ts'
import { isFields, type VendorStage } from '../vendor-records.ts'
import { type Fields, recordsOf, soundRecordsOf } from './polar-pages.ts'
import { type NightTimes, readByClock } from './polar-times.ts'

/** By code: wake, REM, two of light sleep, deep; 5 is unknown. */
const STAGES: readonly VendorStage[] = ['awake', 'rem', 'light', 'light', 'deep']
const STAGE_FIELDS = ['light_sleep', 'rem_sleep', 'deep_sleep']
/** Seconds of a week: no sleep is longer. */
const MOST_SECONDS = 604_800

/**
 * Maps `{"nights": [...]}` with their heart rates. The nightly recharge of the same date, a detail,
 * has the heart rate variability and breathing of the first hours.
 */
export function mapSleep(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const [answered] = details
  const recharges = [(isFields(answered) && answered.recharges) || answered].flat()
  const rechargeOn = new Map(recharges.filter(isFields).map((one) => [one.date, one]))
  for (const record of soundRecordsOf(
    data,
    'sleep',
    recordsOf(answer, 'nights', 'sleep_start_time'),
  )) {
    const date = data.date('sleep', record.date, record)
    const start = date && data.instant('sleep', record.sleep_start_time, record)
    const end = start && data.instant('sleep', record.sleep_end_time, record, 'invalid_end_date')
    if (date && start && end) addNight(data, date, { start, end }, record, rechargeOn.get(date))
  }
}

function addNight(
  data: PageData,
  date: string,
  night: NightTimes,
  record: Fields,
  recharge: Fields | undefined,
): void {
  const values = valuesOf(data, record)
  if (values === undefined) return
  const rates = ratesOf(night, record)
  const { heart_rate_samples: _rates, ...raw } = record
  const added = data.addSleep({
    recordId: date,
    calendarDate: date,
    ...night,
    sourceType: 'watch',
    values: { ...values, ...(recharge && rechargeValues(data, recharge)) },
    stages: stagesOf(night, record.hypnogram),
    readings: {
      heartRates: rates
        .filter(({ value }) => typeof value === 'number')
        .map(({ at, value }) => ({ startedAt: at, endedAt: at, value: value as number })),
    },
    raw: recharge === undefined ? raw : { ...raw, nightly_recharge: recharge },
  })
  if (added === undefined) return
  for (const { at, offset, local, value } of rates) {
    const start = { at, offset }
    const item = { date, time: formatInstant(local).slice(0, 16), value }
    const sample = { sourceType: 'watch', start, value: value as number, unit: 'bpm' } as const
    data.addSample('heartrate', sample, item)
  }
}

/** Returns the heart rates of a night; 0 and null mean that there is none. */
export function ratesOf(night: NightTimes, record: Fields): ReturnType<typeof readByClock> {
  return readByClock(night, record.heart_rate_samples).filter(({ value }) => value)
}

/** Returns the columns that the vendor reports; undefined for a record that is quarantined. */
function valuesOf(data: PageData, record: Fields) {
  const reader = data.read('sleep', record)
  if (reader === undefined) return undefined
  const seconds = (name: string) => reader.integer(name, 0, MOST_SECONDS)
  const [light = null, rem = null, deep = null] = STAGE_FIELDS.map(seconds)
  const asleep = (light ?? 0) + (rem ?? 0) + (deep ?? 0)
  const score = reader.integer('sleep_score', -1, 100)
  const values = {
    // A watch without stages reports them as 0.
    stage_asleep_second: asleep > 0 ? asleep : null,
    stage_awake_second: seconds('total_interruption_duration'),
    stage_light_second: light,
    stage_rem_second: rem,
    stage_deep_second: deep,
    stage_unknown_second: seconds('unrecognized_sleep_stage'),
    // The scale begins at 1.
    score: score !== null && score > 0 ? score : null,
  }
  return data.isValid('sleep', reader, record) ? values : undefined
}

/** Returns the columns of a nightly recharge; none of one that is quarantined. */
function rechargeValues(data: PageData, recharge: Fields) {
  const reader = data.read('sleep', recharge)
  if (reader === undefined) return {}
  const values = {
    hrv_mean_rmssd: reader.measured('heart_rate_variability_avg', 1000),
    respiratory_rate: reader.measured('breathing_rate_avg', 120),
  }
  return data.isValid('sleep', reader, recharge) ? values : {}
}

/** Each stage lasts until the next one. */
function stagesOf(night: NightTimes, hypnogram: unknown) {
  const { start, end } = night
  const steps = readByClock(night, hypnogram)
  return steps.map(({ at, value }, index) => ({
    stage: (typeof value === 'number' && STAGES[value]) || ('unknown' as const),
    from: Math.round((at - start.at) / 1000),
    to: Math.round(((steps[index + 1]?.at ?? end.at) - start.at) / 1000),
  }))
}

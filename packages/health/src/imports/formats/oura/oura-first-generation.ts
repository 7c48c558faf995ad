import { DAY_MS } from '@salus/contracts/time-units'
import { dateAtOffset, parseDate, startOfUtcDay } from '@salus/kernel/time/instants'

type Fields = Record<string, unknown>

/** Seconds of a sleep that is no nap. */
const LONG_SLEEP_SECONDS = 3 * 3600
const HAS_OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/
const MINUTE_SECONDS = 60

/** Whether a record has the fields of the first interface of the vendor. */
export const isFirstGeneration = (record: Fields): boolean =>
  'summary_date' in record && !('day' in record)

/** Returns the date after an evening, on which the person woke. */
function dayAfter(evening: unknown): string | undefined {
  const date = typeof evening === 'string' ? parseDate(evening) : undefined
  return date === undefined ? undefined : dateAtOffset(startOfUtcDay(date) + DAY_MS, 0)
}

/** Adds the offset in minutes of the record to a time without one. */
function withOffset(text: unknown, minutes: unknown): unknown {
  if (typeof text !== 'string' || HAS_OFFSET.test(text) || typeof minutes !== 'number') return text
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const digits = [hours, rest].map((part) => String(part).padStart(2, '0')).join(':')
  return `${text}${minutes < 0 ? '-' : '+'}${digits}`
}

/** Returns five-minute values as the present interface has them, in which 0 is no value. */
function recordingOfFiveMinutes(values: unknown, timestamp: unknown): unknown {
  if (!Array.isArray(values)) return null
  return { interval: 300, items: values.map((value) => (value === 0 ? null : value)), timestamp }
}

/**
 * Converts a sleep of the first interface to the present fields. Its date is the evening before.
 * @param readiness The record of the same night.
 */
export function convertSleep(record: Fields, readiness: Fields | undefined): Fields {
  const start = withOffset(record.bedtime_start, record.timezone)
  const total = typeof record.total === 'number' ? record.total : 0
  const isLong = 'is_longest' in record ? record.is_longest === 1 : total >= LONG_SLEEP_SECONDS
  return {
    day: dayAfter(record.summary_date),
    bedtime_start: start,
    bedtime_end: withOffset(record.bedtime_end, record.timezone),
    type: isLong ? 'long_sleep' : 'sleep',
    total_sleep_duration: record.total,
    awake_time: record.awake,
    light_sleep_duration: record.light,
    rem_sleep_duration: record.rem,
    deep_sleep_duration: record.deep,
    latency: record.onset_latency,
    average_heart_rate: record.hr_average,
    lowest_heart_rate: record.hr_lowest,
    average_hrv: record.rmssd,
    average_breath: record.breath_average,
    sleep_phase_5_min: record.hypnogram_5min,
    heart_rate: recordingOfFiveMinutes(record.hr_5min, start),
    hrv: recordingOfFiveMinutes(record.rmssd_5min, start),
    ...(isLong && {
      readiness: {
        score: readiness?.score ?? null,
        temperature_deviation: record.temperature_delta ?? null,
      },
    }),
  }
}

/** Converts the score of a sleep, which is that of the day in the present interface. */
export const convertScore = (record: Fields): Fields => ({
  day: dayAfter(record.summary_date),
  score: record.score,
})

/** Converts a day of activity, whose intensities are minutes. */
export function convertActivity(record: Fields): Fields {
  const seconds = (minutes: unknown): unknown =>
    typeof minutes === 'number' ? minutes * MINUTE_SECONDS : minutes
  return {
    day: record.summary_date,
    timestamp:
      withOffset(record.day_start, record.timezone) ??
      withOffset(`${record.summary_date}T04:00:00`, record.timezone ?? 0),
    total_calories: record.cal_total,
    active_calories: record.cal_active,
    steps: record.steps,
    equivalent_walking_distance: record.daily_movement,
    sedentary_time: seconds(record.inactive),
    low_activity_time: seconds(record.low),
    medium_activity_time: seconds(record.medium),
    high_activity_time: seconds(record.high),
  }
}

import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { MergeSample } from '../../../health/src/timeseries/merged/source-samples.ts'

/**
 * Time of 10 March 2026, UTC, as epoch milliseconds: `09:30` or `09:30:15`, `+1 00:10` a day later.
 */
export function instantOf(text: string): number {
  const [, days = '0', time = ''] = /^(?:([+-]\d+) )?(.*)$/.exec(text) ?? []
  return (
    Date.parse(`2026-03-10T${time.length === 5 ? `${time}:00` : time}Z`) + Number(days) * DAY_MS
  )
}

const APPS: Record<string, string> = { watch: 'fitbit', phone: 'apple_health_kit', app: 'manual' }

/** A sample of a watch, a phone or an app, from and to a time of that day. */
export function sample(
  sourceType: 'watch' | 'phone' | 'app',
  from: string,
  to: string,
  value: number,
  timezoneOffset: number | null = null,
): MergeSample {
  const provider = APPS[sourceType] as string
  const source = { provider, sourceType, appId: '', timezoneOffset }
  return { ...source, startedAt: instantOf(from), endedAt: instantOf(to), value }
}

/** One sample a minute. */
export function everyMinute(
  sourceType: 'watch' | 'phone' | 'app',
  from: string,
  to: string,
  value: number,
): MergeSample[] {
  const count = (instantOf(to) - instantOf(from)) / MINUTE_MS
  const first = sample(sourceType, from, from, value)
  return Array.from({ length: count }, (_, minute) => ({
    ...first,
    startedAt: first.startedAt + minute * MINUTE_MS,
    endedAt: first.startedAt + (minute + 1) * MINUTE_MS,
  }))
}

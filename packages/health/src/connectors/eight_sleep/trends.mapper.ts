import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorInstant, type VendorStageSpan } from '../vendor-records.ts'
import { SLUG } from './eight-sleep-sign-in.ts'

type Fields = Record<string, unknown>
type Reading = { startedAt: number; endedAt: number; value: number }

/** No sleep is longer than a week; the vendor's days have two days at most. */
const MOST_SECONDS = 2 * 86_400
const OUT = 'out'
const STAGES: Readonly<Record<string, VendorStageSpan['stage']>> = {
  awake: 'awake',
  light: 'light',
  deep: 'deep',
  rem: 'rem',
}

/** A mattress is none of the types of sources. */
const SOURCE = { sourceType: 'unknown' } as const

/** A time in bed, without the parts at its ends in which the bed was empty. */
interface Session {
  readonly record: Fields
  /** Position in the day. */
  readonly index: number
  readonly start: VendorInstant
  readonly end: VendorInstant
  readonly stages: readonly VendorStageSpan[]
}

const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/**
 * Maps the nights of days, with their heart rates, variability and breaths. A day that the vendor
 * is still processing is left out, and requested again.
 * @throws VendorError `unexpected` for an answer without days
 */
export function mapTrends(
  answer: unknown,
  data: PageData,
  _details: readonly unknown[],
  { context }: PageRequest,
): void {
  if (!isFields(answer) || !Array.isArray(answer.days)) throw unexpected()
  for (const day of answer.days) addDay(data, day, context.extra.zone)
}

function addDay(data: PageData, day: unknown, zone: string | undefined): void {
  if (!isFields(day)) {
    data.quarantine('sleep', 'not_an_object', day)
    return
  }
  if (day.processing === true) return
  const date = data.date('sleep', day.day, day)
  if (date === undefined) return
  const listed = Array.isArray(day.sessions) ? day.sessions : []
  const sessions = listed.flatMap((session, index) => readSession(data, session, index, day, zone))
  const lengthOf = ({ start, end }: Session) => end.at - start.at
  const [longest] = sessions.toSorted((one, other) => lengthOf(other) - lengthOf(one))
  for (const session of sessions) {
    // What the vendor says of a day is that of its only session; the score is that of the night.
    const isOnly = sessions.length === 1
    addSession(data, session, { day, date, zone, isOnly, isNight: session === longest })
  }
}

function readSession(
  data: PageData,
  record: unknown,
  index: number,
  day: Fields,
  zone: string | undefined,
): Session[] {
  const stages = isFields(record) ? record.stages : undefined
  if (!isFields(record) || !Array.isArray(stages)) {
    data.quarantine('sleep', 'not_an_object', record)
    return []
  }
  const spans = spansOf(stages)
  if (spans === undefined) {
    data.quarantine('sleep', 'invalid_field', record)
    return []
  }
  const [first] = spans
  const last = spans.at(-1)
  // A bed that stayed empty has sessions without a stage.
  if (first === undefined || last === undefined) return []
  const text = record.ts ?? (index === 0 ? day.presenceStart : undefined)
  const began = data.instant('sleep', text, record)
  if (began === undefined) return []
  const at = (seconds: number): VendorInstant => atZone(began.at + seconds * 1000, zone)
  const moved = spans.map(({ stage, from, to }) => ({
    stage,
    from: from - first.from,
    to: to - first.from,
  }))
  return [{ record, index, start: at(first.from), end: at(last.to), stages: moved }]
}

/** Returns the stages in seconds from the start; undefined for durations that cannot be. */
function spansOf(stages: readonly unknown[]): VendorStageSpan[] | undefined {
  const spans: VendorStageSpan[] = []
  let from = 0
  for (const one of stages) {
    const { stage, duration } = isFields(one) ? one : {}
    if (typeof duration !== 'number' || !(duration >= 0)) return undefined
    const to = from + duration
    if (to > MOST_SECONDS) return undefined
    if (stage !== OUT && duration > 0) {
      spans.push({ stage: STAGES[String(stage)] ?? 'unknown', from, to })
    }
    from = to
  }
  return spans
}

const atZone = (at: number, zone: string | undefined): VendorInstant => ({
  at,
  offset: zone === undefined ? null : zoneOffsetSeconds(zone, at),
})

interface DayOfSession {
  day: Fields
  date: string
  zone: string | undefined
  isOnly: boolean
  isNight: boolean
}

function addSession(data: PageData, session: Session, of: DayOfSession): void {
  const { record, index, start, end, stages } = session
  const { timeseries, ...rest } = record
  const values = valuesOf(data, of)
  if (values === undefined) return
  const points = (name: string, resource: string) =>
    readingsOf(data, resource, isFields(timeseries) ? timeseries[name] : undefined)
  const heartRates = points('heartRate', 'heartrate')
  const rmssd = points('hrv', 'hrv')
  const respiratoryRates = points('respiratoryRate', 'respiratory_rate')
  const id = typeof record.id === 'string' ? record.id : ''
  const { sessions: _sessions, ...dayFields } = of.day
  const added = data.addSleep({
    ...SOURCE,
    recordId: id || `${of.date} ${index}`,
    calendarDate: of.date,
    start,
    end,
    ...(of.zone !== undefined && { timeZone: of.zone }),
    values,
    stages,
    readings: { heartRates, rmssd, respiratoryRates },
    raw: of.isNight ? { ...dayFields, session: rest } : { day: of.date, session: rest },
  })
  if (added === undefined) return
  const add = (
    series: 'heartrate' | 'hrv' | 'respiratory_rate',
    unit: string,
    readings: readonly Reading[],
  ) => {
    const extra = series === 'hrv' && { extra: { method: 'rmssd' } }
    for (const { startedAt, value } of readings) {
      const sample = { ...SOURCE, start: atZone(startedAt, of.zone), value, unit, ...extra }
      data.addSample(series, sample)
    }
  }
  add('heartrate', 'bpm', heartRates)
  add('hrv', 'ms', rmssd)
  add('respiratory_rate', 'bpm', respiratoryRates)
}

/** Returns what the vendor reports; undefined for a day that is quarantined. */
function valuesOf(data: PageData, { day, isOnly, isNight }: DayOfSession) {
  const quality = isFields(day.sleepQualityScore) ? day.sleepQualityScore : {}
  const reader = data.read('sleep', day)
  const variability = data.read('sleep', quality.hrv ?? {})
  const breath = data.read('sleep', quality.respiratoryRate ?? {})
  if (reader === undefined || variability === undefined || breath === undefined) return undefined
  const values = {
    score: isNight ? reader.integer('score', 0, 100) : null,
    latency_second: isOnly ? reader.integer('latencyAsleepSeconds', 0, MOST_SECONDS) : null,
    hrv_mean_rmssd: isOnly ? variability.measured('current', 1000) : null,
    respiratory_rate: isOnly ? breath.measured('current', 120) : null,
  }
  const readers = [reader, variability, breath]
  return readers.every((each) => data.isValid('sleep', each, day)) ? values : undefined
}

/** `[["2026-03-01T23:05:00.000Z", 54], …]`; one that cannot be read is quarantined by itself. */
function readingsOf(data: PageData, resource: string, list: unknown): Reading[] {
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) {
    data.quarantine(resource, 'invalid_field', list)
    return []
  }
  return list.flatMap((point): Reading[] => {
    const [text, value] = Array.isArray(point) ? point : []
    const at = data.instant(resource, text, point)
    // The bed has no value of some minutes.
    if (at === undefined || value === null) return []
    return [{ startedAt: at.at, endedAt: at.at, value: value as number }]
  })
}

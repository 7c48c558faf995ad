import type { PageData } from '../page-data.ts'
import { isFields, type VendorStage } from '../vendor-records.ts'
import { type Day, type Fields, offsetAt } from './ultrahuman-days.ts'

const STAGES: ReadonlyMap<unknown, VendorStage> = new Map([
  ['deep_sleep', 'deep'],
  ['light_sleep', 'light'],
  ['rem_sleep', 'rem'],
  ['awake', 'awake'],
])
/** Seconds of a week: no sleep is longer. */
const MOST_SECONDS = 604_800

/** Adds a sleep, with what the day reports beside it. */
export function addNight(data: PageData, day: Day, record: unknown): void {
  if (data.read('sleep', record) === undefined || !isFields(record)) return
  const instant = (seconds: unknown, problem?: 'invalid_end_date') =>
    data.epochInstant(
      'sleep',
      seconds,
      { unit: 's', offset: offsetAt(day.zone, seconds) },
      record,
      problem,
    )
  const start = instant(record.bedtime_start)
  const end = start && instant(record.bedtime_end, 'invalid_end_date')
  const values = end && valuesOf(data, day, record)
  if (start === undefined || end === undefined || values === undefined) return
  const index = day.nights.indexOf(record)
  const { hr_graph: _rates, hrv_graph: _variability, temp_graph: _temperature, ...raw } = record
  data.addSleep({
    // A sleep has no id, and its start may be corrected: a day usually has one.
    recordId: index === 0 ? day.date : `${day.date} ${index + 1}`,
    // The day of the vendor is that of the person, whose zone the times may lack.
    ...(day.zone === null && { calendarDate: day.date }),
    start,
    end,
    sourceType: 'ring',
    values,
    stages: stagesOf(record, start.at / 1000),
    readings: {
      heartRates: readingsOf(record.hr_graph, day.metrics.get('hr')?.values),
      rmssd: readingsOf(record.hrv_graph, day.metrics.get('hrv')?.values),
    },
    raw,
  })
}

/** Returns the number that is the first of some fields that exists. */
function firstOf(...candidates: readonly (readonly [object: unknown, field: string])[]): unknown {
  for (const [object, field] of candidates) {
    const value = isFields(object) ? object[field] : undefined
    if (value !== null && value !== undefined) return value
  }
  return null
}

/** Returns the seconds of a part of a sleep, which may be in minutes. */
function secondsIn(part: unknown): unknown {
  const minutes = firstOf([part, 'minutes'])
  return firstOf([part, 'seconds']) ?? (typeof minutes === 'number' ? minutes * 60 : minutes)
}

/** Returns a temperature of the sleep, else that of the day; one in °F would need a conversion. */
function celsiusOf(record: Fields, metrics: Day['metrics'], name: string): unknown {
  const ofDay = metrics.get(name)
  const known = ofDay?.unit === '°F' ? null : ofDay
  return firstOf([record[name], 'celsius'], [record[name], 'value'], [known, 'value'])
}

/** Returns the object of a type in a list such as `sleep_stages`. */
const ofType = (list: unknown, type: string): unknown =>
  Array.isArray(list) ? list.find((one) => isFields(one) && one.type === type) : undefined

/** Returns the columns that the vendor reports; undefined for a record that is quarantined. */
function valuesOf(data: PageData, { metrics }: Day, record: Fields) {
  const stage = (type: string) =>
    firstOf([ofType(record.sleep_stages, type), 'stage_time']) ?? secondsIn(record[type])
  const recovery = metrics.get('recovery_index')
  const found = {
    awake: stage('awake'),
    light: stage('light_sleep'),
    rem: stage('rem_sleep'),
    deep: stage('deep_sleep'),
    total:
      secondsIn(record.total_sleep) ??
      firstOf(
        [metrics.get('total_sleep'), 'value'],
        [ofType(record.quick_metrics, 'total_sleep'), 'value'],
      ),
    score: firstOf(
      [metrics.get('sleep_score'), 'value'],
      [record.sleep_score, 'score'],
      [record.score, 'score'],
      [ofType(record.quick_metrics, 'sleep_index'), 'value'],
    ),
    recovery: firstOf([recovery, 'value'], [recovery?.recovery_index, 'value']),
    resting: firstOf(
      [metrics.get('sleep_rhr'), 'value'],
      [metrics.get('night_rhr'), 'avg'],
      [record.night_rhr, 'avg'],
    ),
    hrv: firstOf([metrics.get('avg_sleep_hrv'), 'value']),
    temperature: celsiusOf(record, metrics, 'average_body_temperature'),
    deviation: celsiusOf(record, metrics, 'temperature_deviation'),
  }
  const reader = data.read('sleep', found)
  if (reader === undefined) return undefined
  const seconds = (name: string) => reader.integer(name, 0, MOST_SECONDS)
  const stages = { light: seconds('light'), rem: seconds('rem'), deep: seconds('deep') }
  const staged = (stages.light ?? 0) + (stages.rem ?? 0) + (stages.deep ?? 0)
  const values = {
    stage_asleep_second: staged > 0 ? staged : seconds('total'),
    stage_awake_second: seconds('awake'),
    stage_light_second: stages.light,
    stage_rem_second: stages.rem,
    stage_deep_second: stages.deep,
    heart_rate_resting: reader.heartRate('resting'),
    hrv_mean_rmssd: reader.measured('hrv', 1000),
    skin_temperature: reader.measured('temperature', 50),
    skin_temperature_delta: reader.number('deviation', -10, 10),
    score: reader.integer('score', 0, 100) || null,
    recovery_readiness_score: reader.integer('recovery', 0, 100),
  }
  return data.isValid('sleep', reader, record) ? values : undefined
}

/** Returns `{"data": [{"start", "end", "type"}]}` in seconds from the start of the sleep. */
function stagesOf({ sleep_graph: graph }: Fields, start: number) {
  const spans = isFields(graph) && Array.isArray(graph.data) ? graph.data.filter(isFields) : []
  return spans.flatMap(({ start: from, end: to, type }) =>
    typeof from === 'number' && typeof to === 'number'
      ? [{ stage: STAGES.get(type) ?? ('unknown' as const), from: from - start, to: to - start }]
      : [],
  )
}

/** Returns the readings of a graph of the sleep, else those of the day. */
function readingsOf(graph: unknown, ofDay: unknown) {
  const own = isFields(graph) && Array.isArray(graph.data) ? graph.data : []
  const list = own.length > 0 ? own : Array.isArray(ofDay) ? ofDay : []
  return list.filter(isFields).flatMap(({ timestamp, value }) => {
    if (typeof timestamp !== 'number' || typeof value !== 'number' || value <= 0) return []
    const at = timestamp * 1000
    return [{ startedAt: at, endedAt: at, value }]
  })
}

import type { PutAsideReason, Sample } from '../../ingest/index.ts'
import { emptyValues } from './empty-values.ts'
import {
  type Fields,
  ItemReader,
  isFields,
  readKey,
  readList,
  readText,
  withoutLists,
} from './item-reader.ts'
import { readSource } from './item-source.ts'
import { type Interval, localClock, readInterval, startId } from './item-time.ts'
import { addSamples, emptyItem, type ItemContext, type ParsedItem } from './parsed-item.ts'
import {
  arrangeStages,
  STAGE_LISTS,
  type StageSpan,
  type Stages,
  summarizeStages,
} from './sleep-stages.ts'

const LONG_SLEEP_SECONDS = 3 * 3600
/** Longer is a mistake, and its offsets would not fit their columns. */
const LONGEST_SLEEP_SECONDS = 7 * 86_400

const SAMPLE_LISTS = [
  'heart_rate',
  'heart_rate_variability',
  'respiratory_rate',
  'wrist_temperature',
]

/** One sleep (contract 07, "Sleep") with the stages of its cycle, and samples that feed series. */
export function parseSleep(context: ItemContext, item: unknown): ParsedItem | PutAsideReason {
  if (!isFields(item)) return 'not_an_object'
  const interval = readInterval(item)
  if (typeof interval === 'string') return interval
  const startedAt = interval.start.epochMilliseconds
  const endedAt = interval.end.epochMilliseconds
  if (endedAt - startedAt > LONGEST_SLEEP_SECONDS * 1000) return 'out_of_range'
  const source = readSource(context, item)
  if (source === undefined) return 'unknown_source_type'
  const parsed = emptyItem()
  const list = (name: string): unknown => readKey(item, name)
  addSamples(parsed, context, 'heartrate', list('heart_rate'))
  addSamples(parsed, context, 'hrv', list('heart_rate_variability'))
  addSamples(parsed, context, 'respiratory_rate', list('respiratory_rate'))
  const wrist = { sensor_location: 'wrist' }
  const skin = addSamples(parsed, context, 'body_temperature', list('wrist_temperature'), wrist)
  const reader = new ItemReader(item)
  const values = {
    ...emptyValues('sleep'),
    ...measurementsOf(context, reader),
    ...stagesOf(parsed, item, interval),
    skin_temperature: meanOf(skin),
  }
  if (reader.problem !== undefined) return reader.problem
  parsed.devices.push({ sourceType: source.sourceType, item: source.keys })
  parsed.summaries.push({
    resource: 'sleep',
    recordId: readText(item, 'id') || startId(startedAt, source.sourceType),
    sourceType: source.sourceType,
    appId: source.appId,
    deviceModel: source.deviceModel,
    calendarDate: null,
    startedAt,
    endedAt,
    // A sleep belongs to the day on which it ended.
    ...localClock(context, interval.end, source.metadata),
    values,
    raw: withoutLists(item, SAMPLE_LISTS),
    modifiedAt: null,
  })
  return parsed
}

function measurementsOf({ provider }: ItemContext, reader: ItemReader) {
  const variability = reader.measured('hrv_mean_sdnn', 1000)
  // Health Connect has no SDNN: what its clients send under that name is RMSSD.
  const isRmssd = provider === 'health_connect'
  return {
    heart_rate_minimum: reader.heartRate('heart_rate_minimum'),
    heart_rate_mean: reader.heartRate('heart_rate_mean'),
    heart_rate_maximum: reader.heartRate('heart_rate_maximum'),
    hrv_mean_rmssd: isRmssd ? variability : null,
    hrv_mean_sdnn: isRmssd ? null : variability,
    respiratory_rate: reader.measured('respiratory_rate_mean', 120),
    score: reader.integer('score', 0, 100),
  }
}

function stagesOf(parsed: ParsedItem, item: Fields, { start, end }: Interval) {
  const offset = (at: number): number => Math.round((at - start.epochMilliseconds) / 1000)
  const duration = offset(end.epochMilliseconds)
  const stages = readKey(item, 'sleep_stages')
  const spansOf = (list: string): Omit<StageSpan, 'kind'>[] =>
    readStages(parsed, isFields(stages) ? readList(stages, list) : []).map((interval) => ({
      from: offset(interval.start.epochMilliseconds),
      to: offset(interval.end.epochMilliseconds),
    }))
  const spans = STAGE_LISTS.flatMap(([list, kind]) =>
    spansOf(list).map((span) => ({ kind, ...span })),
  )
  const arranged = arrangeStages(spans, duration)
  return {
    type: duration >= LONG_SLEEP_SECONDS ? 'long_sleep' : 'short_sleep',
    duration_second: duration,
    ...summarizeStages(arranged, duration),
    latency_second: latencyOf(arranged, spansOf('in_bed_sleep_samples')),
    stage_start_offset_second: arranged.startOffsets,
    stage_end_offset_second: arranged.endOffsets,
    stage_type: arranged.types,
  }
}

/** Seconds from lying down to the first sleep, where both are told. */
function latencyOf({ asleepAt }: Stages, inBed: readonly Omit<StageSpan, 'kind'>[]): number | null {
  const lyingDown = inBed.reduce(
    (first, { from }) => Math.min(first, from),
    Number.POSITIVE_INFINITY,
  )
  if (asleepAt === null || lyingDown > asleepAt) return null
  return asleepAt - Math.max(0, lyingDown)
}

/** Stage samples; a wrong one is put aside by itself. */
function readStages(parsed: ParsedItem, list: readonly unknown[]): Interval[] {
  return list.flatMap((sample) => {
    const interval = readStage(sample)
    if (typeof interval !== 'string') return [interval]
    parsed.putAside.push({ resource: 'sleep', reason: interval, item: sample })
    return []
  })
}

function readStage(sample: unknown): Interval | PutAsideReason {
  return isFields(sample) ? readInterval(sample) : 'not_an_object'
}

function meanOf(samples: readonly Sample[]): number | null {
  if (samples.length === 0) return null
  return samples.reduce((sum, { value }) => sum + value, 0) / samples.length
}

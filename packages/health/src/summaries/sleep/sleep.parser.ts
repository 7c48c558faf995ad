import type { SeriesName } from '@salus/contracts/series'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import type { Sample } from '../../ingest/index.ts'
import { newSummary } from '../summary.ts'
import { type Interval, readInterval, readSession } from '../uploads/item-origin.ts'
import {
  type Fields,
  ItemReader,
  isFields,
  readKey,
  readList,
  withoutLists,
} from '../uploads/item-reader.ts'
import {
  addSamples,
  emptyItem,
  type ItemContext,
  type ItemOutcome,
  type ParsedItem,
  type QuarantineReason,
} from '../uploads/parsed-item.ts'
import { measureSleep, type SleepReadings, sleepTypeOf } from './sleep-readings.ts'
import {
  orderStages,
  STAGE_LISTS,
  type StageSpan,
  type Stages,
  summarizeStages,
} from './sleep-stages.ts'

/** Longer ones are mistakes, and their offsets would not fit their columns. */
const LONGEST_SLEEP_SECONDS = 7 * DAY_SECONDS

const SAMPLE_LISTS = [
  'heart_rate',
  'heart_rate_variability',
  'respiratory_rate',
  'wrist_temperature',
]

/**
 * Parses one sleep (docs/contract/07-mobile-sync.md#sleep) with the stages of its cycle, and
 * samples that become series.
 */
export function parseSleep(context: ItemContext, item: unknown): ItemOutcome {
  if (!isFields(item)) return 'not_an_object'
  // A sleep belongs to the day on which it ended.
  const session = readSession(context, item, 'end')
  if (typeof session === 'string') return session
  const { source, interval, frame } = session
  if (frame.endedAt - frame.startedAt > LONGEST_SLEEP_SECONDS * 1000) return 'out_of_range'
  const parsed = emptyItem()
  const readings = readingsOf(parsed, context, item)
  const reader = new ItemReader(item)
  const said = measurementsOf(context, reader)
  const values = {
    ...said,
    ...measureSleep(readings, frame, said),
    ...stagesOf(parsed, item, interval),
  }
  if (reader.problem !== undefined) return reader.problem
  parsed.devices.push({ sourceType: source.sourceType, item: source.keys })
  const raw = withoutLists(item, SAMPLE_LISTS)
  parsed.summaries.push(newSummary('sleep', { ...frame, raw }, values))
  return parsed
}

/** Returns the samples of a sleep, which become series, as readings of it. */
function readingsOf(parsed: ParsedItem, context: ItemContext, item: Fields): SleepReadings {
  const read = (series: SeriesName, list: string, metadata?: Fields): Sample[] =>
    addSamples(parsed, context, series, readKey(item, list), metadata)
  const heartRates = read('heartrate', 'heart_rate')
  const variabilities = read('hrv', 'heart_rate_variability')
  const isSdnn = ({ extra }: Sample): boolean => extra.includes('"sdnn"')
  return {
    heartRates,
    rmssd: variabilities.filter((sample) => !isSdnn(sample)),
    sdnn: variabilities.filter(isSdnn),
    respiratoryRates: read('respiratory_rate', 'respiratory_rate'),
    skinTemperatures: read('body_temperature', 'wrist_temperature', { sensor_location: 'wrist' }),
  }
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
  const arranged = orderStages(spans, duration)
  return {
    type: sleepTypeOf(duration),
    duration_second: duration,
    ...summarizeStages(arranged, duration),
    latency_second: latencyOf(arranged, spansOf('in_bed_sleep_samples')),
    stage_start_offset_second: arranged.startOffsets,
    stage_end_offset_second: arranged.endOffsets,
    stage_type: arranged.types,
  }
}

/** Returns the seconds from lying down to the first sleep, where both are known. */
function latencyOf({ asleepAt }: Stages, inBed: readonly Omit<StageSpan, 'kind'>[]): number | null {
  const lyingDown = inBed.reduce(
    (first, { from }) => Math.min(first, from),
    Number.POSITIVE_INFINITY,
  )
  if (asleepAt === null || lyingDown > asleepAt) return null
  return asleepAt - Math.max(0, lyingDown)
}

/** Reads stage samples; an invalid one is quarantined separately. */
function readStages(parsed: ParsedItem, list: readonly unknown[]): Interval[] {
  return list.flatMap((sample) => {
    const interval = readStage(sample)
    if (typeof interval !== 'string') return [interval]
    parsed.quarantined.push({ resource: 'sleep', reason: interval, item: sample })
    return []
  })
}

function readStage(sample: unknown): Interval | QuarantineReason {
  return isFields(sample) ? readInterval(sample) : 'not_an_object'
}

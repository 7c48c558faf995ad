import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { isFields } from '../../../summaries/index.ts'
import { readJsonItems } from '../../files/json.ts'
import { zoneOf } from '../../import-options.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'
import type { GarminDays } from './garmin-days.ts'
import type { GarminMember } from './garmin-members.ts'
import {
  dateIn,
  type Fields,
  offsetBetween,
  pickFields,
  readGmt,
  withoutGaps,
} from './garmin-values.ts'

const WATCH = { sourceType: 'watch' } as const
const MOST_SECONDS = 604_800
const KEPT = [
  'calendarDate',
  'sleepStartTimestampGMT',
  'sleepEndTimestampGMT',
  'sleepStartTimestampLocal',
  'sleepEndTimestampLocal',
  'sleepWindowConfirmationType',
  'sleepTimeSeconds',
  'deepSleepSeconds',
  'lightSleepSeconds',
  'remSleepSeconds',
  'awakeSleepSeconds',
  'unmeasurableSeconds',
  'averageRespiration',
]

interface Sleep {
  start: number
  end: number
  record: Fields
}

/** What was measured in the night of a day. */
export interface NightMetrics {
  variability?: number
  respiration?: number
}

/** Sleeps by the date on which the person woke: of several files with a date the latest counts. */
export class GarminSleeps {
  readonly #dates = new Map<string, { file: string; sleeps: Sleep[] }>()

  async read({ file }: GarminMember, data: TypeData, now: Date): Promise<void> {
    for await (const items of readJsonItems(file, '$.*')) {
      for (const item of items) this.add(file.path, item, data, now)
    }
  }

  add(file: string, item: unknown, data: TypeData, now: Date): void {
    const record = isFields(item) ? withoutGaps(known(item)) : {}
    const date = dateIn(record.calendarDate)
    const { sleepStartTimestampGMT: from, sleepEndTimestampGMT: to } = record
    // A day for which a sleep was entered later, or none was found.
    if (date !== undefined && from === undefined && to === undefined) {
      data.countNotSupported()
      return
    }
    const [start, end] = [readGmt(from), readGmt(to)]
    const refuse = (reason: 'invalid_date' | 'invalid_start_date' | 'invalid_end_date') => {
      data.count()
      data.quarantine('sleep', reason, record)
    }
    if (date === undefined) refuse('invalid_date')
    else if (start === undefined || !isPossibleTime(start, now)) refuse('invalid_start_date')
    else if (end === undefined || !isPossibleTime(end, now)) refuse('invalid_end_date')
    else {
      const earlier = this.#dates.get(date)
      const isOther = earlier !== undefined && earlier.file !== file
      if (isOther) for (const _sleep of earlier.sleeps) data.countMerged()
      const sleeps = earlier === undefined || isOther ? [] : earlier.sleeps
      const same = sleeps.findIndex((sleep) => sleep.start === start)
      if (same >= 0) {
        sleeps.splice(same, 1)
        data.countMerged()
      }
      sleeps.push({ start, end, record })
      this.#dates.set(date, { file, sleeps })
    }
  }

  /** Returns the end of the night of a date, epoch milliseconds. */
  wakeTimeOf(date: string): number | undefined {
    return this.#nightOf(date)?.end
  }

  /** The longest sleep of a date is its night. */
  #nightOf(date: string): Sleep | undefined {
    const sleeps = this.#dates.get(date)?.sleeps ?? []
    return sleeps.toSorted((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)[0]
  }

  /** @param metrics What was measured in the nights, by date. */
  addTo(
    data: TypeData,
    { options }: ImportContext,
    days: GarminDays,
    metrics: ReadonlyMap<string, NightMetrics>,
  ): void {
    const zone = zoneOf(options)
    for (const [date, { sleeps }] of this.#dates) {
      const night = this.#nightOf(date)
      for (const sleep of sleeps) {
        data.count()
        const offsetAt = (at: number) =>
          offsetIn(sleep, at) ?? (zone === null ? days.offsetOf(date) : zoneOffsetSeconds(zone, at))
        const frame = { date, isNight: sleep === night, offsetAt }
        addSleep(data, sleep, frame, sleep === night ? (metrics.get(date) ?? {}) : {})
      }
    }
  }
}

/** Returns the offset that a record has itself. */
function offsetIn({ start, record }: Sleep, at: number): number | null {
  const name = at === start ? 'Start' : 'End'
  const gmt = record[`sleep${name}TimestampGMT`]
  return offsetBetween(record[`sleep${name}TimestampLocal`], gmt)
}

function known(item: Fields): Fields {
  const { sleepScores: scores } = item
  const score = isFields(scores) ? scores.overallScore : undefined
  return { ...pickFields(item, KEPT), ...(score !== undefined && { overallScore: score }) }
}

function addSleep(
  data: TypeData,
  { start, end, record }: Sleep,
  {
    date,
    isNight,
    offsetAt,
  }: { date: string; isNight: boolean; offsetAt: (at: number) => number | null },
  metrics: NightMetrics,
): void {
  const reader = data.read('sleep', record)
  if (reader === undefined) return
  const seconds = (name: string) => reader.integer(name, 0, MOST_SECONDS)
  const parts = [
    seconds('deepSleepSeconds'),
    seconds('lightSleepSeconds'),
    seconds('remSleepSeconds'),
  ]
  const asleep = parts.every((part) => part === null)
    ? null
    : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)
  const [deep = null, light = null, rem = null] = parts
  const values = {
    ...(!isNight && { type: 'acknowledged_nap' }),
    stage_asleep_second: seconds('sleepTimeSeconds') ?? asleep,
    stage_deep_second: deep,
    stage_light_second: light,
    stage_rem_second: rem,
    stage_awake_second: seconds('awakeSleepSeconds'),
    stage_unknown_second: seconds('unmeasurableSeconds'),
    respiratory_rate: reader.measured('averageRespiration', 120) ?? metrics.respiration ?? null,
    hrv_mean_rmssd: metrics.variability ?? null,
    score: reader.integer('overallScore', 0, 100) || null,
  }
  if (!data.isValid('sleep', reader, record)) return
  data.addSleep({
    ...WATCH,
    // As by the connector: a night is sent again with other times, so that its day identifies it.
    recordId: isNight ? date : `nap-${start / 1000}`,
    calendarDate: date,
    start: { at: start, offset: offsetAt(start) },
    end: { at: end, offset: offsetAt(end) },
    values,
    raw: record,
  })
}

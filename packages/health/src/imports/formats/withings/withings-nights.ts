import {
  readInstant,
  type VendorInstant,
  type VendorStageSpan,
  WITHINGS_STAGES,
} from '../../../connectors/index.ts'
import type { CsvRow, CsvTable } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import { readDecimal } from '../../files/table-numbers.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'

/** A century of nights has some forty thousand, of about fifty stages each. */
const MOST_NIGHTS = 200_000
const MOST_SPANS = 5_000_000

type Seconds = Partial<Record<'light' | 'deep' | 'rem' | 'awake', number>>

interface Night {
  start: VendorInstant
  end: VendorInstant
  values: Record<string, number | null>
  seconds: Seconds
  raw: unknown
  /** Stages by the number of their device. */
  stages: Map<number, VendorStageSpan[]>
}

/** Nights in the order of their start. */
export interface Nights {
  readonly list: readonly Night[]
  /** Duration of the longest night, milliseconds: none that begins earlier reaches an instant. */
  readonly longest: number
  spans: number
}

const COLUMNS = {
  from: /^from$/i,
  to: /^to$/i,
  light: /^light/i,
  deep: /^deep/i,
  rem: /^rem/i,
  awake: /^awake/i,
  latency: /^duration to sleep/i,
  mean: /^average heart rate/i,
  least: /^heart rate \(min\)/i,
  most: /^heart rate \(max\)/i,
} as const
type Column = keyof typeof COLUMNS

/** Reads the nights, which wait for the stages of other files. */
export async function readNights(
  table: CsvTable | undefined,
  { now }: ImportContext,
  out: ImportWriter,
): Promise<Nights> {
  const list: Night[] = []
  if (table !== undefined) {
    const names = Object.entries(COLUMNS).map(([column, pattern]) => [
      column,
      table.head.find((name) => pattern.test(name)) ?? '',
    ])
    const columns = Object.fromEntries(names) as Record<Column, string>
    const data = out.type('sleep', 'sleep')
    for await (const rows of table.batches()) {
      for (const row of rows) {
        data.count()
        const night = nightOf(row, columns, data, now)
        if (night !== undefined) list.push(night)
      }
      if (list.length > MOST_NIGHTS) throw new ImportFileError('file_too_large')
      await out.settle()
    }
  }
  list.sort((a, b) => a.start.at - b.start.at || a.end.at - b.end.at)
  const longest = list.reduce((most, { start, end }) => Math.max(most, end.at - start.at), 0)
  return { list, longest, spans: 0 }
}

function nightOf(
  row: CsvRow,
  columns: Record<Column, string>,
  data: TypeData,
  now: Date,
): Night | undefined {
  const raw = row.pick(Object.values(columns).filter((name) => name !== ''))
  const [start, end] = [readInstant(row.get(columns.from)), readInstant(row.get(columns.to))]
  if (start === undefined || !isPossibleTime(start.at, now)) {
    data.quarantine('sleep', 'invalid_start_date', raw)
    return undefined
  }
  if (end === undefined || !isPossibleTime(end.at, now)) {
    data.quarantine('sleep', 'invalid_end_date', raw)
    return undefined
  }
  let isSound = true
  const number = (column: Column, most: number): number | null => {
    const text = row.get(columns[column])
    if (text === '') return null
    const value = readDecimal(text)
    isSound &&= value >= 0 && value <= most
    return Math.round(value)
  }
  const longest = Math.max(0, (end.at - start.at) / 1000)
  const seconds: Seconds = {}
  for (const stage of ['light', 'deep', 'rem', 'awake'] as const) {
    const value = number(stage, longest)
    if (value !== null) seconds[stage] = value
  }
  const staged = [seconds.light, seconds.deep, seconds.rem].filter((value) => value !== undefined)
  const values = {
    stage_asleep_second: staged.length === 0 ? null : staged.reduce((sum, value) => sum + value, 0),
    stage_light_second: seconds.light ?? null,
    stage_deep_second: seconds.deep ?? null,
    stage_rem_second: seconds.rem ?? null,
    stage_awake_second: seconds.awake ?? null,
    latency_second: number('latency', longest),
    // 0 means that there is none.
    heart_rate_mean: number('mean', 350) || null,
    heart_rate_minimum: number('least', 350) || null,
    heart_rate_maximum: number('most', 350) || null,
  }
  if (isSound) return { start, end, values, seconds, raw, stages: new Map() }
  data.quarantine('sleep', 'out_of_range', raw)
  return undefined
}

/** Adds stages of a device to the nights that they lie in. */
export function addStages(
  data: TypeData,
  nights: Nights,
  row: {
    device: number
    start: number
    items: readonly { from: number; lasts: number; value: number }[]
  },
): void {
  for (const { from, lasts, value } of row.items) {
    const [start, end] = [row.start + from, row.start + from + lasts]
    const found = nightsAround(nights, start, end)
    // Stages of a night that the table of nights lacks.
    if (found.length === 0) data.countAsNotSupported()
    else data.countAsMerged()
    for (const night of found) {
      const spans = night.stages.get(row.device) ?? []
      night.stages.set(row.device, spans)
      const begins = (Math.max(start, night.start.at) - night.start.at) / 1000
      const ends = (Math.min(end, night.end.at) - night.start.at) / 1000
      const stage = WITHINGS_STAGES.get(value) ?? 'unknown'
      const last = spans.at(-1)
      // Devices write a stage for each minute.
      if (last?.stage === stage && last.to === begins) last.to = ends
      else {
        spans.push({ stage, from: begins, to: ends })
        if (++nights.spans > MOST_SPANS) throw new ImportFileError('file_too_large')
      }
    }
  }
}

function nightsAround({ list, longest }: Nights, start: number, end: number): Night[] {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] as Night).start.at < start - longest) low = middle + 1
    else high = middle
  }
  const found: Night[] = []
  for (let index = low; index < list.length; index++) {
    const night = list[index] as Night
    if (night.start.at >= end) break
    if (night.end.at > start) found.push(night)
  }
  return found
}

/** Stores the nights with their stages. */
export async function addNights({ list }: Nights, out: ImportWriter): Promise<void> {
  const data = out.type('sleep', 'sleep')
  for (const [index, night] of list.entries()) {
    const { start, end, values, raw } = night
    const stages = stagesOf(night)
    data.addSleep({
      // The cloud connection names nights that have no id by their seconds.
      recordId: String(Math.round(start.at / 1000)),
      start,
      end,
      values,
      stages,
      raw,
    })
    if (index % 1000 === 999) await out.settle()
  }
  await out.settle()
}

/**
 * Returns the stages of the device whose sums are nearest to those of the night: a tracker and a
 * sleep monitor may both have recorded it.
 */
function stagesOf({ stages, seconds }: Night): VendorStageSpan[] {
  const all = [...stages].sort(([one], [other]) => one - other).map(([, spans]) => spans)
  const distance = (spans: readonly VendorStageSpan[]): number =>
    (['light', 'deep', 'rem', 'awake'] as const).reduce((sum, stage) => {
      const ofStage = spans.filter((span) => span.stage === stage)
      const total = ofStage.reduce((all, { from, to }) => all + to - from, 0)
      return sum + Math.abs(total - (seconds[stage] ?? 0))
    }, 0)
  const [best = []] = all.sort((one, other) => distance(one) - distance(other))
  return best.sort((one, other) => one.from - other.from)
}

import type { SourceType } from '@salus/contracts/series'
import { readInstant, type VendorInstant } from '../../../connectors/index.ts'
import type { CsvRow, CsvTable } from '../../files/csv.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'
import { addStages, type Nights } from './withings-nights.ts'

interface RawSeries {
  series: 'heartrate' | 'steps' | 'distance' | 'calories_active'
  unit: string
  sourceType: SourceType
}

/** Files whose values are samples. A sleep monitor, below the mattress, has no type of its own. */
export const RAW_SERIES: ReadonlyMap<string, RawSeries> = new Map<string, RawSeries>([
  ['raw_tracker_hr.csv', { series: 'heartrate', unit: 'bpm', sourceType: 'watch' }],
  ['raw_sleep-monitor_hr.csv', { series: 'heartrate', unit: 'bpm', sourceType: 'unknown' }],
  ['raw_tracker_steps.csv', { series: 'steps', unit: 'count', sourceType: 'watch' }],
  ['raw_tracker_distance.csv', { series: 'distance', unit: 'm', sourceType: 'watch' }],
  [
    'raw_tracker_calories-earned.csv',
    { series: 'calories_active', unit: 'kcal', sourceType: 'watch' },
  ],
])

/** Files of stages of sleep, with the number of their device. */
export const STATE_FILES: ReadonlyMap<string, number> = new Map([
  ['raw_tracker_sleep-state.csv', 0],
  ['raw_sleep-monitor_sleep-state.csv', 1],
])

/** A value with the milliseconds at which it begins, and how long it lasts. */
interface Item {
  from: number
  lasts: number
  value: number
}

const LIST = /^\[[\d.,\s-]*\]$/

/** Reads `[60,60]`, or one number; undefined for any other text. */
function readList(text: string): number[] | undefined {
  const trimmed = text.trim()
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return [Number(trimmed)]
  if (!LIST.test(trimmed)) return undefined
  try {
    return JSON.parse(trimmed) as number[]
  } catch {
    return undefined
  }
}

/**
 * Returns the values of a row: each begins where the one before ends. Undefined for lists that do
 * not fit each other.
 */
function itemsOf(row: CsvRow): Item[] | undefined {
  const [durations, values] = [readList(row.get('duration')), readList(row.get('value'))]
  if (durations === undefined || durations.length !== values?.length) return undefined
  if (durations.some((duration) => duration < 0)) return undefined
  let from = 0
  return durations.map((duration, index) => {
    const item = { from, lasts: duration * 1000, value: values[index] as number }
    from += item.lasts
    return item
  })
}

/** Adds the values of a file of lists: samples, or stages of nights. */
export async function addRawSamples(
  name: string,
  table: CsvTable,
  nights: Nights,
  { now }: ImportContext,
  out: ImportWriter,
): Promise<void> {
  const known = RAW_SERIES.get(name)
  const device = STATE_FILES.get(name) ?? 0
  const resource = known?.series ?? 'sleep_cycle'
  // The name is one of those above.
  const data = out.type(name.replace('.csv', ''), resource)
  for await (const rows of table.batches()) {
    for (const row of rows) {
      const start = readInstant(row.get('start'))
      const items = itemsOf(row)
      const item = { start: row.get('start') }
      data.count(items?.length ?? 1)
      if (start === undefined || !isPossibleTime(start.at, now)) {
        for (const _ of items ?? [1]) data.quarantine(resource, 'invalid_start_date', item)
      } else if (items === undefined) data.quarantine(resource, 'invalid_value', item)
      else if (known !== undefined) addItems(data, known, start, items)
      else addStages(data, nights, { device, start: start.at, items })
    }
    await out.settle()
  }
}

function addItems(
  data: TypeData,
  { series, unit, sourceType }: RawSeries,
  { at, offset }: VendorInstant,
  items: readonly Item[],
): void {
  for (const { from, lasts, value } of items) {
    const start = { at: at + from, offset }
    const end = { at: at + from + lasts, offset }
    const isPoint = series === 'heartrate'
    const sample = { start, ...(!isPoint && { end }), sourceType, value, unit }
    // 0 means that the rate was not measured.
    if (isPoint && value === 0) data.countAsNotSupported()
    else data.addSample(series, sample)
  }
}

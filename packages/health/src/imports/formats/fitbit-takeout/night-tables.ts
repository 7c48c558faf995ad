import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { VendorInstant } from '../../../connectors/index.ts'
import { type CsvRow, openCsv } from '../../files/csv.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import { readUtc } from './fitbit-times.ts'
import type { Member, MemberKind } from './members.ts'
import { type ListTarget, placed } from './minute-lists.ts'

const WATCH = { sourceType: 'watch' } as const
/** The vendor writes it for a minute without a reading. */
const NO_OXYGEN = 50

interface NightTable {
  series: 'hrv' | 'blood_oxygen' | 'body_temperature_delta' | 'respiratory_rate'
  unit: string
  time: string
  value: string
  extra?: Readonly<Record<string, string>>
  /** Milliseconds of an interval. */
  length?: number
  /** A mean of a night, which is placed at noon as by the connector. */
  isDaily?: true
  /** The table from which the means were made. */
  unless?: MemberKind
}

export const NIGHT_TABLES: Readonly<Partial<Record<MemberKind, NightTable>>> = {
  hrv_details: {
    series: 'hrv',
    unit: 'ms',
    time: 'timestamp',
    value: 'rmssd',
    extra: { method: 'rmssd' },
  },
  hrv_days: {
    series: 'hrv',
    unit: 'ms',
    time: 'timestamp',
    value: 'rmssd',
    extra: { method: 'rmssd' },
    isDaily: true,
    unless: 'hrv_details',
  },
  breath_days: {
    series: 'respiratory_rate',
    unit: 'bpm',
    time: 'timestamp',
    value: 'daily_respiratory_rate',
    isDaily: true,
  },
  minute_oxygen: { series: 'blood_oxygen', unit: '%', time: 'timestamp', value: 'value' },
  daily_oxygen: {
    series: 'blood_oxygen',
    unit: '%',
    time: 'timestamp',
    value: 'average_value',
    isDaily: true,
    unless: 'minute_oxygen',
  },
  device_temperature: {
    series: 'body_temperature_delta',
    unit: '°C',
    time: 'recorded_time',
    value: 'temperature',
    extra: { sensor_location: 'wrist' },
    length: MINUTE_MS,
  },
}

/** Adds what was measured in nights, mostly in local time. */
export async function addNightTable(
  { file }: Member,
  table: NightTable,
  { data, context, settle }: ListTarget,
): Promise<void> {
  const { series, unit, extra, length = 0 } = table
  let last: VendorInstant | undefined
  const startOf = (row: CsvRow): VendorInstant | undefined => {
    const text = row.get(table.time)
    if (table.isDaily) {
      // The date of the person, as a midnight.
      const date = text.slice(0, 10)
      const at = readUtc(`${date}T00:00:00Z`)
      return at === undefined ? undefined : { at: startOfUtcDay(date) + 12 * HOUR_MS, offset: null }
    }
    const utc = readUtc(text)
    last = utc === undefined ? context.clock.local(text, last) : placed(utc, context)
    return last
  }
  for await (const rows of (await openCsv(file)).batches()) {
    for (const row of rows) {
      const raw = row.pick([table.time, table.value])
      const start = startOf(row)
      const text = row.get(table.value)
      const value = text === '' ? Number.NaN : Number(text)
      data.count()
      if (start === undefined || !isPossibleTime(start.at, context.now)) {
        data.quarantine(series, 'invalid_start_date', raw)
      } else if (series === 'blood_oxygen' && value <= NO_OXYGEN) {
        data.quarantine(series, 'out_of_range', raw)
      } else {
        const end = { at: start.at + length, offset: start.offset }
        const sample = { ...WATCH, start, end, value, unit, ...(extra && { extra }) }
        data.addSample(series, sample, raw)
      }
    }
    await settle()
  }
}

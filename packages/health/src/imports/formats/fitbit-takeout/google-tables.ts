import { createHash } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { SourceType, VendorInstant } from '../../../connectors/index.ts'
import type { CsvRow } from '../../files/csv.ts'
import { openCsv, readFirstRows } from '../../files/csv.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import { readUtc } from './fitbit-times.ts'
import type { Member } from './members.ts'
import { countOutcome, type ListTarget, localDateOf, type Outcome, placed } from './minute-lists.ts'

type SeriesOf = Parameters<TypeData['addSample']>[0]

/** A table of one value in each row. */
interface ValueTable {
  series: SeriesOf
  unit: string
  /** Values are divided by it. */
  divisor?: number
  extra?: Readonly<Record<string, string>>
  /** Whether a row is an amount of a minute. */
  isAmount?: true
}

/** Names of the column of the value. */
const VALUES: Readonly<Record<string, ValueTable>> = {
  steps: { series: 'steps', unit: 'count', isAmount: true },
  distance: { series: 'distance', unit: 'm', isAmount: true },
  'beats per minute': { series: 'heartrate', unit: 'bpm' },
  'weight grams': { series: 'body_weight', unit: 'kg', divisor: 1000 },
  'body fat percentage': { series: 'body_fat', unit: '%' },
  'temperature celsius': { series: 'body_temperature', unit: '°C' },
  'oxygen saturation percentage': { series: 'blood_oxygen', unit: '%' },
  'root mean square of successive differences milliseconds': {
    series: 'hrv',
    unit: 'ms',
    extra: { method: 'rmssd' },
  },
  'breaths per minute': { series: 'respiratory_rate', unit: 'bpm' },
}
/** Series of which a table in daily form has a mean for each date. */
const DAILY: ReadonlySet<string> = new Set(['heartrate', 'respiratory_rate'])
const MIDNIGHT = /T00:00:00(?:\.0+)?Z$/
const SOURCE = 'data source'

/** Products that are no names of people; the source with another name is a hash of it. */
const PRODUCT =
  /^(?:google|fitbit|pixel|charge|versa|sense|inspire|luxe|ionic|alta|ace|blaze|surge|flex|zip|aria|mobiletrack|fit health connect|health connect|phone|manual)[\w .+-]{0,40}$/i
const PHONE = /^(?:mobiletrack|google health app|phone)/i
const SCALE = /^(?:fitbit )?aria/i

/** Returns the source of a label: its kind, and the app that distinguishes it. */
function sourceOf(label: string): { sourceType: SourceType; appId: string } {
  if (label === '') return { sourceType: 'unknown', appId: '' }
  const isProduct = PRODUCT.test(label)
  const hashed = () => `source-${createHash('sha256').update(label).digest('hex').slice(0, 12)}`
  const sourceType = PHONE.test(label) ? 'phone' : SCALE.test(label) ? 'scale' : 'unknown'
  return { sourceType, appId: isProduct ? label : hashed() }
}

/**
 * Adds a table with times in UTC, a value and its source. Each source is one of its own, because
 * several record the same minutes. Days that the lists of the older export have are left out.
 */
export async function addGoogleTable(member: Member, target: ListTarget): Promise<void> {
  const { data, covered, context, settle } = target
  const column = member.head.find((name) => Object.hasOwn(VALUES, name))
  const known = column === undefined ? undefined : VALUES[column]
  if (column === undefined || known === undefined) {
    data.countNotSupported()
    return
  }
  const isDaily = DAILY.has(known.series) && (await hasDatesOnly(member))
  const table = await openCsv(member.file)
  const sources = new Map<string, ReturnType<typeof sourceOf>>()
  const add = (row: CsvRow): Outcome => {
    const raw = row.pick(['timestamp', column])
    const at = readUtc(row.get('timestamp'))
    if (at === undefined || !isPossibleTime(at, context.now)) {
      data.quarantine(known.series, 'invalid_start_date', raw)
      return undefined
    }
    const text = row.get(column)
    const value = (text === '' ? Number.NaN : Number(text)) / (known.divisor ?? 1)
    if (isDaily) return addDaily(target, known, { at, value, raw })
    if (covered.has(known.series, at)) return 'merged'
    const label = row.get(SOURCE)
    const source = sources.get(label) ?? sourceOf(label)
    sources.set(label, source)
    const start = placed(at, context)
    const end = known.isAmount ? placed(at + MINUTE_MS, context) : start
    const { series, unit, extra } = known
    data.addSample(series, { ...source, start, end, value, unit, ...(extra && { extra }) }, raw)
    if (series === 'body_weight' && value > 0 && value <= 700) addBody(data, start, value, source)
    return undefined
  }
  for await (const rows of table.batches()) {
    for (const row of rows) countOutcome(data, add(row))
    await settle()
  }
}

/** A daily table has the date of the person as a midnight in UTC. */
async function hasDatesOnly({ file, head }: Member): Promise<boolean> {
  if (/^daily_/.test(file.name)) return true
  const at = head.indexOf('timestamp')
  const times = (await readFirstRows(file)).slice(1).map((row) => row[at] ?? '')
  return times.length > 0 && times.every((time) => MIDNIGHT.test(time))
}

function addDaily(
  { data, days }: ListTarget,
  { series, unit }: ValueTable,
  { at, value, raw }: { at: number; value: number; raw: Record<string, string> },
): Outcome {
  const date = localDateOf({ at, offset: 0 }) ?? ''
  if (series === 'heartrate') {
    if (!(value >= 10 && value <= 350)) {
      data.quarantine('activity', 'out_of_range', raw)
      return undefined
    }
    days.setRestingRate(date, value)
    return 'merged'
  }
  // A day without a time is placed at noon UTC, as by the connector.
  const start: VendorInstant = { at: startOfUtcDay(date) + 12 * HOUR_MS, offset: null }
  data.addSample(series, { sourceType: 'watch', start, value, unit }, raw)
  return undefined
}

function addBody(
  data: TypeData,
  start: VendorInstant,
  kilograms: number,
  source: { sourceType: SourceType; appId: string },
): void {
  data.addSummary('body', {
    ...source,
    recordId: `weight-${start.at}`,
    start,
    values: { weight_kilogram: kilograms },
    raw: { weight_kilogram: kilograms },
  })
}

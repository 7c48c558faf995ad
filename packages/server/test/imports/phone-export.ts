import { Temporal } from 'temporal-polyfill'
import { exportXml } from './import-client.ts'

/** A part of a local day that the person spends in one zone, in whole hours. */
export interface Stay {
  date: string
  zone: string
  from: number
  to: number
}

export interface PhoneExportOptions {
  stays: readonly Stay[]
  /** Zone in which the phone lies when it exports, and when. */
  exportZone: string
  exportedAt: string
  /** Which elements name their zone; by default none. */
  namesZone?: { sleep?: boolean; workouts?: boolean }
  /** Write the offset of each record, as some exporters do and no phone does. */
  hasOwnOffsets?: boolean
  seed?: number
}

/** What the person did on a local day, noted while it was made up. */
export interface DayTruth {
  steps: number
  lowest: number
  highest: number
}

export interface PhoneExport {
  xml: string
  /** By local date. */
  days: Map<string, DayTruth>
  /** Local date and offset in seconds of each workout, in order of time. */
  workouts: [date: string, offset: number][]
  /** Local date of waking up and offset of each night, in order of time. */
  nights: [date: string, offset: number][]
  /** Offset in seconds of each step count, by its start in ISO 8601. */
  offsets: Map<string, number>
  /** Records and workouts. */
  count: number
}

interface Made {
  type: string
  attributes: Record<string, string>
  start: Temporal.ZonedDateTime
  end: Temporal.ZonedDateTime
  isZoned: boolean
}

const STEPS = 'HKQuantityTypeIdentifierStepCount'
const HEART_RATE = 'HKQuantityTypeIdentifierHeartRate'
const SLEEP = 'HKCategoryTypeIdentifierSleepAnalysis'

/** Whole days in one zone. */
export function daysAt(zone: string, first: string, count: number): Stay[] {
  const start = Temporal.PlainDate.from(first)
  return Array.from({ length: count }, (_, index) => ({
    date: start.add({ days: index }).toString(),
    zone,
    from: 0,
    to: 24,
  }))
}

/**
 * An export as a phone writes it: each time in the offset of the place and day of the export,
 * records by type. Life is made up on the person's wall clock, of which the truth is noted before
 * any time becomes an instant: steps and heart rates in every waking hour, the first and the last
 * of the day among them, a night from 1 to 7, a workout at 18 on every third day. The same seed
 * makes the same file.
 */
export function phoneExport(options: PhoneExportOptions): PhoneExport {
  const { stays, exportZone, exportedAt, namesZone = {}, hasOwnOffsets = false, seed = 1 } = options
  const random = seededRandom(seed)
  const made: Made[] = []
  const days = new Map<string, DayTruth>()
  const truth: Pick<PhoneExport, 'workouts' | 'nights' | 'offsets'> = {
    workouts: [],
    nights: [],
    offsets: new Map(),
  }
  for (const [index, stay] of stays.entries()) {
    const at = (hour: number, minute = 0): Temporal.ZonedDateTime =>
      Temporal.PlainDate.from(stay.date).toZonedDateTime({
        timeZone: stay.zone,
        plainTime: { hour, minute },
      })
    const isHere = (from: number, to: number) => from >= stay.from && to <= stay.to
    for (const hour of [0, 7, 9, 12, 15, 19, 22, 23]) {
      if (!isHere(hour, hour + 1)) continue
      const steps = 1 + Math.floor(random() * 900)
      const rate = 50 + Math.floor(random() * 100)
      const start = at(hour, Math.floor(random() * 45))
      const day = days.get(stay.date) ?? { steps: 0, lowest: rate, highest: rate }
      days.set(stay.date, {
        steps: day.steps + steps,
        lowest: Math.min(day.lowest, rate),
        highest: Math.max(day.highest, rate),
      })
      truth.offsets.set(instantOf(start), start.offsetNanoseconds / 1e9)
      const span = { start, end: start.add({ minutes: 10 }), isZoned: false }
      made.push({ ...span, type: STEPS, attributes: { unit: 'count', value: String(steps) } })
      const beats = { unit: 'count/min', value: String(rate) }
      made.push({ ...span, end: start, type: HEART_RATE, attributes: beats })
    }
    if (isHere(1, 7)) {
      const value = 'HKCategoryValueSleepAnalysisAsleepCore'
      const [start, end] = [at(1), at(7)]
      truth.nights.push([stay.date, end.offsetNanoseconds / 1e9])
      made.push({
        type: SLEEP,
        attributes: { value },
        start,
        end,
        isZoned: namesZone.sleep === true,
      })
    }
    if (index % 3 === 0 && isHere(18, 19)) {
      const start = at(18)
      truth.workouts.push([stay.date, start.offsetNanoseconds / 1e9])
      const attributes = { workoutActivityType: 'HKWorkoutActivityTypeRunning' }
      const span = { start, end: at(18, 40), isZoned: namesZone.workouts === true }
      made.push({ ...span, type: 'Workout', attributes })
    }
  }
  const exported = Temporal.Instant.from(exportedAt).toZonedDateTimeISO(exportZone)
  const write = (time: Temporal.ZonedDateTime): string =>
    appleDate(time, hasOwnOffsets ? time.offset : exported.offset)
  const types = [HEART_RATE, STEPS, SLEEP, 'Workout']
  const elements = types.flatMap((type) =>
    made.filter((item) => item.type === type).map((item) => elementOf(item, write)),
  )
  const head = `<ExportDate value="${write(exported)}"/>`
  return { xml: exportXml([head, ...elements].join('\n')), days, ...truth, count: made.length }
}

function elementOf(
  { type, attributes, start, end, isZoned }: Made,
  write: (time: Temporal.ZonedDateTime) => string,
): string {
  const isWorkout = type === 'Workout'
  const all = {
    ...(!isWorkout && { type }),
    sourceName: 'Tester',
    ...attributes,
    creationDate: write(end),
    startDate: write(start),
    endDate: write(end),
  }
  const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`)
  const name = isWorkout ? 'Workout' : 'Record'
  const zoneEntry = `<MetadataEntry key="HKTimeZone" value="${start.timeZoneId}"/>`
  return `<${name} ${text.join(' ')}${isZoned ? `>${zoneEntry}</${name}>` : '/>'}`
}

/** `2024-03-10 01:59:00 -0800`: an instant on the clock of an offset such as `-08:00`. */
function appleDate(time: Temporal.ZonedDateTime, offset: string): string {
  const [date, timeOfDay = ''] = time.withTimeZone(offset).toPlainDateTime().toString().split('T')
  return `${date} ${`${timeOfDay}:00`.slice(0, 8)} ${offset.replace(':', '')}`
}

const instantOf = (time: Temporal.ZonedDateTime): string =>
  `${time.toInstant().toString().slice(0, 19)}+00:00`

/** mulberry32: small, and the same on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

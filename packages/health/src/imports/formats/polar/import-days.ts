import { DAY_MS, DAY_SECONDS, MINUTE_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import { polarClockMs, type VendorInstant } from '../../../connectors/index.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { readJsonFile, readJsonItems } from '../../files/json.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { ImportContext } from '../import-format.ts'
import { type Fields, fieldsOf } from './polar-fields.ts'

/** Reads days of activity: a file each. */
export async function importDays(
  files: readonly ImportFile[],
  context: ImportContext,
  out: ImportWriter,
): Promise<void> {
  const data = out.type('activity', 'activity')
  const steps = out.type('activity samples', 'steps')
  for (const file of files) {
    const content = await readJsonFile(file)
    const day = fieldsOf(content)
    data.count()
    if (day === undefined) {
      data.quarantine('activity', 'not_an_object', content)
      continue
    }
    const { date } = day
    const text = data.date('activity', date, { date })
    if (text !== undefined) {
      addDay(data, text, fieldsOf(day.summary) ?? {})
      addSteps(steps, text, fieldsOf(day.samples)?.steps, context)
    }
    await out.settle()
  }
}

function addDay(data: TypeData, date: string, summary: Fields): void {
  const { stepCount, stepsDistance, calories } = summary
  const raw = { date, stepCount, stepsDistance, calories }
  const reader = data.read('activity', raw)
  if (reader === undefined) return
  const values = {
    // With the energy at rest.
    calories_total: reader.number('calories'),
    steps: reader.integer('stepCount'),
    distance_meter: reader.number('stepsDistance'),
  }
  const isEmpty = Object.values(values).every((value) => value === null)
  if (!data.isValid('activity', reader, raw) || isEmpty) return
  data.addSummary('activity', {
    ...{ recordId: date, calendarDate: date, sourceType: 'watch', values, raw },
    start: { at: startOfUtcDay(date), offset: null },
  })
}

/** A day of the wall clock, whose times may go on after midnight. */
const HALF_DAY_MS = DAY_MS / 2

/** Adds counts, one a minute, by the wall clock of the day. */
function addSteps(data: TypeData, date: string, list: unknown, context: ImportContext): void {
  const instantAt = readerOfDay(date, context)
  let before = 0
  let days = 0
  let last: VendorInstant | undefined
  for (const sample of Array.isArray(list) ? list : []) {
    const { localTime, value } = fieldsOf(sample) ?? {}
    data.count()
    const clock = polarClockMs(typeof localTime === 'string' ? localTime.slice(0, 8) : localTime)
    if (clock < before - HALF_DAY_MS) days++
    before = clock
    const start = Number.isNaN(clock) ? undefined : instantAt(days * DAY_MS + clock, last)
    const item = () => ({ date, localTime, value })
    if (start === undefined) {
      data.quarantine('steps', 'invalid_start_date', item)
      continue
    }
    last = start
    const end = { ...start, at: start.at + MINUTE_MS }
    const count = {
      start,
      end,
      sourceType: 'watch',
      value: value as number,
      unit: 'count',
    } as const
    data.addSample('steps', count, item)
  }
}

/** Reads continuous heart rates. A month may have half a million. */
export async function importHeartRates(
  files: readonly ImportFile[],
  context: ImportContext,
  out: ImportWriter,
): Promise<void> {
  const data = out.type('247ohr', 'heartrate')
  for (const file of files) {
    for await (const days of readJsonItems(file, '$.deviceDays.*')) {
      for (const day of days) {
        addRates(data, day, context)
        await out.settle()
      }
    }
  }
}

function addRates(data: TypeData, day: unknown, context: ImportContext): void {
  const { date, samples } = fieldsOf(day) ?? {}
  const list = Array.isArray(samples) ? samples : []
  const text = data.date('heartrate', date, { date })
  if (text === undefined) {
    data.count(1)
    return
  }
  data.count(list.length)
  const instantAt = readerOfDay(text, context)
  let last: VendorInstant | undefined
  for (const sample of list) {
    const { secondsFromDayStart: seconds, heartRate: value } = fieldsOf(sample) ?? {}
    const isSecond = typeof seconds === 'number' && seconds >= 0 && seconds < DAY_SECONDS * 1.05
    const start = isSecond ? instantAt(seconds * 1000, last) : undefined
    const item = () => ({ date: text, secondsFromDayStart: seconds, heartRate: value })
    if (start === undefined) {
      data.quarantine('heartrate', 'invalid_start_date', item)
      continue
    }
    last = start
    // 0 means that the watch measured none.
    if (value === 0 || value === null) continue
    const rate = { start, sourceType: 'watch', value: value as number, unit: 'bpm' } as const
    data.addSample('heartrate', rate, item)
  }
}

/** Returns the instant of a time of the wall clock, in milliseconds from the midnight of a day. */
type ClockReader = (clock: number, after?: VendorInstant) => VendorInstant | undefined

/** Looks a day up once: nearly every day has one offset, and a day may have 17,280 samples. */
function readerOfDay(date: string, { clock }: ImportContext): ClockReader {
  const midnight = startOfUtcDay(date)
  const local = (milliseconds: number, after?: VendorInstant) => {
    const text = new Date(midnight + milliseconds).toISOString().slice(0, -1)
    return clock.local(text, after)
  }
  const [first, last] = [local(0), local(DAY_MS + HALF_DAY_MS)]
  const isSame = first !== undefined && first.offset === last?.offset
  if (!isSame) return local
  return (milliseconds) => ({ at: first.at + milliseconds, offset: first.offset })
}

import { DAY_MS } from '@salus/contracts/time-units'
import { dateAtOffset, startOfUtcDay } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { zoneOf } from '../../../import-options.ts'
import type { ImportWriter } from '../../../running/import-writer.ts'
import { isPossibleTime } from '../../../running/possible-time.ts'
import type { TypeData } from '../../../running/type-data.ts'
import type { ImportContext } from '../../import-format.ts'
import type { FitFile } from './fit-file.ts'
import { at, offsetOf, timeOf } from './fit-values.ts'

type Fields = Record<string, unknown>

const FIT_EPOCH_SECONDS = 631_065_600
const WATCH = { sourceType: 'watch' } as const
const UNITS = { steps: 'count', distance: 'm' } as const
/** Counters of these kinds of movement count steps, and their distance is one on foot. */
const ON_FOOT: ReadonlySet<unknown> = new Set(['walking', 'running'])
/** Counters within it from the beginning of a file are those that the file before ended with. */
const FIRST_MS = 60_000
const DAY_SECONDS = 86_400

/** A counter that rises through a day and begins again at midnight. */
class Counter {
  readonly #latest = new Map<string, number>()
  /** Sum of all kinds of movement. */
  total = 0
  #from: number | undefined
  #to: number | undefined
  #amount = 0

  /**
   * Adds a message. Those of one moment, one for each kind of movement, have one interval.
   * @param isBaseline Whether it only says where the counter stands.
   * @returns the interval before, when the message begins another
   */
  add(kind: string, value: number, time: number, isBaseline: boolean) {
    const before = this.#latest.get(kind) ?? 0
    // A lower value is the first one of a new day.
    const amount = value >= before ? value - before : value
    this.#latest.set(kind, value)
    this.total = [...this.#latest.values()].reduce((sum, one) => sum + one, 0)
    const ended = time === this.#to ? undefined : this.end()
    if (time !== this.#to) this.#from = this.#to
    this.#to = time
    if (!isBaseline && this.#from !== undefined && time > this.#from) this.#amount += amount
    return ended
  }

  begin(time: number): void {
    this.#to ??= time
  }

  /** Returns the last interval and its amount; undefined where nothing was counted. */
  end() {
    const [amount, from, to] = [this.#amount, this.#from, this.#to]
    this.#amount = 0
    return amount <= 0 || from === undefined || to === undefined ? undefined : { amount, from, to }
  }

  /** Forgets all kinds, because a new day begins. */
  restart(): void {
    this.#latest.clear()
    this.total = 0
  }
}

/**
 * Adds what a watch counted and measured through a day: steps and distances as they rise, heart
 * rates and stress. The counters of a day are its summary, unless the days come from elsewhere.
 */
export function addMonitoring(
  file: FitFile,
  out: ImportWriter,
  { now, options }: ImportContext,
  { withDays }: { withDays: boolean },
): void {
  const [info] = file.all('monitoring_info')
  const startedAt = timeOf(info?.timestamp)
  const ofFile = offsetOf(info)
  const zone = zoneOf(options)
  const offsetAt = (time: number) =>
    ofFile ?? (zone === null ? null : zoneOffsetSeconds(zone, time))
  const rates = out.type('monitoring heart rate', 'heartrate')
  const amounts = out.type('monitoring steps', 'steps')
  const [steps, meters] = [new Counter(), new Counter()]
  const days = new Map<string, { steps: number; meters: number; at: number }>()
  const addInterval = intervalsOf(amounts, offsetAt)
  let today: string | undefined
  for (const { time, message } of timed(file.all('monitoring'), startedAt)) {
    if (!isPossibleTime(time, now)) {
      amounts.count()
      amounts.quarantine('steps', 'invalid_start_date', { at: time })
      continue
    }
    const offset = offsetAt(time)
    const { heart_rate: rate } = message
    if (typeof rate === 'number' && rate > 0) {
      rates.count()
      rates.addSample('heartrate', { ...WATCH, start: at(time, offset), value: rate, unit: 'bpm' })
    }
    const counted = countersOf(message)
    if (counted === undefined) continue
    amounts.count()
    // The last message of a day has the midnight at its end.
    const day = offset === null ? undefined : dateAtOffset(time - 1, offset)
    if (today !== undefined && day !== today) for (const one of [steps, meters]) one.restart()
    today = day
    const isFirst = startedAt === undefined || time <= startedAt + FIRST_MS
    const isBaseline = isFirst && !isMidnight(startedAt, offset)
    for (const [counter, value, series] of [
      [steps, counted.steps, 'steps'],
      [meters, counted.meters, 'distance'],
    ] as const) {
      if (startedAt !== undefined) counter.begin(startedAt)
      if (value === undefined) continue
      addInterval(series, counter.add(counted.kind, value, time, isBaseline))
    }
    if (day !== undefined) days.set(day, { steps: steps.total, meters: meters.total, at: time })
  }
  addInterval('steps', steps.end())
  addInterval('distance', meters.end())
  addStress(file, out, offsetAt, now)
  if (withDays) addDays(out, days, offsetAt)
}

/** Returns what adds an interval of a counter, if there is one. */
const intervalsOf =
  (data: TypeData, offsetAt: (time: number) => number | null) =>
  (name: keyof typeof UNITS, found: ReturnType<Counter['end']>): void => {
    if (found === undefined) return
    const offset = offsetAt(found.to)
    const frame = { ...WATCH, start: at(found.from, offset), end: at(found.to, offset) }
    data.addSample(name, { ...frame, value: found.amount, unit: UNITS[name] })
  }

const isMidnight = (time: number | undefined, offset: number | null): boolean =>
  time !== undefined && offset !== null && (time / 1000 + offset) % DAY_SECONDS === 0

/**
 * Returns messages with their times, epoch milliseconds. Most have only the lower 16 bits of their
 * time, which begin anew every 18 hours.
 */
function* timed(
  messages: readonly Fields[],
  startedAt: number | undefined,
): Generator<{ time: number; message: Fields }> {
  let last = startedAt === undefined ? undefined : startedAt / 1000 - FIT_EPOCH_SECONDS
  for (const message of messages) {
    const { timestamp16: low } = message
    const whole = timeOf(message.timestamp)
    if (typeof low === 'number') {
      if (last === undefined) continue
      last += (((low - (last % 0x10000)) % 0x10000) + 0x10000) % 0x10000
    } else if (whole !== undefined) last = whole / 1000 - FIT_EPOCH_SECONDS
    if (last !== undefined) yield { time: (last + FIT_EPOCH_SECONDS) * 1000, message }
  }
}

/** Returns what a message counts on foot; undefined for other movement. */
function countersOf(message: Fields) {
  const { activity_type: kind, cycles, cycles16, distance, distance16 } = message
  if (!ON_FOOT.has(kind)) return undefined
  // A cycle on foot is a stride of two steps; the short form counts steps.
  const steps =
    typeof cycles === 'number' ? cycles * 2 : typeof cycles16 === 'number' ? cycles16 : undefined
  const meters =
    typeof distance === 'number'
      ? distance
      : typeof distance16 === 'number'
        ? distance16 * 100
        : undefined
  if (steps === undefined && meters === undefined) return undefined
  return { kind: String(kind), steps: steps && Math.round(steps), meters }
}

/** Negative levels stand for none. */
function addStress(
  file: FitFile,
  out: ImportWriter,
  offsetAt: (time: number) => number | null,
  now: Date,
): void {
  const levels = file.all('stress_level')
  if (levels.length === 0) return
  const data = out.type('monitoring stress', 'stress_level')
  for (const { stress_level_value: value, stress_level_time: at16 } of levels) {
    const time = timeOf(at16)
    data.count()
    if (time === undefined || !isPossibleTime(time, now)) {
      data.quarantine('stress_level', 'invalid_start_date', { value })
    } else if (typeof value === 'number' && value >= 0) {
      data.addSample('stress_level', {
        ...WATCH,
        start: at(time, offsetAt(time)),
        value,
        unit: '%',
      })
    } else data.countNotSupported()
  }
}

function addDays(
  out: ImportWriter,
  days: ReadonlyMap<string, { steps: number; meters: number; at: number }>,
  offsetAt: (time: number) => number | null,
): void {
  const data = out.type('monitoring days', 'activity')
  for (const [day, { steps, meters, at: last }] of days) {
    if (steps === 0 && meters === 0) continue
    data.count()
    data.addSummary('activity', {
      ...WATCH,
      recordId: day,
      calendarDate: day,
      start: at(startOfUtcDay(day), offsetAt(last)),
      values: { steps, distance_meter: meters || null },
      raw: { steps, meters },
      // The file of a later part of the day counts more, and the day of an account the most, which
      // is dated later (docs/decisions/0087-dates-of-imported-records.md).
      modifiedAt: startOfUtcDay(day) + Math.round((last % DAY_MS) / 1000),
    })
  }
}

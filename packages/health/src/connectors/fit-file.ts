import FitParser from 'fit-file-parser'
import { isFields } from './vendor-records.ts'
import type { WorkoutPoint } from './workout-points.ts'

/** Names of the parser, by the channel of streams; of two the first with a value counts. */
const CHANNEL_FIELDS = [
  ['heartrate', ['heart_rate'], 0],
  ['lat', ['position_lat'], 7],
  ['lng', ['position_long'], 7],
  ['altitude', ['enhanced_altitude', 'altitude'], 3],
  ['velocity_smooth', ['enhanced_speed', 'speed'], 3],
  ['distance', ['distance'], 3],
  ['cadence', ['cadence'], 3],
  ['power', ['power'], 3],
  ['resistance', ['resistance'], 3],
  ['temperature', ['temperature'], 3],
] as const

/** A FIT file of a day with a record each second has about 5 MB. */
const MOST_BYTES = 32 * 1024 ** 2

/** An activity that a device recorded, as its FIT file has it. */
export interface FitActivity {
  /** Summaries by the device, in SI units and with the names of the parser; usually one. */
  readonly sessions: readonly Readonly<Record<string, unknown>>[]
  /** Offset from UTC in seconds by the clock of the device; null where the file has none. */
  readonly offset: number | null
  /** @param stepsPerTurn Steps of one turn of the cadence: 2 on foot, where FIT counts one leg. */
  readonly points: (stepsPerTurn: 1 | 2) => WorkoutPoint[]
}

/**
 * Reads a FIT file. One with a wrong checksum is not read, so that a damaged one becomes no wrong
 * values.
 * @returns undefined for a file that cannot be read
 */
export function readFit(file: Buffer): FitActivity | undefined {
  if (file.length > MOST_BYTES) return undefined
  let content: { records?: unknown; sessions?: unknown; activity?: unknown } | undefined
  try {
    // The parser wants a buffer of its own memory, and calls back before it returns.
    const parser = new FitParser({ force: false, mode: 'list' })
    parser.parse(Buffer.from(file), (_error, data) => {
      content = data
    })
  } catch {
    return undefined
  }
  const { records, sessions, activity } = content ?? {}
  if (!Array.isArray(records)) return undefined
  return {
    sessions: Array.isArray(sessions) ? sessions.filter(isFields) : [],
    offset: offsetOf(activity),
    points: (stepsPerTurn) => pointsOfRecords(records, stepsPerTurn),
  }
}

/** Reads the points of a FIT file only. @returns undefined for a file that cannot be read */
export const pointsOfFit = (file: Buffer, stepsPerTurn: 1 | 2): WorkoutPoint[] | undefined =>
  readFit(file)?.points(stepsPerTurn)

/**
 * Returns the points of the records of a FIT file, as the parser has them.
 * @param ignored Names of fields that are not read.
 */
export const pointsOfRecords = (
  records: readonly unknown[],
  stepsPerTurn: 1 | 2,
  ignored: ReadonlySet<string> = new Set(),
): WorkoutPoint[] =>
  records.filter(isFields).map((record) => pointOf(record, stepsPerTurn, ignored))

function pointOf(
  record: Record<string, unknown>,
  stepsPerTurn: 1 | 2,
  ignored: ReadonlySet<string>,
): WorkoutPoint {
  const values = CHANNEL_FIELDS.map(([channel, names, digits]) => {
    const value = names
      .map((name) => (ignored.has(name) ? null : record[name]))
      .find((one) => (one ?? null) !== null)
    const factor = channel === 'cadence' ? stepsPerTurn : 1
    return [channel, typeof value === 'number' ? rounded(value * factor, digits) : value]
  })
  const second = Math.floor(new Date(String(record.timestamp)).getTime() / 1000)
  return { second, values: Object.fromEntries(values) }
}

/** Zones differ by quarters of an hour; the two clocks of a file may differ by some seconds. */
const QUARTER_SECONDS = 900
const MOST_OFFSET_SECONDS = 14 * 3600

function offsetOf(activity: unknown): number | null {
  const { timestamp, local_timestamp: local } = isFields(activity)
    ? activity
    : ({} as Record<string, unknown>)
  if (!(timestamp instanceof Date) || !(local instanceof Date)) return null
  const seconds = (local.getTime() - timestamp.getTime()) / 1000
  const offset = Math.round(seconds / QUARTER_SECONDS) * QUARTER_SECONDS
  const isClose = Math.abs(seconds - offset) <= 60
  return isClose && Math.abs(offset) <= MOST_OFFSET_SECONDS ? offset : null
}

/** Removes the noise of binary fractions; devices measure less finely. */
const rounded = (value: number, digits: number): number =>
  Math.round(value * 10 ** digits) / 10 ** digits

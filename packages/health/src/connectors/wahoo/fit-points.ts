import FitParser from 'fit-file-parser'
import { isFields } from '../vendor-records.ts'
import type { WorkoutPoint } from '../workout-points.ts'

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

/**
 * Reads the points of a FIT file. A file with a wrong checksum is not read, so that a damaged one
 * becomes no wrong values.
 * @param stepsPerTurn Steps of one turn of the cadence: 2 on foot, where FIT counts one leg.
 * @returns undefined for a file that cannot be read
 */
export function pointsOfFit(file: Buffer, stepsPerTurn: 1 | 2): WorkoutPoint[] | undefined {
  if (file.length > MOST_BYTES) return undefined
  let records: unknown
  try {
    // The parser wants a buffer of its own memory, and calls back before it returns.
    const parser = new FitParser({ force: false, mode: 'list' })
    parser.parse(Buffer.from(file), (_error, data) => {
      records = data?.records
    })
  } catch {
    return undefined
  }
  return Array.isArray(records) ? pointsOfRecords(records, stepsPerTurn) : undefined
}

/**
 * Returns the points of the records of a FIT file, as the parser has them.
 * @param ignored Names of fields that are not read.
 */
export function pointsOfRecords(
  records: readonly unknown[],
  stepsPerTurn: 1 | 2,
  ignored: ReadonlySet<string> = new Set(),
): WorkoutPoint[] {
  return records.filter(isFields).map((record) => {
    const values = CHANNEL_FIELDS.map(([channel, names, digits]) => {
      const value = names
        .map((name) => (ignored.has(name) ? null : record[name]))
        .find((one) => (one ?? null) !== null)
      const factor = channel === 'cadence' ? stepsPerTurn : 1
      return [channel, typeof value === 'number' ? rounded(value * factor, digits) : value]
    })
    const second = Math.floor(new Date(String(record.timestamp)).getTime() / 1000)
    return { second, values: Object.fromEntries(values) }
  })
}

/** Removes the noise of binary fractions; devices measure less finely. */
const rounded = (value: number, digits: number): number =>
  Math.round(value * 10 ** digits) / 10 ** digits

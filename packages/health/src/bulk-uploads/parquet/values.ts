import type { ColumnType } from './footer.ts'
import { DAMAGED, invalidParquet } from './thrift.ts'

/** Physical types of the format. */
const [, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED] = [...Array(8).keys()]

const TWO_32 = 2 ** 32
const JULIAN_DAY_OF_1970 = 2_440_588
const DAY_MS = 86_400_000
/** The furthest instants of JavaScript. */
const MOST_MS = 8.64e15

/** Whether a column has times. */
export const isTime = ({ physical, unitsOfMillisecond: units }: ColumnType): boolean =>
  physical === INT96 || ((physical === INT32 || physical === INT64) && units > 0)

/** Texts, numbers, and times as epoch milliseconds. */
export type Values = (string | number | null)[]

/** Reads values that are written one after the other. */
export function readPlain(type: ColumnType, bytes: Buffer, count: number): Values {
  if (type.physical === BYTE_ARRAY) return readTexts(bytes, count)
  const length = widthOf(type)
  if (length * count > bytes.length) throw DAMAGED
  const read = readerOf(type, bytes)
  const values: Values = new Array(count)
  for (let index = 0; index < count; index++) values[index] = read(index * length)
  return values
}

function widthOf({ physical, length, isUuid }: ColumnType): number {
  if (physical === INT32 || physical === FLOAT) return 4
  if (physical === INT64 || physical === DOUBLE) return 8
  if (physical === INT96) return 12
  if (physical === FIXED && isUuid && length === 16) return 16
  throw invalidParquet('A column of the file has a type that no field has.')
}

function readerOf(type: ColumnType, bytes: Buffer): (at: number) => string | number {
  const { physical } = type
  if (physical === FLOAT) return (at) => bytes.readFloatLE(at)
  if (physical === DOUBLE) return (at) => bytes.readDoubleLE(at)
  if (physical === FIXED) return (at) => uuidOf(bytes.toString('hex', at, at + 16))
  if (physical === INT96) return (at) => readInt96(bytes, at)
  const convert = integerConverter(type)
  if (physical === INT32) return (at) => convert(bytes.readInt32LE(at))
  // Exact up to 2^53: microseconds until the year 2255.
  return (at) => convert(bytes.readInt32LE(at + 4) * TWO_32 + bytes.readUInt32LE(at))
}

/** Returns what a whole number becomes: a time, a decimal or itself. */
function integerConverter({
  unitsOfMillisecond: units,
  scale,
}: ColumnType): (value: number) => number {
  if (units > 0) return (value) => Math.floor(value / units)
  if (scale > 0) return (value) => value / 10 ** scale
  return (value) => value
}

/** Nanoseconds of the day, then the Julian day. */
function readInt96(bytes: Buffer, at: number): number {
  const nanoseconds = bytes.readUInt32LE(at + 4) * TWO_32 + bytes.readUInt32LE(at)
  const day = bytes.readInt32LE(at + 8) - JULIAN_DAY_OF_1970
  return day * DAY_MS + Math.floor(nanoseconds / 1e6)
}

let writtenDay = Number.NaN
let writtenDate = ''

/** Writes a time as uploads have it. A time without a date is no date-time, as it is there. */
export function isoOf(epochMilliseconds: number): string {
  if (!(Math.abs(epochMilliseconds) <= MOST_MS)) return ''
  const day = Math.floor(epochMilliseconds / DAY_MS)
  // Times come in runs of one day.
  if (day !== writtenDay) {
    const text = new Date(day * DAY_MS).toISOString()
    writtenDate = text.slice(0, text.indexOf('T') + 1)
    writtenDay = day
  }
  const ofDay = epochMilliseconds - day * DAY_MS
  const second = Math.floor(ofDay / 1_000)
  const fraction = ofDay % 1_000 === 0 ? '' : `.${String(ofDay % 1_000).padStart(3, '0')}`
  const minute = Math.floor(second / 60)
  const time = `${TWO_DIGITS[Math.floor(minute / 60)]}:${TWO_DIGITS[minute % 60]}`
  return `${writtenDate}${time}:${TWO_DIGITS[second % 60]}${fraction}Z`
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

const uuidOf = (hex: string): string =>
  [8, 12, 16, 20, 32].map((end, index) => hex.slice([0, 8, 12, 16, 20][index], end)).join('-')

function readTexts(bytes: Buffer, count: number): Values {
  const values: Values = new Array(count)
  let at = 0
  for (let index = 0; index < count; index++) {
    if (at + 4 > bytes.length) throw DAMAGED
    const end = at + 4 + bytes.readUInt32LE(at)
    if (end > bytes.length) throw DAMAGED
    values[index] = bytes.toString('utf8', at + 4, end)
    at = end
  }
  return values
}

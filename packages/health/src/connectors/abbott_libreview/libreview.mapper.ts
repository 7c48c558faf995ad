import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type SourceType, type VendorInstant } from '../vendor-records.ts'
import { SLUG } from './libreview-sign-in.ts'

type Fields = Record<string, unknown>

/** `3/1/2026 6:45:00 AM`, in this order in every language of the app. */
const TIMESTAMP = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) (AM|PM)$/

/** Entries of the logbook by `type`; the others are values at alarms. */
const SCAN = 1
/** No zone is farther from UTC. */
const MOST_OFFSET_SECONDS = 14 * 3600

/** Returns the part of an answer whose `status` is success. @throws VendorError `unexpected` */
function dataOf(answer: unknown): unknown {
  if (isFields(answer) && answer.status === 0) return answer.data
  throw unexpectedAnswer()
}

const unexpectedAnswer = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/**
 * Maps the automatic values of the last hours, the newest value, which is some minutes later, and
 * the logbook of the last two weeks.
 * @param logbook Undefined where the vendor has none.
 * @throws VendorError `unexpected` for an answer without a graph
 */
export function mapGraph(answer: unknown, data: PageData, [logbook]: readonly unknown[]): void {
  const graph = dataOf(answer)
  if (!isFields(graph) || !Array.isArray(graph.graphData)) throw unexpectedAnswer()
  for (const record of graph.graphData) addGlucose(data, record, 'automatic')
  const newest = isFields(graph.connection) ? graph.connection.glucoseMeasurement : null
  if (newest !== null && newest !== undefined) addGlucose(data, newest, 'automatic')
  const entries = logbook === undefined ? [] : dataOf(logbook)
  if (!Array.isArray(entries)) throw unexpectedAnswer()
  for (const record of entries) {
    const isScan = isFields(record) && record.type === SCAN
    addGlucose(data, record, isScan ? 'manual_scan' : 'automatic')
  }
}

function addGlucose(
  data: PageData,
  record: unknown,
  type: Extract<SourceType, 'automatic' | 'manual_scan'>,
): void {
  if (!isFields(record)) {
    data.quarantine('glucose', 'not_an_object', record)
    return
  }
  const start = instantOf(data, record)
  if (start === undefined) return
  // Beyond what the sensor can measure the number is only a bound.
  if (record.isHigh === true || record.isLow === true) {
    data.quarantine('glucose', 'out_of_range', record)
    return
  }
  const value = record.ValueInMgPerDl as number
  data.addSample('glucose', { start, value, unit: 'mg/dL', type, sourceType: type }, record)
}

/** `FactoryTimestamp` is UTC; the offset is the distance of `Timestamp`, the clock of the phone. */
function instantOf(data: PageData, record: Fields): VendorInstant | undefined {
  const utc = data.instant('glucose', isoOf(record.FactoryTimestamp), record)
  if (utc === undefined) return undefined
  const offset = Math.round((Date.parse(isoOf(record.Timestamp)) - utc.at) / 60_000) * 60
  return { at: utc.at, offset: Math.abs(offset) <= MOST_OFFSET_SECONDS ? offset : null }
}

/** Returns the time as if it were UTC; an empty text for any other. */
function isoOf(text: unknown): string {
  const parts = typeof text === 'string' ? TIMESTAMP.exec(text) : null
  if (parts === null) return ''
  const [, month = '', day = '', year = '', hour = '', minute = '', second = '', half] = parts
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  const two = (number: string) => (number.length === 1 ? `0${number}` : number)
  return `${year}-${two(month)}-${two(day)}T${two(String(hours))}:${minute}:${second}Z`
}

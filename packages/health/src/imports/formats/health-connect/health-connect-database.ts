import type { SourceType } from '@salus/contracts/series'
import type { VendorInstant } from '../../../connectors/index.ts'
import type { SqliteFile, SqlRow, SqlValue } from '../../files/sqlite.ts'

/** A record of a table with its source and its times. */
export interface HealthConnectRecord {
  /** Id as the phone sends it, lower case with hyphens; empty where the row has none. */
  uuid: string
  start: VendorInstant
  end: VendorInstant
  /** Source and time of writing, for a sample or a summary. */
  frame: { sourceType: SourceType; appId: string; modifiedAt?: number }
  deviceModel: string
  /** The columns that were read. */
  row: SqlRow
}

/** Device types of Health Connect by their code; a band is worn as a watch is. */
const DEVICE_TYPES: readonly SourceType[] = [
  'unknown',
  'watch',
  'phone',
  'scale',
  'ring',
  'unknown',
  'watch',
  'chest_strap',
]
/** `recording_method` of what a person typed in. */
const TYPED_IN = 3
const MOST_OFFSET_SECONDS = 18 * 3600
/** Apps and devices of a phone are some dozens. */
const MOST_SOURCES = 10_000

const COMMON = ['last_modified_time', 'app_info_id', 'device_info_id', 'recording_method']
const TIMES = [
  'time',
  'zone_offset',
  'start_time',
  'start_zone_offset',
  'end_time',
  'end_zone_offset',
]

/** Selects a number; null for a text or bytes, and a whole number of 64 bits as a fraction. */
const numberOf = (column: string): string =>
  `iif(typeof(${column}) in ('integer', 'real'), ${column} * 1.0, null)`

/** The tables of an export with the apps and devices that wrote them. */
export class HealthConnectDatabase {
  readonly #file: SqliteFile
  readonly #now: number
  readonly #apps: ReadonlyMap<SqlValue, SqlRow>
  readonly #devices: ReadonlyMap<SqlValue, SqlRow>

  constructor(file: SqliteFile, now: Date) {
    this.#file = file
    this.#now = now.getTime()
    this.#apps = this.#sources('application_info_table', ['package_name'])
    this.#devices = this.#sources('device_info_table', ['model', 'device_type'])
  }

  #sources(table: string, columns: readonly string[]): Map<SqlValue, SqlRow> {
    const known = this.known(table, ['row_id', ...columns])
    if (!known.includes('row_id')) return new Map()
    const selected = known.map((name) =>
      name === 'row_id' || name === 'device_type' ? `${numberOf(name)} as ${name}` : name,
    )
    const rows = this.rows(`select ${selected.join(', ')} from ${table} limit ${MOST_SOURCES}`)
    return new Map([...rows].map((row) => [row.row_id ?? null, row]))
  }

  has(table: string): boolean {
    return this.#file.columns(table) !== undefined
  }

  /** Returns those of some columns that a table has. */
  known(table: string, columns: readonly string[]): string[] {
    const present = this.#file.columns(table) ?? []
    return columns.filter((column) => present.includes(column))
  }

  rows(sql: string): Generator<SqlRow> {
    return this.#file.rows(sql)
  }

  /**
   * Returns a reader of the records of a table by their keys; undefined where `row_id` is not its
   * primary key.
   */
  recordsByKey(table: string): ((key: number) => HealthConnectRecord | undefined) | undefined {
    const sql = `select ${this.terms(table, [])} from ${table} where row_id = ?`
    const find = this.#file.lookup(table, 'row_id', sql)
    if (find === undefined) return undefined
    return (key) => {
      const row = find(key)
      return row && this.record(row)
    }
  }

  /** Returns the number of rows of a table. */
  count(table: string): number {
    const [row] = this.rows(`select count(*) * 1.0 as records from ${table}`)
    return Number(row?.records ?? 0)
  }

  /**
   * Returns the terms of a query that select the common columns of a table and some numbers.
   * @param alias Name of the table in the query.
   */
  terms(table: string, numbers: readonly string[], alias = table): string {
    const names = this.known(table, [...COMMON, ...TIMES, ...numbers])
    const terms = names.map((name) => `${numberOf(`${alias}.${name}`)} as ${name}`)
    if (this.known(table, ['uuid']).length > 0) terms.push(`${uuidTerm(`${alias}.uuid`)} as uuid`)
    return terms.join(', ')
  }

  /** Reads a row of a query with the terms of a table. */
  record(row: SqlRow): HealthConnectRecord {
    const device = this.#devices.get(row.device_info_id ?? null)
    const app = this.#apps.get(row.app_info_id ?? null)
    const start = instantOf(row.time ?? row.start_time, row.zone_offset ?? row.start_zone_offset)
    const end = row.end_time ?? null
    const modifiedAt = Number(row.last_modified_time ?? Number.NaN)
    // A time of writing that is still to come would win over all later versions.
    const isDated = modifiedAt > 0 && modifiedAt <= this.#now
    return {
      uuid: uuidOf(row.uuid),
      start,
      end: end === null ? start : instantOf(end, row.end_zone_offset),
      frame: {
        sourceType: sourceTypeOf(device?.device_type, row.recording_method),
        appId: typeof app?.package_name === 'string' ? app.package_name : '',
        ...(isDated && { modifiedAt }),
      },
      deviceModel: typeof device?.model === 'string' ? device.model : '',
      row,
    }
  }
}

/** Bytes, or in copies of the database a text with hyphens, as lower-case digits. */
const uuidTerm = (column: string): string =>
  `case typeof(${column}) when 'blob' then lower(hex(substr(${column}, 1, 16)))
   when 'text' then lower(replace(substr(${column}, 1, 36), '-', '')) end`

function uuidOf(digits: SqlValue | undefined): string {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    String(digits ?? ''),
  )
  return parts === null ? '' : parts.slice(1).join('-')
}

/** Returns NaN for a time that is none, which no record may have. */
function instantOf(time: SqlValue | undefined, offset: SqlValue | undefined): VendorInstant {
  const seconds = typeof offset === 'number' ? offset : Number.NaN
  const isOffset = Number.isInteger(seconds) && Math.abs(seconds) <= MOST_OFFSET_SECONDS
  return {
    at: typeof time === 'number' ? time : Number.NaN,
    offset: isOffset ? seconds : null,
  }
}

function sourceTypeOf(
  device: SqlValue | undefined,
  recordingMethod: SqlValue | undefined,
): SourceType {
  const type = DEVICE_TYPES[Number(device ?? 0)] ?? 'unknown'
  return type === 'unknown' && recordingMethod === TYPED_IN ? 'app' : type
}

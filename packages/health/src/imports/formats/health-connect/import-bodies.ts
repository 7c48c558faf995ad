import { MINUTE_MS } from '@salus/contracts/time-units'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { SqlRow } from '../../files/sqlite.ts'
import type { TypeData } from '../../running/type-data.ts'
import type { HealthConnectRecord } from './health-connect-database.ts'
import { forEachRow, type HealthConnectImport, typeOf } from './import-measurements.ts'
import { BODY_TABLES } from './measurement-tables.ts'

/** Measurements of forty a day in thirty years; sorting more would keep other work waiting. */
const MOST_ROWS = 500_000

/** Measurements of one source and minute. */
interface Group {
  minute: number
  record: HealthConnectRecord
  values: Partial<Record<(typeof BODY_TABLES)[number]['column'], number>>
  raw: Record<string, SqlRow[]>
}

/**
 * Reads body measurements: a sample each, and one summary of the measurements of a source and
 * minute, as the phone sends them (docs/contract/07-mobile-sync.md#body).
 */
export async function importBodies(run: HealthConnectImport): Promise<void> {
  const { database, out } = run
  const tables = BODY_TABLES.flatMap((entry) => {
    const [column] = database.known(entry.table, entry.columns)
    const times = database.known(entry.table, ['time'])
    return column === undefined || times.length === 0 ? [] : [{ ...entry, value: column }]
  })
  const bodies = out.type('body measurements', 'body')
  const groups = new Map<string, Group>()
  const rows = tables.reduce((sum, { table }) => sum + database.count(table), 0)
  if (rows > MOST_ROWS) throw new ImportFileError('file_too_large')
  // The rows of all tables come in order of time, so that only one minute is in memory.
  const parts = tables.map(({ table, value }, index) => selectTable(run, table, value, index))
  if (parts.length === 0) return
  await forEachRow(run, `${parts.join(' union all ')} order by time`, (record) => {
    const entry = tables[Number(record.row.kind)]
    if (entry === undefined) return
    const data = out.type(typeOf(entry.table), entry.series)
    data.count()
    const value = record.row.value as number
    const before = data.samples.length
    const { uuid, start, frame, row } = record
    data.addSample(entry.series, { ...frame, start, recordId: uuid, value, unit: entry.unit }, row)
    if (data.samples.length === before) return
    const minute = Math.floor(start.at / MINUTE_MS) * MINUTE_MS
    const key = JSON.stringify([frame.appId, frame.sourceType])
    let group = groups.get(key)
    if (group?.minute !== minute) {
      if (group !== undefined) addGroup(bodies, group)
      group = { minute, record, values: {}, raw: {} }
      groups.set(key, group)
    }
    group.values[entry.column] = value / entry.perUnit
    group.raw[entry.list] = [...(group.raw[entry.list] ?? []).slice(0, 9), row]
  })
  for (const group of groups.values()) addGroup(bodies, group)
}

function selectTable(
  { database }: HealthConnectImport,
  table: string,
  value: string,
  kind: number,
): string {
  const number = (name: string) =>
    database.known(table, [name]).length === 0 ? `null as ${name}` : ''
  const all = [
    'uuid',
    'last_modified_time',
    'app_info_id',
    'device_info_id',
    'recording_method',
    'zone_offset',
  ]
  const missing = all.map(number).filter((term) => term !== '')
  const given = database.terms(table, [])
  // The parts of a union have the same columns in the same order.
  const names = [...all, 'time'].map((name) => `t.${name} as ${name}`).join(', ')
  const inner = `select ${[given, ...missing].join(', ')},
    iif(typeof(${value}) in ('integer', 'real'), ${value} * 1.0, null) as value from ${table}`
  return `select ${kind} as kind, ${names}, t.value as value from (${inner}) t`
}

function addGroup(data: TypeData, { minute, record, values, raw }: Group): void {
  const { start, frame, deviceModel } = record
  data.addSummary('body', {
    ...frame,
    recordId: `${new Date(minute).toISOString()} ${frame.sourceType}`,
    ...{ start, deviceModel, values, raw },
  })
}

const HEIGHTS = 'height_record_table'

/** Reads heights, in meters; the newest is that of the profile, which has no time. */
export async function importHeight(run: HealthConnectImport): Promise<void> {
  const { database, out } = run
  if (database.known(HEIGHTS, ['height', 'time']).length < 2) return
  const data = out.type('height', 'profile')
  let newest: HealthConnectRecord | undefined
  const sql = `select ${database.terms(HEIGHTS, ['height'])} from ${HEIGHTS}`
  await forEachRow(run, sql, (record) => {
    const { row, start } = record
    const meters = row.height as number | null
    if (meters === null || !(meters > 0 && meters < 3) || !Number.isFinite(start.at)) {
      data.count()
      data.quarantine('profile', meters === null ? 'invalid_value' : 'out_of_range', row)
      return
    }
    // Older ones are superseded.
    if (newest === undefined) data.count()
    else data.countMerged()
    if (newest === undefined || start.at >= newest.start.at) newest = record
  })
  if (newest === undefined) return
  data.addSummary('profile', {
    ...{ recordId: 'profile', start: { at: 0, offset: null }, sourceType: 'app' },
    values: { height_centimeter: Math.round(Number(newest.row.height) * 100) },
    raw: newest.row,
  })
}

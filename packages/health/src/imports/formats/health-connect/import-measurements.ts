import { dateAtOffset, startOfUtcDay } from '@salus/kernel/time/instants'
import { WorkSlice } from '@salus/kernel/time-slices'
import type { SqlRow } from '../../files/sqlite.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { HealthConnectDatabase, HealthConnectRecord } from './health-connect-database.ts'
import type { EnergyUnit } from './health-connect-units.ts'
import { ENERGY, MEASUREMENT_TABLES, UNSUPPORTED_TABLES, VOLUME } from './measurement-tables.ts'
import type { SessionIndex } from './session-statistics.ts'

/** What all tables of a file are read with. */
export interface HealthConnectImport {
  database: HealthConnectDatabase
  out: ImportWriter
  sessions: SessionIndex
  /** Undefined where no unit fits; then energies are quarantined. */
  energyUnit: EnergyUnit | undefined
  volumeUnit: 'L' | 'ml'
}

const ROWS_OF_A_BATCH = 5000

/** Rows between two looks at the time, which costs as much as some of them. */
const ROWS_OF_A_LOOK = 32

/** Calls back with each record, and stores and lets other work run between them. */
export const forEachRow = (
  run: HealthConnectImport,
  sql: string,
  add: (record: HealthConnectRecord) => void,
): Promise<void> => forEachSqlRow(run, sql, (row) => add(run.database.record(row)))

async function forEachSqlRow(
  { database, out }: HealthConnectImport,
  sql: string,
  add: (row: SqlRow) => void,
): Promise<void> {
  const slice = new WorkSlice()
  let rows = 0
  for (const row of database.rows(sql)) {
    add(row)
    if (++rows % ROWS_OF_A_BATCH === 0) await out.settle()
    if (rows % ROWS_OF_A_LOOK === 0 && slice.isOver()) await slice.rest()
  }
  await out.settle()
}

/** Reads the tables of single measurements, and counts those that have no series. */
export async function importMeasurements(run: HealthConnectImport): Promise<void> {
  const { database, out } = run
  for (const entry of MEASUREMENT_TABLES) await importTable(run, entry)
  await importHeartRates(run)
  await importBloodPressures(run)
  await importRestingRates(run)
  for (const table of UNSUPPORTED_TABLES) {
    if (!database.has(table)) continue
    const type = out.type(typeOf(table), null)
    for (let left = database.count(table); left > 0; left--) type.countNotSupported()
  }
}

/** The name of a table in reports. */
export const typeOf = (table: string): string => table.replace(/_record_table$/, '')

async function importTable(
  run: HealthConnectImport,
  { table, columns, series, unit, extra }: (typeof MEASUREMENT_TABLES)[number],
): Promise<void> {
  const { database, out, sessions, energyUnit, volumeUnit } = run
  if (!database.has(table)) return
  const [column] = database.known(table, columns)
  // The unit that was found is a part of the report.
  const found = unit === ENERGY ? (energyUnit ?? '') : unit === VOLUME ? volumeUnit : unit
  const hasOwnUnit = unit !== ENERGY && unit !== VOLUME
  const name = hasOwnUnit ? typeOf(table) : `${typeOf(table)} in ${found || 'an unknown unit'}`
  const data = out.type(name, series)
  if (column === undefined) {
    for (let left = database.count(table); left > 0; left--) data.countNotSupported()
    return
  }
  const sql = `select ${database.terms(table, [column])} from ${table}`
  await forEachRow(run, sql, ({ uuid, start, end, frame, row }) => {
    data.count()
    const value = row[column] as number
    data.addSample(
      series,
      { ...frame, start, end, recordId: uuid, value, unit: found, ...(extra && { extra }) },
      row,
    )
    if (series === 'distance' || series === 'calories_active') {
      const amount = series === 'distance' ? value : toKilocalories(value, found)
      addAmount(sessions, { frame, start, end }, series, amount)
    }
  })
}

const PER_KILOCALORIE: Readonly<Record<string, number>> = { kcal: 1, cal: 1000, J: 4184, kJ: 4.184 }

const toKilocalories = (value: number, unit: string): number =>
  value / (PER_KILOCALORIE[unit] ?? Number.NaN)

function addAmount(
  sessions: SessionIndex,
  { frame, start, end }: Pick<HealthConnectRecord, 'frame' | 'start' | 'end'>,
  series: 'distance' | 'calories_active',
  amount: number,
): void {
  if (!(amount >= 0)) return
  for (const session of sessions.during(frame.appId, start.at, end.at)) {
    if (series === 'distance') session.meters = (session.meters ?? 0) + amount
    else session.kilocalories = (session.kilocalories ?? 0) + amount
  }
}

const RATES = 'heart_rate_record_table'
const RATE_SERIES = 'heart_rate_record_series_table'

/** Reads the values of heart rates, of which a record has many. */
async function importHeartRates(run: HealthConnectImport): Promise<void> {
  const { database, out, sessions } = run
  const columns = ['parent_key', 'beats_per_minute', 'epoch_millis']
  if (!database.has(RATES) || database.known(RATE_SERIES, columns).length < columns.length) return
  const data = out.type('heart_rate', 'heartrate')
  const addRate = ({ frame, start, row: known }: HealthConnectRecord, row: SqlRow) => {
    data.count()
    const at = typeof row.epoch_millis === 'number' ? row.epoch_millis : Number.NaN
    const value = row.beats_per_minute as number
    const sample = { ...frame, start: { at, offset: start.offset }, value, unit: 'bpm' }
    data.addSample('heartrate', sample, () => {
      const { parent_key: _, ...own } = row
      return { ...known, ...own }
    })
    sessions.addHeartRate(frame.appId, at, value)
  }
  const recordOf = database.recordsByKey(RATES)
  if (recordOf === undefined) {
    const values = database.terms(RATE_SERIES, ['beats_per_minute', 'epoch_millis'], 'v')
    const sql = `select ${database.terms(RATES, [], 'r')}, ${values}
      from ${RATE_SERIES} v join ${RATES} r on r.row_id = v.parent_key`
    return forEachRow(run, sql, (record) => addRate(record, record.row))
  }
  // Values of one record follow each other, and a joined row would have all columns of both.
  let [key, record]: [unknown, HealthConnectRecord | undefined] = [undefined, undefined]
  const sql = `select ${database.terms(RATE_SERIES, columns)} from ${RATE_SERIES}`
  await forEachSqlRow(run, sql, (row) => {
    if (row.parent_key !== key) record = recordOf(Number(row.parent_key))
    key = row.parent_key
    if (record !== undefined) addRate(record, row)
  })
}

async function importBloodPressures(run: HealthConnectImport): Promise<void> {
  const { database, out } = run
  const table = 'blood_pressure_record_table'
  if (database.known(table, ['systolic', 'diastolic']).length < 2) return
  const data = out.type('blood_pressure', 'blood_pressure')
  const sql = `select ${database.terms(table, ['systolic', 'diastolic'])} from ${table}`
  await forEachRow(run, sql, ({ uuid, start, frame, row }) => {
    data.count()
    const { systolic, diastolic } = row as { systolic: number; diastolic: number }
    if ((systolic === null) !== (diastolic === null)) {
      data.quarantine('blood_pressure', 'unpaired', row)
      return
    }
    const pressure = { ...frame, start, recordId: uuid, systolic, diastolic, unit: 'mmHg' }
    data.addBloodPressure(pressure, row)
  })
}

/** Reads resting heart rates, which are facts of a day and no readings of an instant. */
async function importRestingRates(run: HealthConnectImport): Promise<void> {
  const { database, out } = run
  const table = 'resting_heart_rate_record_table'
  const column = 'beats_per_minute'
  if (database.known(table, [column]).length === 0) return
  const data = out.type('resting_heart_rate', 'activity')
  const sql = `select ${database.terms(table, [column])} from ${table}`
  await forEachRow(run, sql, ({ start, frame, deviceModel, row }) => {
    data.count()
    const reader = data.read('activity', numbersOf(row))
    const rate = reader?.measured(column, 350) ?? null
    if (reader === undefined || !data.isValid('activity', reader, row)) return
    if (rate === null || !Number.isFinite(start.at)) {
      const problem = rate === null ? 'invalid_value' : 'invalid_start_date'
      data.quarantine('activity', problem, row)
      return
    }
    const day = dateAtOffset(start.at, start.offset ?? 0)
    data.addSummary('activity', {
      ...frame,
      ...{ recordId: day, calendarDate: day, deviceModel, raw: row },
      start: { at: startOfUtcDay(day), offset: start.offset },
      values: { heart_rate_resting: rate },
    })
  })
}

/** A row without texts, as readers of fields take it. */
const numbersOf = (row: SqlRow): Record<string, unknown> => ({ ...row })

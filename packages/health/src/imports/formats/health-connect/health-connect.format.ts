import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile, ImportFiles } from '../../files/import-files.ts'
import { isSqlite, openSqlite } from '../../files/sqlite.ts'
import { writtenAtOf } from '../../running/export-version.ts'
import type { ImportFormat } from '../import-format.ts'
import { BODY_TABLES, MEASUREMENT_TABLES, SESSION_TABLES } from './measurement-tables.ts'

/** Tables of which an export has at least one beside that of apps. */
const OWN_TABLES = [
  ...MEASUREMENT_TABLES.map(({ table }) => table),
  ...BODY_TABLES.map(({ table }) => table),
  ...SESSION_TABLES,
  ...[
    'heart_rate_record_table',
    'blood_pressure_record_table',
    'total_calories_burned_record_table',
  ],
]
const APPS = 'application_info_table'
const EXPORT_NAME = 'health_connect_export.db'
/** What the beginning of a database has that is too damaged to be opened. */
const TRACE = /(steps|weight|heart_rate|sleep_session|exercise_session)_record_table/

/**
 * The export that the settings of Android make of Health Connect
 * (docs/decisions/0090-exports-of-watches-and-phones.md).
 */
export const HEALTH_CONNECT: ImportFormat = {
  slug: 'health_connect',
  title: 'Export of Health Connect',
  howToExport:
    'On the phone: Settings, Health Connect, Manage data, Backup and restore, Export data. The file is a zip with health_connect_export.db.',
  provider: 'health_connect',
  notes: [
    'Each app is a source of its own, and records have the ids under which the phone sends them.',
    'Energies are in small calories or joules, whichever gives days of a possible sum; the report names the unit. Where neither does, they are quarantined.',
    'Energies that include the energy at rest, nutrition, menstruation and the series of speed, power and cadence are counted and not stored.',
    'A workout has the distance, the energy and the heart rates that its app recorded during it. Titles and notes are not read.',
  ],
  options: ['energy_unit'],
  async recognize(files) {
    return (await findDatabase(files)) !== undefined
  },
  async read({ files, options, now }, out) {
    const file = await findDatabase(files)
    if (file === undefined) throw new ImportFileError('wrong_format')
    out.exportedAt = writtenAtOf([file], now)
    const sqlite = await openSqlite(file)
    try {
      // An empty file opens as a database without tables.
      if (sqlite.columns(APPS) === undefined) throw new ImportFileError('malformed_database')
      const { importDatabase } = await import('./import-database.ts')
      await importDatabase(sqlite, { options, now }, out)
    } finally {
      sqlite.close()
    }
  },
}

async function findDatabase({ files }: ImportFiles): Promise<ImportFile | undefined> {
  for (const file of files) {
    if (file.path !== '' && !/\.(db|sqlite3?)$/.test(file.name)) continue
    if (await isHealthConnect(file)) return file
  }
  return undefined
}

/** Whether a file is a database of Health Connect, even a damaged one. */
async function isHealthConnect(file: ImportFile): Promise<boolean> {
  let opening = Buffer.alloc(0)
  try {
    opening = Buffer.from(await file.opening())
    if (!isSqlite(opening)) return file.name === EXPORT_NAME
    const sqlite = await openSqlite(file)
    try {
      const hasTable = (table: string) => sqlite.columns(table) !== undefined
      return hasTable(APPS) && OWN_TABLES.some(hasTable)
    } finally {
      sqlite.close()
    }
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error
    return TRACE.test(opening.toString('latin1')) || file.name === EXPORT_NAME
  }
}

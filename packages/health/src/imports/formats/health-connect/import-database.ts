import type { SqliteFile } from '../../files/sqlite.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import type { ImportContext } from '../import-format.ts'
import { HealthConnectDatabase } from './health-connect-database.ts'
import { energyUnitOf, volumeUnitOf } from './health-connect-units.ts'
import { importBodies, importHeight } from './import-bodies.ts'
import { type HealthConnectImport, importMeasurements } from './import-measurements.ts'
import { importSleeps, importWorkouts } from './import-sessions.ts'
import { SESSION_TABLES } from './measurement-tables.ts'
import { SessionIndex } from './session-statistics.ts'

/** Reads all tables of a database of Health Connect. @throws ImportFileError */
export async function importDatabase(
  sqlite: SqliteFile,
  { options, now }: Pick<ImportContext, 'options' | 'now'>,
  out: ImportWriter,
): Promise<void> {
  const database = new HealthConnectDatabase(sqlite, now)
  const sessions = new SessionIndex()
  for (const table of SESSION_TABLES) sessions.addTable(database, table)
  sessions.sort()
  const energyUnit = options.energy_unit ?? energyUnitOf(database)
  const volumeUnit = volumeUnitOf(database)
  const run: HealthConnectImport = { database, out, sessions, energyUnit, volumeUnit }
  await importMeasurements(run)
  await importBodies(run)
  await importHeight(run)
  await importSleeps(run)
  await importWorkouts(run)
}

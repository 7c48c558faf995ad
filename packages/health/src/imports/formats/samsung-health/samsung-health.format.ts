import { writtenAtOf } from '../../running/export-version.ts'
import type { ImportFormat } from '../import-format.ts'
import { typeOfTable } from './samsung-table.ts'

/** A zip with more tables of other kinds before the first one of Samsung is another export. */
const MOST_OTHER_TABLES = 100

/** The personal data that the Samsung Health app exports. */
export const SAMSUNG_HEALTH: ImportFormat = {
  slug: 'samsung_health',
  title: 'Personal data of Samsung Health',
  howToExport:
    'In the Samsung Health app: menu, Settings, Download personal data. Zip the folder that it writes, with its folder jsons.',
  provider: 'samsung_health',
  notes: [
    'Times are in UTC or local, which the times of writing in the same table show; the report names tables with local times.',
    'Steps of a day are those of all devices together; the counts of single devices are stored only in an export without days.',
    'Where a file has the heart rates, saturations or stress of shorter spans, these are stored instead of their mean.',
    'Heart rate variability (RMSSD) and breaths of a night are only in the files of the folder jsons.',
    'Each app is a source of its own. Other tables are not read.',
  ],
  options: [],
  async recognize({ files }) {
    let others = 0
    for (const file of files) {
      if (file.path !== '' && !/\.(csv|txt)$/.test(file.name)) continue
      if ((await typeOfTable(file)) !== undefined) return true
      if (++others > MOST_OTHER_TABLES) return false
    }
    return false
  },
  async read({ files, now }, out) {
    const { importMeasurements, MEASUREMENT_TYPES } = await import('./import-measurements.ts')
    const { importExercises, importSleeps, SESSION_TYPES } = await import('./import-sessions.ts')
    const { COUNT_TYPES, importSteps } = await import('./import-steps.ts')
    const { SamsungExport } = await import('./samsung-export.ts')
    out.exportedAt = writtenAtOf(files.files, now)
    const types = [...MEASUREMENT_TYPES, ...SESSION_TYPES, ...COUNT_TYPES]
    const source = await SamsungExport.open(files, types, { out, now })
    await importMeasurements(source)
    await importSteps(source)
    await importSleeps(source)
    await importExercises(source)
  },
}

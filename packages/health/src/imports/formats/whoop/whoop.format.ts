import { openCsv, readFirstRows } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile, ImportFiles } from '../../files/import-files.ts'
import { writtenAtOf } from '../../running/export-version.ts'
import type { ImportContext, ImportFormat } from '../import-format.ts'
import { findColumns, kindOf, type WhoopKind } from './whoop-columns.ts'
import { WhoopRow } from './whoop-row.ts'

/** Tables of an account in a language whose columns are not known. */
const FILE_NAMES =
  /^(physiolog\p{L}*_\p{L}+|ciclos_fisiol\p{L}+|sleeps|schlaf|sueño|sommeil|sonos|workouts|trainings|entrenamientos|entra[iî]nements|treinos)\.csv$/u
/** Tables of other kinds before the first one of WHOOP. */
const MOST_OTHER_FILES = 200

/** The data that people download from their WHOOP account. */
export const WHOOP: ImportFormat = {
  slug: 'whoop',
  title: 'Data export of WHOOP',
  howToExport:
    'In the WHOOP app: More, App Settings, Data Export, Create Export. The e-mail has a link to a zip with physiological_cycles.csv, sleeps.csv and workouts.csv.',
  provider: 'whoop_v2',
  notes: [
    'The file has none of the ids of the WHOOP interface, so its records are a source of their own beside a connection.',
    'Each cycle is the day of activity on which its greater part falls. Its energy includes that at rest.',
    'Resting heart rate, heart rate variability, oxygen saturation and breaths of a cycle stand at the time of waking, and with the night.',
    'A night comes from sleeps.csv, and from the cycles where that file lacks it. It has the minutes of each stage and no sequence of stages.',
    'Strain, sleep need and sleep debt have no series. The journal, which has personal words, is counted and not read.',
    'Accounts in English, German, Spanish, French and Portuguese are known.',
  ],
  options: ['time_zone'],
  async recognize(files) {
    return (await findTables(files, true)).length > 0
  },
  async read(context, out) {
    const { importWhoop } = await import('./import-whoop.ts')
    out.exportedAt = writtenAtOf(context.files.files, context.now)
    const tables = await findTables(context.files, false)
    await importWhoop((kind) => readRows(tables, kind, context), out)
  },
}

interface Table {
  file: ImportFile
  kind: WhoopKind
}

/**
 * Finds the tables by their columns.
 * @param isFirst Whether one is enough.
 * @throws ImportFileError `unknown_columns` for a table of the export with unknown columns
 */
async function findTables({ files }: ImportFiles, isFirst: boolean): Promise<Table[]> {
  const tables: Table[] = []
  let others = 0
  for (const file of files) {
    if (file.path !== '' && !/\.(csv|txt)$/.test(file.name)) continue
    const [head = []] = await readFirstRows(file, 1)
    const kind = kindOf(findColumns(head))
    if (kind !== undefined) tables.push({ file, kind })
    else if (!isFirst && FILE_NAMES.test(file.name)) throw new ImportFileError('unknown_columns')
    else others++
    if (isFirst && (tables.length > 0 || others > MOST_OTHER_FILES)) break
  }
  return tables
}

/** Yields the rows of all tables of a kind. */
async function* readRows(
  tables: readonly Table[],
  kind: WhoopKind,
  context: ImportContext,
): AsyncGenerator<WhoopRow[]> {
  for (const table of tables) {
    if (table.kind !== kind) continue
    const { head, batches } = await openCsv(table.file)
    const columns = findColumns(head)
    for await (const rows of batches()) yield rows.map((row) => new WhoopRow(columns, row, context))
  }
}

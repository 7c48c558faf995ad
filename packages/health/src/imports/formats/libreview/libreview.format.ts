import { type CsvRow, type CsvTable, openCsv } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile, ImportFiles } from '../../files/import-files.ts'
import { ASK_DATE_ORDER, type DateOrder } from '../../import-options.ts'
import { createLocalClock } from '../../running/local-clock.ts'
import { addEvidence, noEvidence, orderOf, readLocalDate } from '../../running/local-dates.ts'
import type { ImportContext, ImportFormat } from '../import-format.ts'
import { cellOf, columnsOf, type LibreColumns } from './libreview-columns.ts'
import { LibreRecords } from './libreview-records.ts'

interface Table extends CsvTable {
  readonly columns: LibreColumns
}

/** Opens a table of LibreView; undefined for a file that is none. */
async function openTable(file: ImportFile): Promise<Table | undefined> {
  if (!/^$|\.(csv|txt|tsv)$/.test(file.name)) return undefined
  try {
    const table = await openCsv(file, { isHead: (cells) => columnsOf(cells) !== undefined })
    return { ...table, columns: columnsOf(table.head) as LibreColumns }
  } catch (error) {
    if (error instanceof ImportFileError) return undefined
    throw error
  }
}

/** Opens the tables of the upload, one after the other. */
async function* tablesOf({ files }: ImportFiles): AsyncGenerator<Table> {
  for (const file of files) {
    const table = await openTable(file)
    if (table !== undefined) yield table
  }
}

/**
 * Returns the order of day and month: what the dates prove, or the option. Of a file whose dates
 * prove nothing, those with AM or PM have the month first, as only accounts of such countries do.
 * @returns undefined where it is not known
 * @throws ImportFileError for dates that contradict each other
 */
async function dateOrderOf({ files, options }: ImportContext): Promise<DateOrder | undefined> {
  const evidence = noEvidence()
  for await (const table of tablesOf(files)) {
    for await (const rows of table.batches()) {
      for (const row of rows) addEvidence(evidence, cellOf(row, table.columns, 'time'))
    }
  }
  const order = orderOf(evidence)
  if (order === null) {
    const hint = 'Some dates can only have the day first, others only the month.'
    throw new ImportFileError('malformed_file', { hint })
  }
  return order ?? (evidence.halfDays ? 'month_first' : options.date_order)
}

/** Returns when the file was made, which its first line says in UTC; null where it does not. */
function createdAt({ leading }: Table, order: DateOrder): number | null {
  for (const cell of leading.flat()) {
    const text = /^(.*\d.*) UTC$/.exec(cell.trim())?.[1]
    const local = text && readLocalDate(text, order)
    if (local?.includes('T')) return Date.parse(`${local}Z`)
  }
  return null
}

/** The glucose data of a LibreView account, as a table. */
export const LIBREVIEW: ImportFormat = {
  slug: 'libreview',
  title: 'Glucose data of LibreView',
  howToExport:
    'On libreview.com: sign in, Glucose History, Download glucose data. The file is a CSV.',
  provider: 'abbott_libreview',
  notes: [
    'Readings of the sensor, scans and strips become glucose of the types automatic, manual_scan and fingerprick. Doses, carbohydrates in grams and notes become samples of their hour, as those of the cloud connection.',
    'Times are the clock of the reader without a zone. They stay so, as all data of this provider, unless an import names a zone.',
    'LO and HI, and values that the sensor cannot measure, are quarantined. Ketones, servings, and doses without a number have no series.',
    'The order of day and month is what the dates of the file prove. Where every date is valid both ways, the option `date_order` is needed.',
    'The file has whole minutes, where the cloud connection has seconds: do not import the days that a connection has as well, or they are there twice.',
  ],
  options: ['time_zone', 'date_order'],
  async recognize({ files }) {
    if (files.length > 20) return false
    for (const file of files) if ((await openTable(file)) !== undefined) return true
    return false
  },
  async ask(context) {
    return (await dateOrderOf(context)) === undefined ? [ASK_DATE_ORDER] : []
  },
  async read(context, out) {
    const order = await dateOrderOf(context)
    if (order === undefined) throw new ImportFileError('unknown_columns')
    // The contract has times of this provider without a zone, whatever zone the user lives in.
    const clock = createLocalClock(context.given.time_zone)
    for await (const table of tablesOf(context.files)) {
      const { columns } = table
      out.exportedAt = createdAt(table, order)
      const records = new LibreRecords(out, { columns, order, clock, now: context.now })
      for await (const rows of table.batches()) {
        for (const row of rows as CsvRow[]) records.add(row)
        await out.settle()
      }
    }
  },
}

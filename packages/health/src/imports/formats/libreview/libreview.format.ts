import { type CsvRow, type CsvTable, openCsv } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile, ImportFiles } from '../../files/import-files.ts'
import { ASK_DATE_ORDER, ASK_TIME_ZONE, type DateOrder, hasTimeZone } from '../../import-options.ts'
import { addEvidence, noEvidence, orderOf, readLocalDate } from '../../running/local-dates.ts'
import type { ImportContext, ImportFormat } from '../import-format.ts'
import { cellOf, columnsOf, type LibreColumns } from './libreview-columns.ts'

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

/** What the tables leave open together. */
interface Findings {
  /** Undefined where the dates prove nothing. */
  order: DateOrder | undefined
  hasTimes: boolean
}

/**
 * Finds the order of day and month: what the dates prove, or else the date of the export, or the
 * option. Of a file whose dates prove nothing, those with AM or PM have the month first, as only
 * accounts of such countries do.
 * @throws ImportFileError for dates that contradict each other
 */
async function lookThrough({ files, options }: ImportContext): Promise<Findings> {
  const evidence = noEvidence()
  const ofExport = noEvidence()
  let hasTimes = false
  for await (const table of tablesOf(files)) {
    let last = ''
    for await (const rows of table.batches()) {
      for (const row of rows) {
        last = cellOf(row, table.columns, 'time') || last
        addEvidence(evidence, last)
      }
    }
    hasTimes ||= last !== ''
    // Spreadsheet programs rewrite the dates of the rows, and not the one of the export.
    if (WRITTEN.test(last)) addEvidence(ofExport, dateOfExport(table) ?? '')
  }
  const order = orderOf(evidence)
  if (order === null) {
    const hint = 'Some dates can only have the day first, others only the month.'
    throw new ImportFileError('malformed_file', { hint })
  }
  const { dayFirst, monthFirst } = ofExport
  const proven = dayFirst === monthFirst ? undefined : dayFirst ? 'day_first' : 'month_first'
  const usual = evidence.halfDays ? 'month_first' : options.date_order
  return { order: order ?? proven ?? usual, hasTimes }
}

/** Dates as the vendor writes them. */
const WRITTEN = /^\d\d-\d\d-\d{4} /

/** Returns the date in the first line of a table, which is in UTC, without its zone. */
function dateOfExport({ leading }: Table): string | undefined {
  for (const cell of leading.flat()) {
    const text = /^(.*\d.*) UTC$/.exec(cell.trim())?.[1]
    if (text !== undefined) return text
  }
  return undefined
}

/** Returns when the file was made, epoch milliseconds; null where it does not say it. */
function createdAt(table: Table, order: DateOrder): number | null {
  const local = readLocalDate(dateOfExport(table) ?? '', order)
  return local?.includes('T') ? Date.parse(`${local}Z`) : null
}

/** The glucose data of a LibreView account, as a table. */
export const LIBREVIEW: ImportFormat = {
  slug: 'libreview',
  title: 'Glucose data of LibreView',
  howToExport:
    'On libreview.com: sign in, Glucose History, Download glucose data. The file is a CSV.',
  provider: 'abbott_libreview',
  notes: [
    'Readings of the sensor, scans and strips become glucose of the types automatic, manual_scan and fingerprick. Doses, carbohydrates in grams and notes become samples of their minute.',
    'Times are the clock of the reader or the phone, without a zone: the option `time_zone` or the fallback zone of the user places them.',
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
    const { order, hasTimes } = await lookThrough(context)
    return [
      ...(hasTimes && !hasTimeZone(context.options) ? [ASK_TIME_ZONE] : []),
      ...(order === undefined ? [ASK_DATE_ORDER] : []),
    ]
  },
  async read(context, out) {
    const { LibreRecords } = await import('./libreview-records.ts')
    const { order } = await lookThrough(context)
    if (order === undefined) throw new ImportFileError('unknown_columns')
    const { clock, now } = context
    for await (const table of tablesOf(context.files)) {
      const { columns } = table
      out.exportedAt = createdAt(table, order)
      const records = new LibreRecords(out, { columns, order, clock, now })
      for await (const rows of table.batches()) {
        for (const row of rows as CsvRow[]) records.add(row)
        await out.settle()
      }
    }
  },
}

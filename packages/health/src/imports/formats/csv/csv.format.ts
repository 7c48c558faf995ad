import { series as seriesOf } from '@salus/contracts/series'
import { type CsvTable, openCsv } from '../../files/csv.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import type { ImportFile } from '../../files/import-files.ts'
import { ASK_TIME_ZONE, hasTimeZone, type ImportQuestion } from '../../import-options.ts'
import { readLocalDate } from '../../running/local-dates.ts'
import type { ImportContext, ImportFormat } from '../import-format.ts'
import type { CsvTemplate } from './csv-template.schema.ts'
import { columnsOfTemplate, problemOf } from './csv-template.ts'

const ASK_TEMPLATE: ImportQuestion = {
  option: 'template_id',
  reason: 'A table of any program is read by a template, which names its columns.',
  choices: null,
}

/**
 * Opens a table by a template.
 * @throws ImportFileError `unknown_columns` where a column of the template is missing
 */
export async function openTable(file: ImportFile, template: CsvTemplate): Promise<CsvTable> {
  const names = columnsOfTemplate(template)
  const delimiter = template.delimiter !== undefined && { delimiter: template.delimiter }
  try {
    if (template.has_head === false) return await openCsv(file, { ...delimiter, hasHead: false })
    const isHead = (cells: readonly string[]) => names.every((name) => cells.includes(name))
    return await openCsv(file, { ...delimiter, isHead })
  } catch (error) {
    if (!(error instanceof ImportFileError) || error.code !== 'malformed_csv') throw error
    const hint = 'No row has all columns of the template.'
    throw new ImportFileError('unknown_columns', { hint, cause: error })
  }
}

/** Returns the only table of an upload. @throws ImportFileError for several files or none */
function onlyFile({ files: { files } }: ImportContext): ImportFile {
  const tables = files.filter(({ name }) => name === '' || /\.(csv|tsv|txt)$/.test(name))
  const [table] = tables
  if (table !== undefined && tables.length === 1) return table
  throw new ImportFileError('wrong_format', { hint: 'A template reads one table.' })
}

/** Returns the template of an import. @throws ImportFileError `invalid_template` */
function templateOf({ options: { template } }: ImportContext): CsvTemplate | undefined {
  const found = template && problemOf(template)
  if (found === undefined) return template
  throw new ImportFileError('invalid_template', { hint: `${found.field}: ${found.problem}` })
}

/**
 * Whether a row has a time without an offset, or a day that a sum lasts. Other values of a day
 * stand at noon UTC in every zone.
 */
async function hasLocalTimes(table: CsvTable, template: CsvTemplate): Promise<boolean> {
  const { date_format: format, start, values } = template
  const hasSums = values.some(({ series }) => seriesOf(series).shape === 'interval')
  if (format === 'epoch_seconds' || format === 'epoch_milliseconds') return false
  for await (const rows of table.batches()) {
    for (const row of rows) {
      const clock = start.time_column === undefined ? '' : ` ${row.get(start.time_column)}`
      const local = readLocalDate(`${row.get(start.column)}${clock}`.trim(), format)
      if (local !== undefined && (hasSums || local.includes('T'))) return true
    }
  }
  return false
}

/** A table of any program, which a template of the team describes. */
export const CSV: ImportFormat = {
  slug: 'csv',
  title: 'Table (CSV) with a template',
  howToExport:
    'Any table with a row for each time, from a device, an app or a spreadsheet program. A template names its columns, units and dates.',
  provider: 'manual',
  notes: [
    'The option `template_id` names a template of the team. No format is recognized as a table: a file is read by a template only where the import names one.',
    'Sums of a day last all of the local day. Other values of a day stand at noon UTC.',
    'Values come from the source that the template names: two templates with one `app_id` replace the values of each other.',
  ],
  options: ['template_id', 'time_zone'],
  refusesOthers: true,
  recognize: () => Promise.resolve(false),
  async ask(context) {
    const template = templateOf(context)
    if (template === undefined) return [ASK_TEMPLATE]
    const table = await openTable(onlyFile(context), template)
    const hasZone = template.time_zone !== undefined || hasTimeZone(context.options)
    return !hasZone && (await hasLocalTimes(table, template)) ? [ASK_TIME_ZONE] : []
  },
  async read(context, out) {
    const { CsvRows } = await import('./csv-rows.ts')
    const template = templateOf(context)
    if (template === undefined) throw new ImportFileError('invalid_template')
    const table = await openTable(onlyFile(context), template)
    const rows = new CsvRows(template, { zone: context.options.time_zone, now: context.now })
    for await (const batch of table.batches()) {
      for (const row of batch) rows.add(row, out)
      await out.settle()
    }
  },
}

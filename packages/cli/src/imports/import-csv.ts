import type { Command } from 'commander'
import { readConnection } from '../connection/config.ts'
import { type Column, formatTable } from '../terminal/table.ts'
import { askProgram, dryRun, loadTemplate } from './dry-run.ts'
import { addPersonOptions, type ImportFileOptions, importFile } from './import-file.ts'
import { useTemplate } from './templates.ts'
import { measureFile } from './upload-file.ts'

interface Options extends ImportFileOptions {
  map?: string
  preview?: boolean
  save?: string
  timeZone?: string
}

/** What the program of the server shows of a table. */
interface Preview {
  delimiter: string
  has_head: boolean
  columns: {
    name: string
    kind: string
    date_orders: string[]
    decimals: string[]
    suggestion: { series: string; unit: string | null } | null
  }[]
  rows: string[][]
  results: { row: number; becomes: Record<string, unknown>[] }[] | null
}

const EXAMPLES = `
Examples:
  $ salus import csv meter.csv --preview
  $ salus import csv meter.csv --map meter.json --dry-run
  $ salus import csv meter.csv --map meter.json --client-user-id alex
  $ salus import csv meter.csv --map meter.json --save "Meter" \\
      --client-user-id alex
  $ salus import csv meter.csv --map Meter --client-user-id alex

A template is a JSON object such as
  {"date_format": "day_first", "time_zone": "Europe/Vienna", "decimal": ",",
   "start": {"column": "Date", "time_column": "Time"},
   "values": [{"series": "glucose", "column": "Glucose", "unit": "mmol/L",
               "type": "fingerprick"}]}`

export function addImportCsvCommand(imports: Command): void {
  const command = imports
    .command('csv')
    .description('import any table (CSV), by a template that names its columns')
    .argument('<file>', 'table with a row for each time; - is stdin')
    .option('--map <template>', 'JSON file with a template, or name or id of a saved one')
    .option('--save <name>', 'name under which the template of the JSON file is saved')
    .option('--preview', 'show delimiter, columns and first rows, and what they become')
    .option('--dry-run', 'show what the table would become; stores nothing')
    .option('--time-zone <zone>', 'IANA zone of local times, or floating for none')
  addPersonOptions(command)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action((path: string, given: Options, self: Command) => importCsv(self, path, given))
}

async function importCsv(command: Command, path: string, given: Options): Promise<void> {
  const { map, timeZone, preview = false } = given
  const options = timeZone === undefined ? {} : { time_zone: timeZone }
  if (preview) return showPreview(command, path, given)
  if (map === undefined) command.error('error: name a template with --map, or use --preview')
  if (given.dryRun) return dryRun(command, path, { ...given, template: map }, options)
  const connection = readConnection(command)
  const { id } = await useTemplate(connection, map, given.save)
  await importFile(connection, path, { ...given, format: 'csv' }, { ...options, template_id: id })
}

async function showPreview(command: Command, path: string, given: Options): Promise<void> {
  await measureFile(path)
  const { map, timeZone } = given
  const template = map === undefined ? {} : { template: await loadTemplate(command, map) }
  const zone = timeZone === undefined ? {} : { time_zone: timeZone }
  const request = { action: 'preview', path, options: { ...zone, ...template } }
  const preview = await askProgram<Preview>(command, request)
  if (preview === undefined) return
  console.log(given.json ? JSON.stringify(preview, null, 2) : formatPreview(preview))
}

const NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
}
const MOST_ROWS = 5
const MOST_CELL = 24

function formatPreview({ delimiter, has_head, columns, rows, results }: Preview): string {
  const head = has_head ? 'The first row names the columns.' : 'No row names the columns.'
  const parts = [
    `Delimiter: ${NAMES[delimiter] ?? delimiter}. ${head}`,
    formatTable(COLUMNS, columns),
    formatTable(
      columns.map(({ name }, index) => ({
        title: shorten(name),
        text: (row: string[]) => shorten(row[index] ?? ''),
      })),
      rows.slice(0, MOST_ROWS),
    ),
  ]
  if (results !== null) {
    const lines = results
      .slice(0, MOST_ROWS)
      .flatMap(({ row, becomes }) => becomes.map((line) => ({ row, ...describeLine(line) })))
    parts.push(lines.length === 0 ? 'The rows become nothing.' : formatTable(RESULTS, lines))
  }
  return parts.join('\n\n')
}

const COLUMNS: Column<Preview['columns'][number]>[] = [
  { title: 'Column', text: ({ name }) => name },
  { title: 'Kind', text: ({ kind }) => kind },
  { title: 'Date orders', text: ({ date_orders }) => date_orders.join(' or ') },
  { title: 'Decimals', text: ({ decimals }) => decimals.join(' or ') },
  { title: 'May be', text: ({ suggestion }) => describeSuggestion(suggestion) },
]

const describeSuggestion = (found: Preview['columns'][number]['suggestion']): string =>
  found === null ? '' : [found.series, found.unit ?? ''].join(' ').trim()

interface Result {
  row: number
  what: string
  at: string
}

const RESULTS: Column<Result>[] = [
  { title: 'Row', align: 'right', text: ({ row }) => String(row + 1) },
  { title: 'Becomes', text: ({ what }) => what },
  { title: 'At', text: ({ at }) => at },
]

function describeLine(line: Record<string, unknown>): Omit<Result, 'row'> {
  const { resource, refused, value, unit, start, timestamp } = line
  const what =
    refused === undefined ? `${resource} ${value ?? ''} ${unit ?? ''}` : `quarantined: ${refused}`
  return { what: what.trim(), at: String(start ?? timestamp ?? '') }
}

const shorten = (text: string): string =>
  text.length > MOST_CELL ? `${text.slice(0, MOST_CELL - 1)}…` : text

import type { Command } from 'commander'
import { readConnection } from '../../connection/config.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { untilInterrupted } from '../../terminal/interruption.ts'
import { formatCount } from '../../terminal/number-format.ts'
import { formatTable } from '../../terminal/table.ts'
import { uploadDocument } from './document-upload.ts'
import { explainProblems, type LoadProblems } from './load-problems.ts'
import { readPublishedFile } from './published-file.ts'

interface Options {
  tabular?: string
  dryRun?: boolean
  json?: boolean
}

/** Report of a load or a dry run, as in the schema of the server. */
interface Icd10Report {
  dry_run: boolean
  codes: { added: number; changed: number; removed: number; unchanged: number }
  billable: number
  notes: { excludes1: number; excludes2: number; code_first: number; unread: number }
}

const EXAMPLES = `
Examples:
  $ salus icd10 import icd10cm-code-descriptions.zip --dry-run
  $ salus icd10 import icd10cm_order_2027.txt --tabular icd10cm_tabular_2027.xml

The code set is replaced as a whole. Orders keep their codes. CMS publishes the
order file, and CDC the tabular list with the notes about codes that exclude
each other; without it the notes stay unchanged.`

const ORDER_FILE = /^icd10cm[-_]order[-_].*\.txt$/i
const TABULAR = /^icd10cm[-_]tabular[-_].*\.xml$/i

export function addIcd10ImportCommand(parent: Command): void {
  parent
    .command('import')
    .description('load the yearly code set of ICD-10-CM')
    .argument('<file>', 'the order file: text, gzip, or a zip that contains it; - is stdin')
    .option('--tabular <file>', 'the tabular list: XML, gzip, or a zip that contains it')
    .option('--dry-run', 'only check it, and report what would change')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options, command: Command) => {
      const connection = readConnection(command)
      const document = {
        path: '/v1/diagnosis_codes',
        body: await readFiles(path, options.tabular),
        refusal: 'diagnosis_codes_invalid',
        explain: (problems: LoadProblems) => explainProblems('The code set has', problems),
      }
      const isDryRun = options.dryRun ?? false
      const report = await untilInterrupted(
        () => 'Stopped: a code set that was already sent may still be loaded.',
        (signal) =>
          uploadDocument<Icd10Report>(connection, document, isDryRun, process.stderr, signal),
      )
      console.log(options.json ? JSON.stringify(report, null, 2) : formatReport(report))
    })
}

async function readFiles(path: string, tabularPath: string | undefined): Promise<Buffer> {
  const files = await readPublishedFile(path, { order: ORDER_FILE, tabular: TABULAR })
  if (files.order === undefined) {
    throw new CliError(`${path} contains no order file (icd10cm_order_….txt).`)
  }
  const given =
    tabularPath === undefined ? files : await readPublishedFile(tabularPath, { tabular: TABULAR })
  if (tabularPath !== undefined && given.tabular === undefined) {
    throw new CliError(`${tabularPath} contains no tabular list (icd10cm_tabular_….xml).`)
  }
  return Buffer.from(JSON.stringify({ order_file: files.order, tabular_xml: given.tabular }))
}

/** Formats the report of a load for people. */
function formatReport({ dry_run: isDryRun, codes, billable, notes }: Icd10Report): string {
  const rows = [
    ['New codes', codes.added],
    ['Changed', codes.changed],
    ['Removed codes', codes.removed],
    ['Unchanged', codes.unchanged],
    ['Valid for claims', billable],
    ['Notes: exclude each other', notes.excludes1],
    ['Notes: overlap', notes.excludes2],
    ['Notes: underlying disease first', notes.code_first],
    ['Notes with a condition in words, left out', notes.unread],
  ] as const
  const table = formatTable(
    [
      { title: 'Codes and headings', text: ([title]) => title },
      { title: 'Count', align: 'right', text: ([, count]) => formatCount(count) },
    ],
    rows,
  )
  const headline = isDryRun
    ? 'The code set is valid. Loading it would do this:'
    : 'The code set is loaded.'
  return `${headline}\n\n${table}`
}

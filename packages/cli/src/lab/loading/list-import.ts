import type { Command } from 'commander'
import { readConnection } from '../../connection/config.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { nameOfInput, readInput } from '../../terminal/input.ts'
import { untilInterrupted } from '../../terminal/interruption.ts'
import { formatCount } from '../../terminal/number-format.ts'
import { formatTable } from '../../terminal/table.ts'
import type { CatalogChanges } from './catalog-report.ts'
import { uploadDocument } from './document-upload.ts'
import { explainProblems, type LoadProblems } from './load-problems.ts'

/** What a load did, or would do; as in the server's schemas. */
export interface ListReport {
  dry_run: boolean
  deactivated: number
}

/** A list that an operator loads as one CSV file. */
export interface ListImport<Report extends ListReport> {
  description: string
  help: string
  /** Of the management API, such as /v1/payors. */
  path: string
  /** `error_type` of the refusal that lists what is wrong. */
  refusal: string
  /** What stands in the lines. */
  title: string
  /** What became of those that the list no longer has. */
  deactivated: string
  changesOf: (report: Report) => CatalogChanges
  /** How people call what was loaded. */
  nameOf: (report: Report) => string
}

interface Options {
  dryRun?: boolean
  json?: boolean
}

/** Adds the command `import` that loads such a list with the management key. */
export function addListImportCommand<Report extends ListReport>(
  parent: Command,
  list: ListImport<Report>,
): void {
  parent
    .command('import')
    .description(list.description)
    .argument('<file>', 'a CSV file; - is stdin')
    .option('--dry-run', 'only check it, and tell what would change')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', list.help)
    .action(async (path: string, options: Options, command: Command) => {
      const connection = readConnection(command)
      const csv = await readText(path)
      const document = {
        path: list.path,
        body: Buffer.from(JSON.stringify({ csv })),
        refusal: list.refusal,
        explain: (problems: LoadProblems) => explainProblems('The list has', problems),
      }
      const isDryRun = options.dryRun ?? false
      const report = await untilInterrupted(
        () => 'Stopped: a list that was sent whole may still be loaded.',
        (signal) => uploadDocument<Report>(connection, document, isDryRun, process.stderr, signal),
      )
      console.log(options.json ? JSON.stringify(report, null, 2) : formatReport(list, report))
    })
}

/**
 * @throws CliError for what is not there, cannot be read, or would lose letters: spreadsheets often
 *   write other encodings
 */
async function readText(path: string): Promise<string> {
  const bytes = await readInput(path)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CliError(`${nameOfInput(path)} is not UTF-8 text: save it as "CSV UTF-8".`, { cause })
  }
}

/** What a load did, for people. */
function formatReport<Report extends ListReport>(list: ListImport<Report>, report: Report): string {
  const { inserted, updated, unchanged } = list.changesOf(report)
  const rows = [
    ['New', inserted],
    ['Changed', updated],
    ['Unchanged', unchanged],
    [list.deactivated, report.deactivated],
  ] as const
  const table = formatTable(
    [
      { title: list.title, text: ([title]) => title },
      { title: 'Count', align: 'right', text: ([, count]) => formatCount(count) },
    ],
    rows,
  )
  const name = list.nameOf(report)
  const headline = report.dry_run
    ? `${name} is valid. Loading it would do this:`
    : `${name} is loaded.`
  return `${headline}\n\n${table}`
}

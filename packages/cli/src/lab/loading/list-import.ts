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

/** Report of a load or a dry run, as in the schemas of the server. */
export interface ListReport {
  dry_run: boolean
  deactivated: number
}

/** A list that an operator loads as one CSV file. */
export interface ListImport<Report extends ListReport> {
  description: string
  help: string
  /** Path of the management API, such as /v1/payors. */
  path: string
  /** `error_type` of the error that lists the problems. */
  refusal: string
  /** Title of the rows. */
  title: string
  /** Label of the rows that are missing in the list. */
  deactivated: string
  changesOf: (report: Report) => CatalogChanges
  /** Returns the name of the list in messages. */
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
    .option('--dry-run', 'only check it, and report what would change')
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
        () => 'Stopped: a list that was already sent may still be loaded.',
        (signal) => uploadDocument<Report>(connection, document, isDryRun, process.stderr, signal),
      )
      console.log(options.json ? JSON.stringify(report, null, 2) : formatReport(list, report))
    })
}

/**
 * Reads a list.
 * @throws CliError for a file that does not exist, cannot be read, or is not UTF-8: spreadsheets
 * often write other encodings
 */
async function readText(path: string): Promise<string> {
  const bytes = await readInput(path)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CliError(`${nameOfInput(path)} is not UTF-8 text: save it as "CSV UTF-8".`, { cause })
  }
}

/** Formats the report of a load for people. */
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

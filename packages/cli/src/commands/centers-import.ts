import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { CatalogChanges } from '../catalog-report.ts'
import { CliError } from '../cli-error.ts'
import { readConnection } from '../config.ts'
import { uploadDocument } from '../document-upload.ts'
import { untilInterrupted } from '../interruption.ts'
import { explainProblems, type LoadProblems } from '../load-problems.ts'
import { formatCount } from '../number-format.ts'
import { formatTable } from '../table.ts'

interface Options {
  dryRun?: boolean
  json?: boolean
}

/** What a load did, or would do; as in the server's schema. */
interface CentersReport {
  dry_run: boolean
  labs: number
  service_centers: CatalogChanges
  deactivated: number
}

const EXAMPLES = `
Examples:
  $ salus centers import centers.csv --dry-run
  $ salus centers import centers.csv

The laboratories that the list names get exactly its sites: those that it no longer has are closed. All problems
are told at once, and then nothing is loaded. The columns are in docs/service-centers.md.`

export function addCentersImportCommand(parent: Command): void {
  parent
    .command('import')
    .description('load a list of service centers')
    .argument('<file>', 'a CSV file')
    .option('--dry-run', 'only check it, and tell what would change')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options, command: Command) => {
      const connection = readConnection(command)
      const csv = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
        const reason = cause.code === 'ENOENT' ? 'is not there' : `cannot be read (${cause.code})`
        throw new CliError(`${path} ${reason}.`, { cause })
      })
      const document = {
        path: '/v1/service_centers',
        body: Buffer.from(JSON.stringify({ csv })),
        refusal: 'service_centers_invalid',
        explain: (problems: LoadProblems) => explainProblems('The list has', problems),
      }
      const isDryRun = options.dryRun ?? false
      const report = await untilInterrupted(
        () => 'Stopped: a list that was sent whole may still be loaded.',
        (signal) =>
          uploadDocument<CentersReport>(connection, document, isDryRun, process.stderr, signal),
      )
      console.log(options.json ? JSON.stringify(report, null, 2) : formatReport(report))
    })
}

/** What a load did, for people. */
function formatReport({ dry_run: isDryRun, labs, ...report }: CentersReport): string {
  const { inserted, updated, unchanged } = report.service_centers
  const rows = [
    ['New', inserted],
    ['Changed', updated],
    ['Unchanged', unchanged],
    ['Closed, because the list no longer has them', report.deactivated],
  ] as const
  const table = formatTable(
    [
      { title: 'Service centers', text: ([title]) => title },
      { title: 'Count', align: 'right', text: ([, count]) => formatCount(count) },
    ],
    rows,
  )
  const whose = labs === 1 ? '1 laboratory' : `${formatCount(labs)} laboratories`
  const headline = isDryRun
    ? `The list of ${whose} is valid. Loading it would do this:`
    : `The list of ${whose} is loaded.`
  return `${headline}\n\n${table}`
}

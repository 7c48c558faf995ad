import type { Command } from 'commander'
import { readConnection } from '../../connection/config.ts'
import { untilInterrupted } from '../../terminal/interruption.ts'
import { readCatalogBundle } from './catalog-bundle.ts'
import {
  type CatalogReport,
  explainCatalogProblems,
  formatCatalogReport,
} from './catalog-report.ts'
import { uploadDocument } from './document-upload.ts'
import type { LoadProblems } from './load-problems.ts'

interface Options {
  dryRun?: boolean
  json?: boolean
}

const EXAMPLES = `
Examples:
  $ salus catalog import ./our-catalog --dry-run
  $ salus catalog import catalog.json

The tests of each laboratory in the catalog are replaced; other laboratories
stay unchanged. If there are problems, all of them are listed and nothing is
loaded. The format is in packages/lab/data/catalog/README.md.`

export function addCatalogImportCommand(parent: Command): void {
  parent
    .command('import')
    .description('load a catalog of laboratories and their tests')
    .argument('<path>', 'a folder of catalog files, or one JSON file')
    .option('--dry-run', 'only check it, and report what would change')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: Options, command: Command) => {
      const connection = readConnection(command)
      const { body, isFolder } = await readCatalogBundle(path)
      const catalog = {
        path: '/v1/catalog',
        body,
        refusal: 'catalog_invalid',
        explain: (problems: LoadProblems) => explainCatalogProblems(problems, isFolder),
      }
      const isDryRun = options.dryRun ?? false
      const report = await untilInterrupted(
        () => 'Stopped: a catalog that was already sent may still be loaded.',
        (signal) =>
          uploadDocument<CatalogReport>(connection, catalog, isDryRun, process.stderr, signal),
      )
      console.log(options.json ? JSON.stringify(report, null, 2) : formatCatalogReport(report))
    })
}

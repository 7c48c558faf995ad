import type { Command } from 'commander'
import { formatCount } from '../../terminal/number-format.ts'
import type { CatalogChanges } from './catalog-report.ts'
import { addListImportCommand, type ListReport } from './list-import.ts'

interface CentersReport extends ListReport {
  labs: number
  service_centers: CatalogChanges
}

const HELP = `
Examples:
  $ salus centers import centers.csv --dry-run
  $ salus centers import centers.csv

The sites of each laboratory in the list are replaced: sites that are missing
in it are closed. If there are problems, all of them are listed and nothing is
loaded. The columns are in docs/service-centers.md.`

export function addCentersImportCommand(parent: Command): void {
  addListImportCommand<CentersReport>(parent, {
    description: 'load a list of service centers',
    help: HELP,
    path: '/v1/service_centers',
    refusal: 'service_centers_invalid',
    title: 'Service centers',
    deactivated: 'Closed, missing in the list',
    changesOf: (report) => report.service_centers,
    nameOf: ({ labs }) =>
      `The list of ${labs === 1 ? '1 laboratory' : `${formatCount(labs)} laboratories`}`,
  })
}

import type { Command } from 'commander'
import type { CatalogChanges } from './catalog-report.ts'
import { addListImportCommand, type ListReport } from './list-import.ts'

interface PayorsReport extends ListReport {
  payors: CatalogChanges
}

const HELP = `
Examples:
  $ salus payors import payors.csv --dry-run
  $ salus payors import payors.csv

The file is the whole list: payors that are missing in it are no longer found,
and stay with the policies that name them. If there are problems, all of them
are listed and nothing is loaded. The columns are in docs/insurance.md.`

export function addPayorsImportCommand(parent: Command): void {
  addListImportCommand<PayorsReport>(parent, {
    description: 'load the list of payors',
    help: HELP,
    path: '/v1/payors',
    refusal: 'payors_invalid',
    title: 'Payors',
    deactivated: 'No longer found, missing in the list',
    changesOf: (report) => report.payors,
    nameOf: () => 'The list',
  })
}

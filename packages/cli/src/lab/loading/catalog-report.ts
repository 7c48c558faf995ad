import type { CliError } from '../../terminal/cli-error.ts'
import { formatCount } from '../../terminal/number-format.ts'
import { formatTable } from '../../terminal/table.ts'
import { explainProblems, type LoadProblems } from './load-problems.ts'

/** Report of a load or a dry run, as in the schema of the server. */
export interface CatalogReport {
  dry_run: boolean
  labs: CatalogChanges
  loincs: CatalogChanges
  markers: CatalogChanges
  deactivated: number
  expected_results: CatalogChanges
  lab_accounts: CatalogChanges
  physicians: CatalogChanges
}

export interface CatalogChanges {
  inserted: number
  updated: number
  unchanged: number
}

/** Lists all problems in one error, each with its file where the catalog was read from a folder. */
export function explainCatalogProblems(problems: LoadProblems, isFolder: boolean): CliError {
  return explainProblems('The catalog has', problems, isFolder ? nameFile : undefined)
}

/** orderables.quest.tests[3].name → orderables/quest.json, tests[3].name */
function nameFile(path: string): { file: string; location: string } {
  const [, section = '', rest = ''] = /^([a-z_]+)\.?(.*)$/s.exec(path) ?? []
  if (section === 'orderables') {
    const [, lab = '', location = ''] = /^([^.[]+)\.?(.*)$/s.exec(rest) ?? []
    return { file: `orderables/${lab}.json`, location }
  }
  if (section === 'loincs') {
    // The first line has the names of the columns.
    const location = rest.replace(/^\[(\d+)\]/, (_text, index) => `line ${Number(index) + 2} `)
    return { file: 'loincs.csv', location: location.replace(' .', ' ') }
  }
  return { file: `${section.replaceAll('_', '-')}.json`, location: rest }
}

const PARTS = [
  { title: 'Laboratories', name: 'labs' },
  { title: 'LOINC codes', name: 'loincs' },
  { title: 'Markers', name: 'markers' },
  { title: 'Expected results', name: 'expected_results' },
  { title: 'Lab accounts', name: 'lab_accounts' },
  { title: 'Physicians', name: 'physicians' },
] as const

/** Formats the report of a load for people. */
export function formatCatalogReport(report: CatalogReport): string {
  const number = (title: string, name: keyof CatalogChanges) => ({
    title,
    align: 'right' as const,
    text: (row: (typeof PARTS)[number]) => {
      const count = report[row.name][name]
      return count === 0 ? '·' : formatCount(count)
    },
  })
  const table = formatTable(
    [
      { title: 'Part', text: ({ title }) => title },
      number('New', 'inserted'),
      number('Changed', 'updated'),
      number('Unchanged', 'unchanged'),
    ],
    PARTS,
  )
  const headline = report.dry_run
    ? 'The catalog is valid. Loading it would do this:'
    : 'The catalog is loaded.'
  const { deactivated } = report
  const word = deactivated === 1 ? 'marker is' : 'markers are'
  const gone = deactivated === 0 ? '' : `\n\n${formatCount(deactivated)} ${word} no longer offered.`
  return `${headline}\n\n${table}${gone}`
}

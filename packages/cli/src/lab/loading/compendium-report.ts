import { formatCount } from '../../terminal/number-format.ts'
import { formatTable } from '../../terminal/table.ts'

/** Report of an import or a dry run, as in the schema of the server. */
export interface CompendiumReport {
  dry_run: boolean
  lab: string
  added: number
  changed: number
  retired: number
  unchanged: number
  refused: number
  loincs_added: number
  unused_rows: number
  retires_too_many: boolean
  changes: {
    change: string
    code: string
    name: string
    fields: { field: string; before: string | null; after: string | null }[]
    lab_tests: number
    open_orders: number
  }[]
  refusals: { code: string | null; path: string; message: string }[]
  refusal_count: number
  affected_lab_tests: {
    team_id: string
    environment: string
    lab_test_id: string
    name: string
    retired_codes: string[]
  }[]
}

/** Longer lists are read as JSON. */
const MOST_LINES = 100
const LONGEST_TEXT = 40

const COUNTS = [
  ['New', 'added'],
  ['Changed', 'changed'],
  ['Retired', 'retired'],
  ['Unchanged', 'unchanged'],
  ['Refused', 'refused'],
  ['New LOINC codes', 'loincs_added'],
  ['Rows of other tests', 'unused_rows'],
] as const

/** Returns the number of tests that change. */
export const countChanges = ({ added, changed, retired }: CompendiumReport): number =>
  added + changed + retired

/** Formats the differences between a compendium and the catalog. */
export function formatDifferences(report: CompendiumReport): string {
  const counts = formatTable(
    [
      { title: `Tests of ${report.lab}`, text: ([title]) => title },
      { title: 'Count', align: 'right', text: ([, name]) => formatCount(report[name]) },
    ],
    COUNTS,
  )
  const parts = [counts, formatChanges(report), formatAffected(report), formatRefusals(report)]
  return parts.filter((part) => part !== '').join('\n\n')
}

type Line = [
  change: string,
  code: string,
  what: string,
  before: string,
  after: string,
  uses: string,
]

function formatChanges({ changes }: CompendiumReport): string {
  const lines = changes.flatMap(({ change, code, name, fields, ...used }): Line[] => {
    const uses = describeUses(used)
    if (fields.length === 0) return [[change, code, name, '', '', uses]]
    return fields.map(({ field, before, after }, index) => [
      index === 0 ? change : '',
      index === 0 ? code : '',
      field,
      before ?? '–',
      after ?? '–',
      index === 0 ? uses : '',
    ])
  })
  if (lines.length === 0) return ''
  const titles = ['Change', 'Code', 'Test or field', 'Before', 'After', 'In use']
  const columns = titles.map((title, index) => ({
    title,
    text: (line: Line) => shorten(line[index] ?? ''),
  }))
  return withRest(formatTable(columns, lines.slice(0, MOST_LINES)), lines.length)
}

function describeUses(used: { lab_tests: number; open_orders: number }): string {
  const tests = used.lab_tests === 0 ? [] : [`lab tests: ${formatCount(used.lab_tests)}`]
  const orders = used.open_orders === 0 ? [] : [`open orders: ${formatCount(used.open_orders)}`]
  return [...tests, ...orders].join(', ')
}

function formatAffected({ affected_lab_tests: tests }: CompendiumReport): string {
  if (tests.length === 0) return ''
  type Test = (typeof tests)[number]
  const table = formatTable(
    [
      { title: 'Lab test with a retired test', text: ({ lab_test_id: id }: Test) => id },
      { title: 'Team', text: ({ team_id: id }) => id },
      { title: 'Environment', text: ({ environment }) => environment },
      { title: 'Codes', text: ({ retired_codes: codes }) => shorten(codes.join(', ')) },
    ],
    tests.slice(0, MOST_LINES),
  )
  return withRest(table, tests.length)
}

function formatRefusals({ refusals, refusal_count: count }: CompendiumReport): string {
  if (count === 0) return ''
  const table = formatTable(
    [
      { title: 'Refused', text: ({ code }: (typeof refusals)[number]) => code ?? '–' },
      { title: 'Place', text: ({ path }) => path },
      { title: 'Problem', text: ({ message }) => message },
    ],
    refusals.slice(0, MOST_LINES),
  )
  return withRest(table, count)
}

const shorten = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1)}…`

const withRest = (table: string, count: number): string =>
  count <= MOST_LINES ? table : `${table}\n${formatCount(count - MOST_LINES)} more; see --json.`

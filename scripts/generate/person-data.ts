import { PERSON_TABLES, type PersonTable } from '../../packages/rights/src/person-data/index.ts'
import { code, codeList, generatedNotice, joinParts, markdownTable } from './markdown.ts'

/**
 * Generates docs/person-data.md: every table with data of people, with its handling by exports and
 * erasures.
 */
export function describePersonData(): string {
  const rowsOf = (store: PersonTable['store']) =>
    PERSON_TABLES.filter((table) => table.store === store).map((table) => [
      code(table.name),
      table.meaning,
      exportCell(table),
      typeof table.erased === 'string' ? 'removed' : `stays: ${table.erased.kept}`,
    ])
  const head = ['Table', 'A row is', 'In an export', 'By an erasure']
  return joinParts(
    generatedNotice('packages/rights/src/person-data/person-tables.registry.ts'),
    '# Data of people',
    'Every table of both stores with data of people. A test fails for a table that is neither listed here nor known to contain none. How exports and erasures work: [persons’ rights](persons-rights.md).',
    '## PostgreSQL',
    markdownTable(head, rowsOf('postgresql')),
    '## ClickHouse',
    markdownTable(head, rowsOf('clickhouse')),
    '## Files',
    'PDFs of results, uploaded reports, pictures of insurance cards, exports, and files that wait to be imported. An erasure removes all of them; an export contains the first three.',
  )
}

function exportCell({ unexported, without = [] }: PersonTable): string {
  if (unexported !== undefined) return `no: ${unexported}`
  const hidden = without.filter((name) => name !== 'environment_id' && name !== 'user_id')
  return hidden.length === 0 ? 'yes' : `yes, without ${codeList(hidden)}`
}

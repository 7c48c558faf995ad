import { isLoincCode } from '@salus/kernel/check-digits'
import type { MappedRow } from '../sources/read-tables.ts'
import type { Refusals } from './refusals.ts'
import type { RowReader } from './row-reader.ts'
import { LONGEST_CODE, openRow, readByTest, type TestIndex } from './rows-of-tests.ts'

/** A result of a test. */
export interface CompendiumResult {
  code: string
  name: string
  loinc: string | null
  unit: string | null
  required: boolean
}

/** What a table of results says about a code, for all tests. */
export type ResultDefinition = Partial<Record<'name' | 'loinc' | 'unit', string>>

/** Reads the results by code; the first row with a value counts. */
export function readResultDefinitions(
  rows: readonly MappedRow[],
  refusals: Refusals,
): Map<string, ResultDefinition> {
  const definitions = new Map<string, ResultDefinition>()
  for (const row of rows) {
    const { code, reader } = openRow(row, 'code', refusals, 'of no test')
    if (code === undefined) continue
    definitions.set(code, { ...definedOf(reader), ...definitions.get(code) })
  }
  return definitions
}

function definedOf(row: RowReader): ResultDefinition {
  const values = {
    name: row.text('name'),
    loinc: row.text('loinc', 20),
    unit: row.text('unit', 100),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** Reads the components of tests, in the order of the rows. */
export function readComponents(
  rows: readonly MappedRow[],
  definitions: ReadonlyMap<string, ResultDefinition>,
  index: TestIndex,
): Map<string, CompendiumResult[]> {
  const seen = new Map<string, string>()
  return readByTest(rows, index, (row, test) => {
    const code = row.text('code', LONGEST_CODE)
    if (code === undefined) return row.refuse('code', 'The component has no code.')
    const { name, loinc, unit } = { ...definitions.get(code), ...definedOf(row) }
    if (name === undefined) return row.refuse('name', 'The component has no name.')
    if (loinc !== undefined && !isLoincCode(loinc)) return row.refuse('loinc', wrongLoinc(loinc))
    const required = row.boolean('required') ?? true
    const result = { code, name, loinc: loinc ?? null, unit: unit ?? null, required }
    const [key, text] = [JSON.stringify([test, code]), JSON.stringify(result)]
    const known = seen.get(key)
    seen.set(key, text)
    if (known === undefined) return result
    return known === text ? undefined : row.refuse('code', 'Appears twice in one test.')
  })
}

export const wrongLoinc = (code: string): string =>
  `${code} is not a LOINC code: its check digit is wrong.`

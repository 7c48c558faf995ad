import type { MappedRow } from '../sources/read-tables.ts'
import type { Refusals } from './refusals.ts'
import { RowReader } from './row-reader.ts'

export const LONGEST_CODE = 100

/** The tests of the files, for the tables of their parts. */
export interface TestIndex {
  /** Whether a test is among the files, by code; false for one that they retire. */
  isActive: ReadonlyMap<string, boolean>
  refusals: Refusals
  /** Counts rows about tests that the files do not have. */
  addUnused: () => void
}

/** Reads the rows of a table by the code of their test, without those of other tests. */
export function readByTest<T>(
  rows: readonly MappedRow[],
  { isActive, refusals, addUnused }: TestIndex,
  read: (row: RowReader, code: string) => T | undefined,
): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const { code, reader } = openRow(row, 'test', refusals, 'of a test')
    if (code === undefined) continue
    const state = isActive.get(code)
    if (state === undefined) addUnused()
    if (!state) continue
    const value = read(reader, code)
    if (value === undefined) continue
    const group = groups.get(code)
    if (group === undefined) groups.set(code, [value])
    else group.push(value)
  }
  return groups
}

/**
 * Opens a row whose field has a code.
 * @param owner Whether its refusals are those of the test with this code, or of no test.
 */
export function openRow(
  row: MappedRow,
  field: string,
  refusals: Refusals,
  owner: 'of a test' | 'of no test',
): { code: string | undefined; reader: RowReader } {
  let [code, isOpen]: [string | undefined, boolean] = [undefined, false]
  const testOf = (named: string | undefined) => (owner === 'of a test' ? (named ?? null) : null)
  const waiting: [path: string, message: string][] = []
  const refuse = (path: string, message: string): void => {
    if (isOpen) refusals.add(testOf(code), path, message)
    else waiting.push([path, message])
  }
  const reader = new RowReader(row, refuse)
  code = reader.text(field, LONGEST_CODE)
  if (code === undefined && waiting.length === 0) {
    waiting.push([reader.pathOf(field), 'The row has no code.'])
  }
  for (const [path, message] of waiting) refusals.add(testOf(code), path, message)
  isOpen = true
  return { code, reader }
}

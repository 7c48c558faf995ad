import { isLoincCode } from '@salus/kernel/check-digits'
import { MARKER_TYPES, type MarkerDraft, SAMPLE_TYPES } from '../../catalog/index.ts'
import type { MappedRow } from '../sources/read-tables.ts'
import { wrongLoinc } from './read-results.ts'
import type { Refusals } from './refusals.ts'
import type { RowReader } from './row-reader.ts'
import { openRow } from './rows-of-tests.ts'

/** Fields of a marker that a row of a test may have. */
export type TestFields = Partial<
  Pick<
    MarkerDraft,
    | 'description'
    | 'aliases'
    | 'cpt_codes'
    | 'type'
    | 'unit'
    | 'sample_type'
    | 'price_cents'
    | 'common_tat_days'
    | 'worst_case_tat_days'
    | 'a_la_carte_enabled'
    | 'is_orderable'
  >
>

/** A row of a test, without its parts. */
export interface TestRow {
  code: string
  name: string
  isRetired: boolean
  loinc: string | null
  /** File and row. */
  place: string
  /** Only the fields that the mapping has; null for an empty cell. */
  fields: TestFields
}

/** Reads the tests by code; several rows of one test have to agree. */
export function readTests(rows: readonly MappedRow[], refusals: Refusals): Map<string, TestRow> {
  const tests = new Map<string, { test: TestRow; text: string }>()
  for (const row of rows) {
    const { code, reader } = openRow(row, 'code', refusals, 'of a test')
    if (code === undefined) continue
    const test = readTest(reader, code)
    const [known, text] = [tests.get(code), JSON.stringify({ ...test, place: '' })]
    if (known === undefined) tests.set(code, { test, text })
    else if (known.text !== text) {
      reader.refuse('code', `The test differs from the one of ${known.test.place}.`)
    }
  }
  return new Map([...tests].map(([code, { test }]) => [code, test]))
}

function readTest(row: RowReader, code: string): TestRow {
  const { place } = row
  if (row.boolean('retired') === true) {
    return { code, name: '', isRetired: true, loinc: null, place, fields: {} }
  }
  const name = row.text('name')
  if (name === undefined) row.refuse('name', 'The test has no name.')
  const loinc = row.text('loinc', 20) ?? null
  if (loinc !== null && !isLoincCode(loinc)) row.refuse('loinc', wrongLoinc(loinc))
  return { code, name: name ?? '', isRetired: false, loinc, place, fields: readFields(row) }
}

function readFields(row: RowReader): TestFields {
  const fields: TestFields = {}
  if (row.has('description')) fields.description = row.text('description') ?? null
  if (row.has('aliases')) fields.aliases = row.list('aliases')
  if (row.has('cpt_codes')) fields.cpt_codes = row.list('cpt_codes')
  if (row.has('unit')) fields.unit = row.text('unit', 100) ?? null
  if (row.has('price')) fields.price_cents = row.cents('price') ?? null
  if (row.has('a_la_carte')) fields.a_la_carte_enabled = row.boolean('a_la_carte') ?? false
  if (row.has('orderable')) fields.is_orderable = row.boolean('orderable') ?? true
  const type = row.oneOf('type', MARKER_TYPES)
  if (type !== undefined) fields.type = type
  const sampleType = row.oneOf('sample_type', SAMPLE_TYPES)
  if (sampleType !== undefined) fields.sample_type = sampleType
  readTurnaround(row, fields)
  return fields
}

function readTurnaround(row: RowReader, fields: TestFields): void {
  if (row.has('common_tat_days')) fields.common_tat_days = row.days('common_tat_days') ?? null
  if (row.has('worst_case_tat_days')) {
    fields.worst_case_tat_days = row.days('worst_case_tat_days') ?? null
  }
  const { common_tat_days: common, worst_case_tat_days: worst } = fields
  if (typeof common === 'number' && typeof worst === 'number' && common > worst) {
    row.refuse('worst_case_tat_days', 'Less than common_tat_days.')
  }
}

import { InputError } from '@salus/kernel/errors'
import { createValidatorCompiler } from '@salus/kernel/http/validation'
import { CsvError, parse } from 'csv-parse/sync'
import { Catalog, type CatalogLoinc } from './catalog-format.schema.ts'
import { CatalogProblems } from './catalog-problems.ts'

type Validate = (data: unknown) => { error?: Error }

const validate = createValidatorCompiler()({
  schema: Catalog,
  httpPart: 'body',
  method: 'PUT',
  url: '',
}) as unknown as Validate

export interface ReadCatalog {
  /** Undefined when the input does not match the schema of a catalog. */
  catalog: Catalog | undefined
  problems: CatalogProblems
}

/**
 * Reads the input of an operator and checks it against the schema. `loincs` may be the text of a
 * CSV file.
 */
export function readCatalog(input: unknown): ReadCatalog {
  const problems = new CatalogProblems()
  const object = readLoincs(input, problems)
  const { error } = validate(object)
  if (error !== undefined && !(error instanceof InputError)) throw error
  for (const { loc, msg } of error?.problems ?? []) problems.add(writePath(loc.slice(1)), msg)
  return { catalog: problems.count === 0 ? (object as Catalog) : undefined, problems }
}

/** ['orderables', 'quest', 'tests', 3] → orderables.quest.tests[3] */
function writePath(steps: readonly (string | number)[]): string {
  const text = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return text.replace(/^\./, '') || 'catalog'
}

/** The first line has the names; rows may be shorter, as spreadsheets write them. */
const CSV = { columns: true, bom: true, skip_empty_lines: true, relax_column_count: true } as const

function readLoincs(input: unknown, problems: CatalogProblems): unknown {
  const { loincs } = (input ?? {}) as { loincs?: unknown }
  if (typeof loincs !== 'string') return input
  try {
    const rows: Record<string, string>[] = parse(loincs, CSV)
    return { ...(input as object), loincs: rows.map(toLoinc) }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    problems.add('loincs', `CSV line ${error.lines} cannot be read (${error.code}).`)
    return { ...(input as object), loincs: [] }
  }
}

/** Reads a row of the LOINC table, whose field names and contents LOINC defines. */
function toLoinc(row: Record<string, string>): CatalogLoinc {
  const units = row.EXAMPLE_UCUM_UNITS ?? row.example_ucum_units ?? ''
  return {
    code: row.LOINC_NUM ?? '',
    name: row.LONG_COMMON_NAME ?? '',
    component: row.COMPONENT || null,
    unit: units.split(';')[0] || null,
  }
}

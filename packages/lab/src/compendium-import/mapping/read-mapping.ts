import { InputError } from '@salus/kernel/errors'
import { createValidatorCompiler } from '@salus/kernel/http/validation'
import { compilePattern, findPatternProblem } from '@salus/kernel/operator-patterns'
import type { CatalogProblems } from '../../catalog/index.ts'
import {
  CompendiumMapping,
  type FieldRule,
  type Format,
  type MappedTable,
  TABLE_NAMES,
  tablesOf,
} from './mapping.schema.ts'

type Validate = (data: unknown) => { error?: Error }

const validate = createValidatorCompiler()({
  schema: CompendiumMapping,
  httpPart: 'body',
  method: 'PUT',
  url: '',
}) as unknown as Validate

/**
 * Reads a mapping: a text as the rule of a field names a column. Adds its problems.
 * @returns undefined when the mapping has a problem
 */
export function readMapping(
  input: unknown,
  problems: CatalogProblems,
): CompendiumMapping | undefined {
  const expanded = expandFields(input)
  const { error } = validate(expanded)
  if (error !== undefined && !(error instanceof InputError)) throw error
  for (const { loc, msg } of error?.problems ?? []) problems.add(writePath(loc.slice(1)), msg)
  if (problems.count > 0) return undefined
  const mapping = expanded as CompendiumMapping
  for (const name of TABLE_NAMES) {
    for (const { table, format, path } of tablesOf(mapping, name)) {
      checkFormat(
        format,
        table.format === undefined ? 'mapping.format' : `${path}.format`,
        problems,
      )
      checkTable(table, format, path, problems)
    }
  }
  return problems.count === 0 ? mapping : undefined
}

/** ['tables', 'tests', 0, 'file'] → mapping.tables.tests[0].file */
function writePath(steps: readonly (string | number)[]): string {
  const text = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
  return `mapping${text.join('')}`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapValues = (object: object, change: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))

function expandFields(input: unknown): unknown {
  if (!isObject(input) || !isObject(input.tables)) return input
  const toRule = (field: unknown) => (typeof field === 'string' ? { column: field } : field)
  const toTable = (table: unknown) =>
    isObject(table) && isObject(table.fields)
      ? { ...table, fields: mapValues(table.fields, toRule) }
      : table
  const toTables = (tables: unknown) => (Array.isArray(tables) ? tables.map(toTable) : tables)
  return { ...input, tables: mapValues(input.tables, toTables) }
}

/** Properties of formats that belong to one kind only. */
const OWN_PROPERTIES: Partial<Record<keyof Format, Format['kind']>> = {
  delimiter: 'delimited',
  quote: 'delimited',
  columns: 'delimited',
  positions: 'fixed_width',
  rows: 'hl7',
}

function checkFormat(format: Format, path: string, problems: CatalogProblems): void {
  const { kind, positions, rows } = format
  for (const [name, owner] of Object.entries(OWN_PROPERTIES)) {
    if (format[name as keyof Format] !== undefined && kind !== owner) {
      problems.add(`${path}.${name}`, `Belongs to the kind ${owner}, not to ${kind}.`)
    }
  }
  if (kind === 'fixed_width' && positions === undefined) {
    problems.add(`${path}.positions`, 'A file of fixed width needs the positions of its columns.')
  }
  if (kind === 'hl7' && rows === undefined) {
    problems.add(`${path}.rows`, 'Messages of HL7 need the segment or field that makes a row.')
  }
  for (const [column, [first = 1, last = 1]] of Object.entries(positions ?? {})) {
    if (first > last) problems.add(`${path}.positions.${column}`, 'Ends before it begins.')
  }
}

/** `OM1-2.1`, or `OM1-2`, which is its first component. */
const HL7_COLUMN = /^[A-Z][A-Z0-9]{2}-[1-9]\d{0,2}(\.[1-9]\d?)?$/

function checkTable(
  table: MappedTable,
  format: Format,
  path: string,
  problems: CatalogProblems,
): void {
  const check = (column: string, at: string): void => {
    if (format.kind === 'hl7' && !HL7_COLUMN.test(column)) {
      problems.add(at, 'A column of HL7 is a field such as OM1-2.1.')
    }
  }
  for (const [name, conditions] of Object.entries({
    where: table.where ?? {},
    where_not: table.where_not ?? {},
  })) {
    for (const column of Object.keys(conditions)) check(column, `${path}.${name}.${column}`)
  }
  for (const [name, rule] of Object.entries(table.fields)) {
    const at = `${path}.fields.${name}`
    for (const column of columnsOf(rule)) check(column, at)
    checkRule(rule, at, problems)
  }
}

/** Returns the columns that a rule reads. */
export const columnsOf = ({ column, columns = [] }: FieldRule): string[] =>
  column === undefined ? columns : [column]

function checkRule(rule: FieldRule, path: string, problems: CatalogProblems): void {
  const sources = [rule.column, rule.columns, rule.value].filter((it) => it !== undefined)
  if (sources.length !== 1) problems.add(path, 'Needs one of column, columns and value.')
  if (rule.join !== undefined && rule.columns === undefined) {
    problems.add(`${path}.join`, 'Only columns are joined.')
  }
  if (rule.pattern === undefined) return
  const problem = findPatternProblem(rule.pattern)
  if (problem !== undefined) problems.add(`${path}.pattern`, problem)
  else if (compilePattern(rule.pattern).test('')) {
    problems.add(`${path}.pattern`, 'The regular expression matches an empty text.')
  }
}

import { TextEnum } from '@salus/contracts/schema-types'
import Type, { type TSchema } from 'typebox'

/**
 * How the files of a laboratory's compendium are read, explained in `data/compendium/README.md`.
 * Unknown properties are refused, because they are typing errors.
 */

const Column = Type.String({ minLength: 1, maxLength: 200 })
const Value = Type.String({ maxLength: 1000 })

function strict<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

/** Where a value comes from, and what changes it, in the order of the properties. */
export const FieldRule = strict({
  column: Type.Optional(Column),
  columns: Type.Optional(Type.Array(Column, { minItems: 2, maxItems: 10 })),
  // Between the values of `columns`; a space by default
  join: Type.Optional(Value),
  value: Type.Optional(Value),
  // The first group, or the whole match, is the value
  pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  map: Type.Optional(Type.Record(Type.String(), Value)),
  // Where the column is empty, the pattern does not match or the map has no entry
  otherwise: Type.Optional(Value),
  // Between the entries of a list
  split: Type.Optional(Type.String({ minLength: 1, maxLength: 10 })),
  // Between the code and the text of an answer
  pair: Type.Optional(Type.String({ minLength: 1, maxLength: 10 })),
})
export type FieldRule = Type.Static<typeof FieldRule>

export const FORMAT_KINDS = ['delimited', 'fixed_width', 'hl7'] as const
export const ENCODINGS = ['utf-8', 'windows-1252', 'iso-8859-1', 'utf-16le'] as const

const Position = Type.Integer({ minimum: 1, maximum: 100_000 })
export const Format = strict({
  kind: TextEnum(FORMAT_KINDS),
  encoding: Type.Optional(TextEnum(ENCODINGS)),
  // Lines before the header or the first row
  skip_lines: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  delimiter: Type.Optional(Type.String({ minLength: 1, maxLength: 4 })),
  // Empty where texts are never quoted
  quote: Type.Optional(Type.String({ maxLength: 1 })),
  // Names of the columns of a file without a header
  columns: Type.Optional(Type.Array(Column, { minItems: 1, maxItems: 500 })),
  // First and last character of each column of a file of fixed width; lines begin with 1
  positions: Type.Optional(
    Type.Record(Type.String(), Type.Array(Position, { minItems: 2, maxItems: 2 })),
  ),
  // Segment that makes a row, such as OM1, or field whose repetitions do, such as OM5-2
  rows: Type.Optional(Type.String({ pattern: '^[A-Z][A-Z0-9]{2}(-[1-9][0-9]{0,2})?$' })),
})
export type Format = Type.Static<typeof Format>

const Conditions = Type.Record(Type.String(), Type.Array(Value, { minItems: 1, maxItems: 1000 }))

/** Fields of each kind of table. */
export const TABLES = {
  tests: {
    required: ['code', 'name'],
    optional: [
      ...['description', 'aliases', 'loinc', 'unit', 'type', 'sample_type', 'cpt_codes', 'price'],
      ...['common_tat_days', 'worst_case_tat_days', 'a_la_carte', 'orderable', 'retired'],
    ],
  },
  components: { required: ['test', 'code'], optional: ['name', 'loinc', 'unit', 'required'] },
  results: { required: ['code'], optional: ['name', 'loinc', 'unit'] },
  questions: {
    required: ['test', 'code', 'text'],
    optional: ['type', 'required', 'answers', 'constraint', 'default'],
  },
  answers: { required: ['question', 'code', 'text'], optional: ['test'] },
  specimens: {
    required: ['test'],
    optional: [
      ...['sample_type', 'type', 'container', 'volume', 'minimum_volume', 'temperature'],
      ...['stability', 'instructions'],
    ],
  },
} as const
export type TableName = keyof typeof TABLES
export const TABLE_NAMES = Object.keys(TABLES) as TableName[]

function table(name: TableName) {
  const { required, optional } = TABLES[name]
  const fields = Object.fromEntries<TSchema>([
    ...required.map((field) => [field, FieldRule] as const),
    ...optional.map((field) => [field, Type.Optional(FieldRule)] as const),
  ])
  const one = strict({
    // Name of a file, in which `*` stands for any text
    file: Type.String({ minLength: 1, maxLength: 200 }),
    format: Type.Optional(Format),
    // Rows whose cells have one of these values
    where: Type.Optional(Conditions),
    where_not: Type.Optional(Conditions),
    fields: Type.Unsafe<Record<string, FieldRule>>(strict(fields)),
  })
  return Type.Array(one, { minItems: 1, maxItems: 20 })
}

export const CompendiumMapping = strict({
  // Whether the files have all tests, so that others are retired, or only changes
  scope: Type.Optional(TextEnum(['full', 'changes'] as const)),
  // Of all tables that do not have their own
  format: Type.Optional(Format),
  tables: strict({
    tests: table('tests'),
    components: Type.Optional(table('components')),
    results: Type.Optional(table('results')),
    questions: Type.Optional(table('questions')),
    answers: Type.Optional(table('answers')),
    specimens: Type.Optional(table('specimens')),
  }),
})
export type CompendiumMapping = Type.Static<typeof CompendiumMapping>
export type MappedTable = CompendiumMapping['tables']['tests'][number]

export const DEFAULT_FORMAT: Format = { kind: 'delimited' }

/** Returns the tables of a name with their paths in the mapping. */
export function tablesOf(
  mapping: CompendiumMapping,
  name: TableName,
): { table: MappedTable; format: Format; path: string }[] {
  return (mapping.tables[name] ?? []).map((table, index) => ({
    table,
    format: table.format ?? mapping.format ?? DEFAULT_FORMAT,
    path: `mapping.tables.${name}[${index}]`,
  }))
}

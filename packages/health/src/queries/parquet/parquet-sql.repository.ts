import type { CompiledQuery, OutputColumn, OutputType } from '../compiled-query.ts'

/** Types that the engine writes as those of docs/contract/09-aggregate.md#query-api. */
const ENGINE_TYPES: Record<OutputType, string> = {
  integer: 'Int64',
  number: 'Float64',
  boolean: 'Bool',
  text: 'String',
  date: 'Date32',
  datetime: "DateTime64(3, 'UTC')",
  texts: 'Array(String)',
}

/**
 * These files are read as a whole, so page indexes are left out: the files are smaller and written
 * faster (docs/decisions/0016-parquet.md).
 */
const PLAIN_SETTINGS = {
  output_format_parquet_write_page_index: 0,
  output_format_parquet_write_bloom_filter: 0,
} as const

export interface ParquetEncoding {
  codec: 'none' | 'snappy'
  /** Whether repeated values are written once. */
  hasDictionaries: boolean
}

/** Returns the query with a result that Parquet writes with exactly the declared types. */
export function toParquetSql(
  { sql, columns }: Pick<CompiledQuery, 'sql' | 'columns'>,
  { codec, hasDictionaries }: ParquetEncoding,
): string {
  const settings: Record<string, string | number> = {
    ...PLAIN_SETTINGS,
    output_format_parquet_compression_method: `'${codec}'`,
  }
  if (!hasDictionaries) settings.output_format_parquet_max_dictionary_size = 0
  const written = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  return [
    `select ${columns.map(toColumnSql).join(', ')}`,
    `from (\n${sql}\n)`,
    `settings ${written.join(', ')}`,
  ].join('\n')
}

function toColumnSql({ name, type, nullable }: OutputColumn): string {
  const engineType =
    nullable && type !== 'texts' ? `Nullable(${ENGINE_TYPES[type]})` : ENGINE_TYPES[type]
  const identifier = `\`${name.replace(/[\\`]/g, '\\$&')}\``
  return `cast(${identifier} as ${engineType}) as ${identifier}`
}

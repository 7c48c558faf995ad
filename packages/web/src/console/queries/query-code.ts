type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type JsonObject = { [name: string]: Json }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Quotes a text for a shell. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Returns the request as a curl command; key and person are shell variables, so that neither is
 * copied.
 */
export function toCurl(baseUrl: string, request: unknown): string {
  return [
    `curl -s ${baseUrl}/aggregate/v1/user/$USER_ID/query \\`,
    `  -H "x-service-api-key: $SALUS_API_KEY" -H 'content-type: application/json' \\`,
    `  -d ${quoteForShell(JSON.stringify(request, null, 2))}`,
  ].join('\n')
}

/** Thrown for expressions that the builder of the SDK does not support. */
class NotInBuilder extends Error {}

const quote = (text: Json | undefined): string => {
  if (typeof text !== 'string') throw new NotInBuilder()
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Collects the imports and the tables that generated code uses. */
class CodeWriter {
  readonly imports = new Set(['query', 'past'])
  readonly tables = new Map<string, string>()

  #use(name: string): string {
    this.imports.add(name)
    return name
  }

  /** Returns the constant of a table. A series may have the name of a function of the SDK. */
  #tableOf(kind: 'merged' | 'series' | 'summaries', name: string): string {
    const constant = kind === 'summaries' ? camelCase(name) : `${camelCase(name)}Series`
    this.tables.set(constant, `${this.#use(kind)}(${quote(name)})`)
    return constant
  }

  /** Returns any table of the query, for expressions such as its index. */
  #anyTable(name: Json | undefined): string {
    if (name !== 'timeseries' && name !== 'merged') return this.#tableOf('summaries', String(name))
    const kind = name === 'merged' ? 'merged' : 'series'
    const known = [...this.tables].find(([, code]) => code.startsWith(kind))
    return known?.[0] ?? this.#tableOf(kind, 'steps')
  }

  /** @param table Table of the query: `merged`, `timeseries`, or a table of summaries. */
  expression(json: Json, table: string): string {
    if (!isObject(json)) throw new NotInBuilder()
    const names = Object.keys(json).filter((name) => name !== 'version')
    const has = (...wanted: string[]): boolean =>
      names.length === wanted.length && wanted.every((name) => names.includes(name))
    if (has('timeseries', 'field')) {
      return `${this.#tableOf('series', String(json.timeseries))}.column(${quote(json.field)})`
    }
    if (has('merged', 'field')) {
      return `${this.#tableOf('merged', String(json.merged))}.column(${quote(json.field)})`
    }
    if (has('func', 'arg') && json.arg !== null) {
      return `${this.#use(String(json.func))}(${this.expression(json.arg ?? null, table)})`
    }
    if (has('group_key')) {
      const { group_key: key } = json
      return `${this.#use('groupKey')}(${key === '*' ? "'*'" : Number(key)})`
    }
    if (has('index')) return `${this.#anyTable(json.index)}.index()`
    if (has('source')) return `${this.#anyTable(table)}.source(${quote(json.source)})`
    if (has('value_macro'))
      return `${this.#tableOf('summaries', 'sleep')}.macro(${quote(json.value_macro)})`
    if (has('date_trunc', 'arg') && isObject(json.date_trunc) && isObject(json.arg)) {
      const { value = 1, unit } = json.date_trunc
      return `${this.#anyTable(json.arg.index)}.every(${Number(value)}, ${quote(unit)})`
    }
    if (has('date_part', 'arg') && isObject(json.arg)) {
      return `${this.#anyTable(json.arg.index)}.part(${quote(json.date_part)})`
    }
    const [name] = names
    if (names.length !== 1 || name === undefined || typeof json[name] !== 'string')
      throw new NotInBuilder()
    return `${this.#tableOf('summaries', name)}.column(${quote(json[name])})`
  }

  query(json: Json): string {
    if (!isObject(json) || !Array.isArray(json.select)) throw new NotInBuilder()
    const text = JSON.stringify(json)
    const ofSeries = ['merged', 'timeseries'].find((name) => text.includes(`"${name}"`))
    const table = ofSeries ?? tableIn(json) ?? 'sleep'
    const list = (items: Json[]): string =>
      items.map((item) => this.expression(item, table)).join(', ')
    const parts = [`select: [${list(json.select)}]`]
    if (Array.isArray(json.group_by)) parts.push(`groupBy: [${list(json.group_by)}]`)
    if (typeof json.where === 'string') parts.push(`where: ${JSON.stringify(json.where)}`)
    if (isObject(json.align)) parts.push(`align: ${JSON.stringify(json.align)}`)
    return `query({\n${parts.map((part) => `      ${part},`).join('\n')}\n    })`
  }
}

/** Returns the table that a query of summaries names first. */
function tableIn(json: Json): string | undefined {
  const text = JSON.stringify(json)
  const [, name] =
    /\{"(sleep|activity|workout|body|meal|menstrual_cycle|profile|derived_readiness)":/.exec(
      text,
    ) ??
    /"index":"(\w+)"/.exec(text) ??
    []
  return name
}

/**
 * Returns SDK code that makes the same request.
 * @returns undefined where the builder does not support it
 */
export function toSdkCode(request: unknown): string | undefined {
  if (!isObject(request) || !isObject(request.timeframe) || !Array.isArray(request.queries))
    return undefined
  const writer = new CodeWriter()
  try {
    const queries = request.queries.map((one) => `    ${writer.query(one)},`)
    const { anchor, past } = request.timeframe
    if (!isObject(past)) return undefined
    const timeframe = `past(${Number(past.value ?? 1)}, ${quote(past.unit)}, ${quote(anchor)})`
    const config = isObject(request.config) ? `\n  config: ${JSON.stringify(request.config)},` : ''
    const imports = [...writer.imports].sort().join(', ')
    const tables = [...writer.tables].map(([name, code]) => `const ${name} = ${code}`)
    return [
      `import { ${imports} } from '@salus/sdk'`,
      '',
      ...tables,
      `const body = {\n  timeframe: ${timeframe},\n  queries: [\n${queries.join('\n')}\n  ],${config}\n}`,
    ].join('\n')
  } catch (error) {
    if (error instanceof NotInBuilder) return undefined
    throw error
  }
}

export type TableColumns = Record<string, readonly unknown[]>

/**
 * Formats a field of CSV (RFC 4180). A text that a spreadsheet would evaluate gets a quote before
 * it.
 */
function toCsvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = typeof value === 'string' && /^[=+@\t\r-]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Formats a table as CSV with a header, with the line ends of RFC 4180. */
export function toCsv(table: TableColumns): string {
  const names = Object.keys(table)
  const length = table[names[0] ?? '']?.length ?? 0
  const rows = Array.from({ length }, (_, row) =>
    names.map((name) => toCsvField(table[name]?.[row])),
  )
  return [names.map(toCsvField), ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}

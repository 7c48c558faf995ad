import type { Fields } from '../../ingest/index.ts'
import { ReadRow, type RowTemplate, type RowValues, type UserKey } from '../rows.ts'
import type { ColumnReader } from './column-reader.ts'
import { isoOf, type Values } from './values.ts'

/** Estimate of the bytes that a row without long texts takes in a lot. */
const ROW_BYTES = 64
/** Templates of rows; more of them are not worth trying. */
const MOST_TEMPLATES = 16
/** Columns in which rows of a template differ. */
const VARYING = new Set(['user_id', 'client_user_id', 'value', 'start_date', 'end_date', 'id'])

/** A column of a run of rows. */
interface Column {
  name: string
  isTime: boolean
  page: Values
  /** Position of the first row in the page. */
  used: number
}

interface TableTemplate extends RowTemplate {
  /** Values of the columns that rows of the template share. */
  readonly shared: Values
}

class TableRow extends ReadRow {
  readonly #columns: readonly Column[]
  readonly #index: number

  constructor(template: RowTemplate, values: RowValues, columns: readonly Column[], index: number) {
    super(template, values)
    this.#columns = columns
    this.#index = index
  }

  override toItem(): Fields {
    return itemOf(this.#columns, this.#index)
  }
}

/** Makes rows of columns; those that share all but user, times, value and id have a template. */
export class TableRows {
  #templates: TableTemplate[] = []
  #last = 0

  /** Reads the next rows; bytes are what they take in a lot. */
  read(readers: readonly ColumnReader[], count: number): { items: unknown[]; bytes: number } {
    const columns = readers.map(({ name, isTime, page, used }) => ({ name, isTime, page, used }))
    const run = new Run(columns)
    const items: unknown[] = []
    for (let index = 0; index < count; index++) {
      const values = run.valuesOf(index)
      const template = values && this.#templateOf(run, values.userKey, index)
      const row = template && new TableRow(template, values, columns, index)
      items.push(row ?? itemOf(columns, index))
    }
    return { items, bytes: count * ROW_BYTES + bytesOfTexts(columns, count) }
  }

  #templateOf({ shared, columns }: Run, userKey: UserKey, index: number): TableTemplate {
    const templates = this.#templates
    const isOf = (template: TableTemplate | undefined): template is TableTemplate => {
      if (template?.userKey !== userKey) return false
      for (let at = 0; at < shared.length; at++) {
        const { page, used } = shared[at] as Column
        if (page[used + index] !== template.shared[at]) return false
      }
      return true
    }
    if (isOf(templates[this.#last])) return templates[this.#last] as TableTemplate
    const found = templates.findIndex(isOf)
    // Full, it begins again.
    if (found === -1 && templates.length === MOST_TEMPLATES) this.#templates = []
    this.#last = found === -1 ? this.#templates.length : found
    this.#templates[this.#last] ??= {
      item: itemOf(columns, index),
      userKey,
      shared: shared.map(({ page, used }) => page[used + index] ?? null),
    }
    return this.#templates[this.#last] as TableTemplate
  }
}

class Run {
  readonly columns: readonly Column[]
  readonly shared: readonly Column[]
  readonly #user: Column | undefined
  readonly #client: Column | undefined
  readonly #value: Column | undefined
  readonly #start: Column | undefined
  readonly #end: Column | undefined
  /** Whether the columns of times have times. */
  readonly #hasTimes: boolean

  constructor(columns: readonly Column[]) {
    const named = (name: string) => columns.find((column) => column.name === name)
    this.columns = columns
    this.shared = columns.filter(({ name }) => !VARYING.has(name))
    this.#user = named('user_id')
    this.#client = named('client_user_id')
    this.#value = named('value')
    this.#start = named('start_date')
    this.#end = named('end_date')
    this.#hasTimes = this.#start?.isTime === true && this.#end?.isTime !== false
  }

  /** Returns what varies of a row, or undefined where it is not of these types. */
  valuesOf(index: number): (RowValues & { userKey: UserKey }) | undefined {
    if (!this.#hasTimes) return undefined
    const id = cellOf(this.#user, index)
    const name = id ?? cellOf(this.#client, index)
    const value = cellOf(this.#value, index)
    const startedAt = cellOf(this.#start, index)
    const endedAt = cellOf(this.#end, index) ?? startedAt
    if (typeof name !== 'string' || typeof value !== 'number') return undefined
    if (typeof startedAt !== 'number' || typeof endedAt !== 'number') return undefined
    const userKey = id === null ? 'client_user_id' : 'user_id'
    return { name, value, startedAt, endedAt, offsetSeconds: null, userKey }
  }
}

const cellOf = (column: Column | undefined, index: number): string | number | null =>
  column?.page[column.used + index] ?? null

/** Returns a row with all its fields, as an item of an upload has them. */
function itemOf(columns: readonly Column[], index: number): Fields {
  const item: Record<string, unknown> = {}
  for (const { name, isTime, page, used } of columns) {
    const value = page[used + index]
    if (name === 'metadata') item[name] = parseMetadata(value)
    else item[name] = isTime && typeof value === 'number' ? isoOf(value) : value
  }
  return item
}

/** Metadata are a JSON text in a column; another text becomes itself, and has no meaning. */
function parseMetadata(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the length of metadata and of long texts. */
function bytesOfTexts(columns: readonly Column[], count: number): number {
  let bytes = 0
  for (const { name, page, used } of columns) {
    const least = name === 'metadata' ? 0 : ROW_BYTES
    for (let at = used; at < used + count; at++) {
      const value = page[at]
      if (typeof value === 'string' && value.length > least) bytes += value.length
    }
  }
  return bytes
}

import { captureFrom, compilePattern } from '@salus/kernel/operator-patterns'
import type { FieldRule } from '../mapping/mapping.schema.ts'
import { columnsOf } from '../mapping/read-mapping.ts'
import type { MappedRow } from '../sources/read-tables.ts'

/** Reports what is wrong with a cell, by its file, row and column. */
export type Refuse = (path: string, message: string) => void

const LONGEST_TEXT = 500
const MOST_CENTS = 100_000_000
const MOST_DAYS = 365

const TRUE = new Set(['y', 'yes', 'true', 't', '1'])
const FALSE = new Set(['n', 'no', 'false', 'f', '0'])
const PRICE = /^\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/

/** What is compiled of a rule, once for all rows. */
interface CompiledRule {
  pattern: RegExp | undefined
  map: ReadonlyMap<string, string> | undefined
}

const compiled = new WeakMap<FieldRule, CompiledRule>()

function compile(rule: FieldRule): CompiledRule {
  const known = compiled.get(rule)
  if (known !== undefined) return known
  const entries = Object.entries(rule.map ?? {}).map(
    ([key, to]) => [key.toLowerCase(), to] as const,
  )
  const made = {
    pattern: rule.pattern === undefined ? undefined : compilePattern(rule.pattern),
    map: rule.map === undefined ? undefined : new Map(entries),
  }
  compiled.set(rule, made)
  return made
}

/** Reads the fields of a row by their rules; a field without a value is undefined. */
export class RowReader {
  readonly place: string
  readonly #row: MappedRow
  readonly #refuse: Refuse

  constructor(row: MappedRow, refuse: Refuse) {
    this.place = row.row.place
    this.#row = row
    this.#refuse = refuse
    if (row.row.problem !== undefined) refuse(row.row.place, row.row.problem)
  }

  /** Whether the mapping has the field. */
  has(field: string): boolean {
    return this.#row.table.fields[field] !== undefined
  }

  refuse(field: string, message: string): undefined {
    this.#refuse(this.pathOf(field), message)
  }

  /** Returns the place of a field, such as `tests.csv, line 12, PRICE`. */
  pathOf(field: string): string {
    const columns = columnsOf(this.#row.table.fields[field] ?? {})
    return [this.place, columns.join(' + ') || field].join(', ')
  }

  text(field: string, longest = LONGEST_TEXT): string | undefined {
    const text = this.#value(field)
    if (text === undefined || text.length <= longest) return text
    return this.refuse(field, `The text is longer than ${longest} characters.`)
  }

  boolean(field: string): boolean | undefined {
    const text = this.#value(field)?.toLowerCase()
    if (text === undefined) return undefined
    if (TRUE.has(text)) return true
    if (FALSE.has(text)) return false
    return this.refuse(field, 'The value is neither yes nor no; map it.')
  }

  oneOf<T extends string>(field: string, values: readonly T[]): T | undefined {
    const text = this.#value(field)
    const found = values.find((value) => value === text)
    if (text === undefined || found !== undefined) return found
    return this.refuse(field, `The value is not one of ${values.join(', ')}; map it.`)
  }

  days(field: string): number | undefined {
    const text = this.#value(field)
    if (text === undefined) return undefined
    if (/^\d{1,3}$/.test(text) && Number(text) <= MOST_DAYS) return Number(text)
    return this.refuse(field, `The value is no number of days up to ${MOST_DAYS}.`)
  }

  /** Reads a price in US dollars as cents. */
  cents(field: string): number | undefined {
    const text = this.#value(field)
    if (text === undefined) return undefined
    const [, dollars = '', cents = ''] = PRICE.exec(text) ?? []
    const price = Number(dollars.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0'))
    if (dollars !== '' && price <= MOST_CENTS) return price
    return this.refuse(field, 'The value is no price in dollars.')
  }

  /** Reads a list without repetitions. */
  list(field: string): string[] {
    const { split } = this.#row.table.fields[field] ?? {}
    const text = this.text(field, LONGEST_TEXT * 20)
    if (text === undefined) return []
    const entries = split === undefined ? [text] : text.split(split).map((entry) => entry.trim())
    return [...new Set(entries.filter((entry) => entry !== ''))]
  }

  /** Reads a list of codes with their texts; an entry without a text is its own text. */
  pairs(field: string): { code: string; text: string }[] {
    const { pair } = this.#row.table.fields[field] ?? {}
    return this.list(field).map((entry) => {
      const at = pair === undefined ? -1 : entry.indexOf(pair)
      if (at < 0) return { code: entry, text: entry }
      const text = entry.slice(at + (pair?.length ?? 0)).trim()
      const code = entry.slice(0, at).trim()
      return { code, text: text || code }
    })
  }

  #value(field: string): string | undefined {
    const rule = this.#row.table.fields[field]
    if (rule === undefined) return undefined
    const otherwise = rule.otherwise || undefined
    const { pattern, map } = compile(rule)
    const { cell } = this.#row.row
    const cells = columnsOf(rule).map(cell)
    const raw = rule.value ?? cells.filter((text) => text !== '').join(rule.join ?? ' ')
    if (raw === '') return otherwise
    const text = pattern === undefined ? raw : captureFrom(pattern, raw)?.trim()
    if (text === undefined || text === '') {
      return rule.otherwise === undefined
        ? this.refuse(field, 'The value does not match the pattern.')
        : otherwise
    }
    if (map === undefined) return text
    const mapped = map.get(text.toLowerCase())
    if (mapped !== undefined) return mapped || undefined
    return rule.otherwise === undefined
      ? this.refuse(field, `The map has no entry for "${text.slice(0, 40)}".`)
      : otherwise
  }
}

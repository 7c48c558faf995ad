import { Nullable } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { isUuid } from '../ids.ts'
import { parseInstant } from '../time/instants.ts'
import { decodeCursor, encodeCursor, isListedInstant } from './cursor.ts'

/** Returns the parameters `limit` and `next_cursor` of a list with pages. */
export const pageQuery = (maximum: number, standard = 50) => ({
  limit: Type.Integer({ minimum: 1, maximum, default: standard }),
  next_cursor: Type.Optional(Nullable(Type.String())),
})

/** A column by which a list is ordered, and its values in cursors. */
export interface KeyColumn<Value> {
  /** Returns undefined for a value that no cursor of ours has. */
  read(part: unknown): Value | undefined
  write(value: Value): unknown
}

type KeyColumns = Readonly<Record<string, KeyColumn<unknown>>>

/** The last row of a page, by the columns of the order. */
type Position<Columns extends KeyColumns> = {
  [Name in keyof Columns]: Columns[Name] extends KeyColumn<infer Value> ? Value : never
}

const plainColumn = <Value>(isValue: (part: unknown) => boolean): KeyColumn<Value> => ({
  read: (part) => (isValue(part) ? (part as Value) : undefined),
  write: (value) => value,
})

/** A time as PostgreSQL writes it, whose microseconds a Date would cut off. */
export const LISTED_INSTANT = plainColumn<string>(isListedInstant)

/** A UUID in either case. */
export const UUID_KEY = plainColumn<string>((part) => typeof part === 'string' && isUuid(part))

/** Returns a column of texts that match the pattern; any text by default. */
export const textKey = (pattern = /^/): KeyColumn<string> =>
  plainColumn((part) => typeof part === 'string' && pattern.test(part))

/** Returns a column of whole numbers between the bounds, both included. */
export const integerKey = (
  least = Number.MIN_SAFE_INTEGER,
  most = Number.MAX_SAFE_INTEGER,
): KeyColumn<number> =>
  plainColumn((part) => Number.isInteger(part) && Number(part) >= least && Number(part) <= most)

/** Years that PostgreSQL is sure to read, so that a forged cursor is a 400 and not a fault. */
const PLAIN_INSTANT = /^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** A time in whole milliseconds. */
export const INSTANT_KEY: KeyColumn<Date> = {
  read(part) {
    const isInstant =
      typeof part === 'string' && PLAIN_INSTANT.test(part) && parseInstant(part) !== undefined
    return isInstant ? new Date(part) : undefined
  },
  write: (at) => at.toISOString(),
}

/** Keyset pagination: each page begins after the row whose key columns its cursor holds. */
export class KeysetPages<Columns extends KeyColumns> {
  readonly #columns: Columns

  constructor(columns: Columns) {
    this.#columns = columns
  }

  /**
   * Returns the position after which the page begins; null is the first page.
   * @param list What the cursor is bound to: the list and its filters.
   * @throws AppError 400 `invalid_cursor`
   */
  read(list: readonly unknown[], cursor: string | null | undefined): Position<Columns> | null {
    return cursor ? decodeCursor(list, cursor, (parts) => this.#toPosition(parts)) : null
  }

  /** Returns the cursor of the page after a position; null is for no further page. */
  write(list: readonly unknown[], position: Position<Columns> | null | undefined): string | null {
    if (!position) return null
    const columns = Object.entries(this.#columns)
    return encodeCursor(
      list,
      columns.map(([name, column]) => column.write(position[name])),
    )
  }

  /** Cuts `limit` + 1 rows into a page and the cursor of the next one, null on the last page. */
  cut<Row>(
    list: readonly unknown[],
    rows: readonly Row[],
    limit: number,
    toPosition: (row: Row) => Position<Columns>,
  ): { page: Row[]; nextCursor: string | null } {
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return { page, nextCursor: this.write(list, last && toPosition(last)) }
  }

  #toPosition(parts: readonly unknown[]): Position<Columns> | undefined {
    const columns = Object.entries(this.#columns)
    const values = columns.map(([name, column], index) => [name, column.read(parts[index])])
    const isWhole =
      parts.length === columns.length && values.every(([, value]) => value !== undefined)
    return isWhole ? Object.fromEntries(values) : undefined
  }
}

const BY_CREATION = new KeysetPages({ createdAt: LISTED_INSTANT, id: UUID_KEY })

/** Pages by (created_at, id), where rows have `position`, which is created_at as text. */
export const CREATION_PAGES = {
  read: (list: readonly unknown[], cursor: string | null | undefined) =>
    BY_CREATION.read(list, cursor),
  cut: <Row extends { position: string; id: string }>(
    list: readonly unknown[],
    rows: readonly Row[],
    limit: number,
  ) => BY_CREATION.cut(list, rows, limit, ({ position, id }) => ({ createdAt: position, id })),
}

/** Rows that a search looks at, before its further parameters are checked. */
export interface RowFilter {
  /** Rows of one person. */
  userId?: string | undefined
  ids?: readonly string[] | undefined
  /** Rows of these orders, in lists that have them. */
  orderIds?: readonly string[] | undefined
  /** Changed at this time or later, in milliseconds of the epoch. */
  since?: number | undefined
  /** Changed before this time, in milliseconds of the epoch. */
  before?: number | undefined
}

/** Position of a row in its list. */
export interface RowPosition {
  /** Milliseconds of the epoch. */
  at: number
  id: string
}

/** A part of a list: rows by their last change, the newest first, or by their ids. */
export interface RowPage {
  order: 'newest' | 'oldest' | 'id'
  after: RowPosition | null
  /** Whether the page begins with the row at the position itself. */
  isIncluded?: boolean
  limit: number
}

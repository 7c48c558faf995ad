import type { Refusal } from './bulk-uploads.schema.ts'

/** Consecutive rows of a body. */
export interface Rows {
  /** Number of the first one. */
  firstLine: number
  /** The parsed rows; undefined for an empty line, a RefusedRow for one that cannot be read. */
  items: readonly unknown[]
  /** Bytes of the body that they had. */
  bytes: number
}

/** A row that cannot be read. */
export class RefusedRow {
  readonly reason: Refusal

  constructor(reason: Refusal) {
    this.reason = reason
  }
}

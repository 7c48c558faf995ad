import type { Fields } from '../ingest/index.ts'
import type { Refusal } from './bulk-uploads.schema.ts'

/** Consecutive rows of a body. */
export interface Rows {
  /** Number of the first one. */
  firstLine: number
  /**
   * The rows: as parsed, or as ReadRow; undefined for an empty line, a RefusedRow for one that
   * cannot be read.
   */
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

export type UserKey = 'user_id' | 'client_user_id'

/** Returns the key by which a row names its user, or undefined where it names none by a text. */
export function userKeyOf({ user_id: id, client_user_id: clientId }: Fields): UserKey | undefined {
  if (typeof (id ?? clientId) !== 'string') return undefined
  return typeof id === 'string' ? 'user_id' : 'client_user_id'
}

/** What rows have in common that differ only in user, times, value and id. */
export interface RowTemplate {
  /** One of these rows. */
  readonly item: Fields
  readonly userKey: UserKey
}

/** A row of a template, read without making an object of all its fields. */
export interface RowValues {
  /** Id of the user, or the one that the team gave them. */
  name: string
  startedAt: number
  /** Offset from UTC that the start names, or null. */
  offsetSeconds: number | null
  endedAt: number
  value: number
}

export abstract class ReadRow implements RowValues {
  readonly template: RowTemplate
  readonly name: string
  readonly startedAt: number
  readonly offsetSeconds: number | null
  readonly endedAt: number
  readonly value: number

  constructor(template: RowTemplate, values: RowValues) {
    this.template = template
    this.name = values.name
    this.startedAt = values.startedAt
    this.offsetSeconds = values.offsetSeconds
    this.endedAt = values.endedAt
    this.value = values.value
  }

  /** Returns the row with all its fields, as it was received. */
  abstract toItem(): unknown
}

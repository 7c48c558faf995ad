import { parseInstant } from '../platform/time/instants.ts'

const POSTGRES_TEXT = /^[12]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+\d\d$/

/** True for a time as cursors of lists hold it: as PostgreSQL writes it, and one that exists. */
export function isListedInstant(value: unknown): boolean {
  return typeof value === 'string' && POSTGRES_TEXT.test(value) && parseInstant(value) !== undefined
}

import { createHash } from 'node:crypto'
import { escapeTsv, keptJson, type SampleOwner, timestampText } from '../../ingest/index.ts'
import type { NewSummary } from '../summary.ts'
import { summaryId } from '../summary-id.ts'
import {
  COMMON_HEAD,
  COMMON_TAIL,
  SUMMARY_TABLES,
  type SummaryColumnType,
  type SummaryResource,
} from '../summary-tables.registry.ts'
import { type StoredSummary, toStoredSummary } from './stored-summary.ts'

/** Returns the columns of an insert, in order. */
export function insertColumns(resource: SummaryResource): string[] {
  return [...COMMON_HEAD, ...Object.keys(SUMMARY_TABLES[resource].columns), ...COMMON_TAIL]
}

const NULL = '\\N'
const textOrNull = (value: unknown): string => (value === null ? NULL : escapeTsv(String(value)))
const finite = (value: unknown): value is number => Number.isFinite(value)
const fits = (value: number): boolean => Number.isSafeInteger(Math.round(value))

/**
 * Formats a value as TabSeparated. A value that its column cannot store becomes null, so that no
 * row fails the others.
 */
const WRITERS: Record<SummaryColumnType, (value: unknown) => string> = {
  integer: (value) => (finite(value) && fits(value) ? String(Math.round(value)) : NULL),
  number: (value) => (finite(value) ? String(value) : NULL),
  boolean: (value) => (value === null ? NULL : String(value)),
  text: textOrNull,
  long_text: textOrNull,
  date: textOrNull,
  json: (value) => escapeTsv(String(value)),
  integers: (value) => `[${(value as readonly number[]).join(',')}]`,
}

/**
 * Returns the content of a summary, in the order of the columns from `provider` to `raw`.
 * @param raw The raw item; of a long one the beginning is kept.
 */
function contentText(resource: SummaryResource, row: StoredSummary, raw: unknown): string {
  const { columns } = SUMMARY_TABLES[resource]
  const values = row as unknown as Record<string, unknown>
  const fields = [
    row.provider,
    escapeTsv(row.source_type),
    escapeTsv(row.app_id),
    escapeTsv(row.device_model),
    escapeTsv(row.external_id),
    textOrNull(row.calendar_date),
    timestampText(row.started_at),
    timestampText(row.ended_at),
    row.timezone_offset ?? NULL,
    escapeTsv(row.time_zone),
    ...Object.entries(columns).map(([name, type]) =>
      WRITERS[type as SummaryColumnType](values[name]),
    ),
    escapeTsv(keptJson(raw)),
  ]
  return fields.join('\t')
}

/** Returns the hash of a content; a UInt64 as text. */
function contentHash(content: string): string {
  return createHash('sha256').update(content).digest().readBigUInt64BE().toString()
}

/** A summary as it will be written, prepared before it joins those of other callers. */
export interface PreparedSummary {
  summary: NewSummary
  id: string
  /** Its content in the form of the store; equal texts are equal contents. */
  content: string
  hash: string
}

/** Prepares a summary; any fault in it throws here, where it only affects its caller. */
export function prepareSummary(owner: SampleOwner, summary: NewSummary): PreparedSummary {
  const id = summaryId(owner, summary)
  const row = toStoredSummary(owner, summary, { id, createdAt: 0, updatedAt: 0 })
  const content = contentText(summary.resource, row, summary.raw)
  return { summary, id, content, hash: contentHash(content) }
}

interface RowParts {
  owner: SampleOwner
  id: string
  content: string
  hash: string
  createdAt: number
  updatedAt: number
  version: number
}

/** Formats a row in the order of insertColumns. */
export function rowText({ owner, id, content, hash, ...row }: RowParts): string {
  const times = `${timestampText(row.createdAt)}\t${timestampText(row.updatedAt)}`
  return `${owner.environmentId}\t${owner.userId}\t${id}\t${content}\t${hash}\t${times}\t${row.version}\t0\n`
}

/** Columns of the row that hides a summary. */
export const REMOVAL_COLUMNS = [
  'environment_id',
  'user_id',
  'id',
  'provider',
  'calendar_date',
  'started_at',
  'ended_at',
  'created_at',
  'updated_at',
  'version',
  'is_removed',
]

interface RemovalParts {
  owner: SampleOwner
  id: string
  /** Day of the removed summary, for change notifications when it returns. */
  calendarDate: string | null
  startedAt: number
  endedAt: number
  createdAt: number
  updatedAt: number
  version: number
}

/** Formats a row in the order of REMOVAL_COLUMNS. */
export function removalText({ owner, id, calendarDate, version, ...row }: RemovalParts): string {
  const times = [row.startedAt, row.endedAt, row.createdAt, row.updatedAt].map(timestampText)
  const head = `${owner.environmentId}\t${owner.userId}\t${id}\t${owner.provider}`
  return `${head}\t${calendarDate ?? NULL}\t${times.join('\t')}\t${version}\t1\n`
}

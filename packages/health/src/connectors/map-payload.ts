import type { SummaryResource } from '../summaries/index.ts'
import { withSettings } from './app-settings.ts'
import type { Collection, Connector, DetailRequest, PageRequest, TimeRange } from './connector.ts'
import { PageData } from './page-data.ts'
import { type PayloadLine, toPayloadLines } from './payload-lines.ts'
import { rangeOfPayload } from './payload-range.ts'
import { VendorError } from './vendor-client.ts'

/** What the engine knows beside a payload. */
export interface PayloadContext {
  /** The answers to the collection's details, in their order; null where one is missing. */
  details?: readonly unknown[]
  /** The range that was requested; the days of the times in the payload by default. */
  range?: TimeRange
  cursor?: string | null
  /** What the vendor requires beside tokens, such as the time zone of the account. */
  extra?: Readonly<Record<string, string>>
}

/** What a payload becomes. */
export interface MappedPayload {
  lines: readonly PayloadLine[]
  /** Further requests that the payload needs and whose answers the context does not have. */
  missing: readonly DetailRequest[]
}

/** A payload that is no answer of the collection. */
export class PayloadError extends Error {
  override readonly name = 'PayloadError'
}

/** Stands for the user: the ids of records depend on it, and lines show those of the vendor. */
const OWNER = { userId: '00000000-0000-4000-8000-000000000000' }

/** Keeps the vendor's ids of removed records, which the port for data only has as ids of ours. */
class ReportedData extends PageData {
  readonly removed: { resource: SummaryResource; recordId: string }[] = []

  override removeSummary(resource: SummaryResource, recordId: string): void {
    super.removeSummary(resource, recordId)
    this.removed.push({ resource, recordId })
  }

  /** Whether nothing of it would be stored. */
  get isEmpty(): boolean {
    const { samples, summaries, streams, devices } = this.toArrivedData()
    const counts = [samples?.length, summaries?.length, streams?.size, devices?.length]
    return this.removed.length === 0 && counts.every((count) => (count ?? 0) === 0)
  }
}

type Part = { answer: unknown } | { deletedId: string }
type Reading = (connector: Connector, collection: Collection, payload: unknown) => Part[]

/** What a payload may be, the most usual first. */
const READINGS: readonly Reading[] = [
  (_connector, _collection, payload) => [{ answer: payload }],
  readMessage,
  (_connector, { record }, payload) => (record ? [{ answer: record.toPage(payload) }] : []),
]

/**
 * Maps a payload as a pull does, without a store. A payload is an answer of the collection, a
 * message that carries data of it or names deleted records, or the answer for one record.
 * @throws PayloadError for anything else
 */
export function mapPayload(
  connector: Connector,
  collection: Collection,
  payload: unknown,
  context: PayloadContext,
  now: Date,
): MappedPayload {
  const owner = { ...OWNER, provider: connector.slug }
  const { range = rangeOfPayload(payload, now), cursor = null, details = [], extra = {} } = context
  const pageContext = { extra, now: now.getTime(), app: withSettings(connector) }
  const known = { request: { range, cursor, context: pageContext }, given: details }
  for (const [index, read] of READINGS.entries()) {
    const data = new ReportedData(owner)
    const missing = attempt(() => {
      const parts = read(connector, collection, payload)
      return parts.length === 0 ? undefined : addParts(collection, parts, data, known)
    })
    // Only an answer may consist of invalid records: any object can be taken for one record.
    if (missing === undefined || (index > 0 && data.isEmpty)) continue
    return { lines: toPayloadLines(data.toArrivedData(), data.removed, owner), missing }
  }
  const what = describeMessage(connector, payload) ?? 'not an answer'
  const whose = `the collection ${collection.name} of ${connector.slug}`
  throw new PayloadError(`The payload is ${what}, and has no data of ${whose}.`)
}

/** Says what a message without data of the collection is about; undefined for other payloads. */
function describeMessage({ push }: Connector, payload: unknown): string | undefined {
  const notices = attempt(() => push?.read(payload)) ?? []
  if (notices.length === 0) return undefined
  const names = [...new Set(notices.map(({ collection }) => collection))]
  const ended = names.includes(null) ? ['the end of the access of a user'] : []
  const changed = names.filter((name) => name !== null)
  const changes = changed.length === 0 ? [] : [`changes of ${changed.join(', ')}`]
  return `a message about ${[...ended, ...changes].join(' and ')}`
}

/** Returns what a message of the vendor says about the collection. */
function readMessage({ push }: Connector, { name, record }: Collection, payload: unknown): Part[] {
  const notices = push?.read(payload).filter(({ collection }) => collection === name) ?? []
  return notices.flatMap((notice): Part[] => {
    if (notice.page !== undefined) return [{ answer: notice.page }]
    const isDeleted = record !== undefined && notice.record?.isDeleted
    return isDeleted ? [{ deletedId: notice.record.id }] : []
  })
}

/** @returns the details that the answers need and the context does not have */
function addParts(
  { map, details, record }: Collection,
  parts: readonly Part[],
  data: PageData,
  { request, given }: { request: PageRequest; given: readonly unknown[] },
): DetailRequest[] {
  return parts.flatMap((part) => {
    if ('deletedId' in part) {
      record?.remove(part.deletedId, data)
      return []
    }
    const wanted = details?.(part.answer, request) ?? []
    const answers = given.map((detail, index) => toDetail(wanted[index], detail))
    map(part.answer, data, answers, request)
    return wanted.slice(given.length)
  })
}

/** JSON has null for a detail that is missing, and base64 for a file or what is no JSON. */
function toDetail(wanted: DetailRequest | undefined, detail: unknown): unknown {
  if (wanted === undefined || typeof detail !== 'string') return detail ?? undefined
  const bytes = Buffer.from(detail, 'base64')
  if ('fileUrl' in wanted) return bytes
  return wanted.decode === undefined ? detail : wanted.decode(bytes)
}

/** @returns undefined for a payload that the connector does not know */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof VendorError || error instanceof SyntaxError) return undefined
    throw error
  }
}

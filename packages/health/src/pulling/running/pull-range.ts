import type {
  Collection,
  DetailRequest,
  NestedAnswer,
  PageRequest,
  TimeRange,
} from '../../connectors/index.ts'
import { PageData, VendorError } from '../../connectors/index.ts'
import type { ArrivedData } from '../../ingest/index.ts'
import type { VendorSession } from '../access/vendor-session.ts'
import type { RangeStep } from './next-step.ts'
import { SeenRecords } from './remove-missing.ts'

/** The stored part of a range. */
export interface PullProgress {
  /** The next page. */
  cursor: string | null
}

/** Items stored at once: enough to keep storing cheap, and few enough for memory. */
const PIECE_ITEMS = 20_000
/** A vendor whose pages never end has trouble. */
const MOST_PAGES = 10_000

/**
 * Pulls all pages of a range and stores them, some pages at a time.
 * @param progress Updated with what is durable, also when this throws.
 */
export async function pullRange(
  session: VendorSession,
  subject: { slug: string; collection: Collection; owner: { userId: string; provider: string } },
  range: TimeRange,
  progress: PullProgress,
  { store, complete, pageDone, signal }: PullTarget,
): Promise<void> {
  const { slug, collection, owner } = subject
  // What earlier attempts saw is not known, so a range that is completed starts again.
  const seen = collection.completes && new SeenRecords()
  if (seen !== undefined) progress.cursor = null
  let data = new PageData(owner)
  const keep = async (next: string | null): Promise<void> => {
    seen?.add(owner, data)
    if (sizeOf(data) > 0) await store(data.toArrivedData())
    data = new PageData(owner)
    progress.cursor = seen === undefined ? next : null
  }
  for (let page = 1, cursor = progress.cursor; ; page++) {
    signal.throwIfAborted()
    const next = await pullPage(session, collection, { range, cursor }, data).catch(
      async (error) => {
        // Otherwise a budget that is smaller than a range would be spent on its first pages again
        // and again, and with a vendor that fails each fifth request ten pages would never
        // complete.
        await keep(cursor)
        throw error
      },
    )
    if ((next !== null && next === cursor) || page === MOST_PAGES) {
      throw new VendorError(slug, { kind: 'unexpected', status: null })
    }
    if (next === null || sizeOf(data) >= PIECE_ITEMS) await keep(next)
    if (next === null) break
    cursor = next
    if (seen === undefined) pageDone?.()
  }
  if (seen !== undefined) await complete(seen)
}

/** Receives what is pulled. */
interface PullTarget {
  /** Resolves when it is durable. */
  readonly store: (data: ArrivedData) => Promise<void>
  /** Removes what the vendor no longer has; called after all pages are stored. */
  readonly complete: (seen: SeenRecords) => Promise<void>
  /** Called after a page that is not requested again, also when a later one fails. */
  readonly pageDone?: () => void
  readonly signal: AbortSignal
}

/** Pulls a page, adds its data, and returns the cursor of the next one. */
export async function pullPage(
  session: VendorSession,
  collection: Collection,
  { range, cursor }: Omit<PageRequest, 'context'>,
  data: PageData,
): Promise<string | null> {
  const wanted = collection.page(range, cursor, session.context)
  const answer = await session.fetchJson(withDecode(session, collection, wanted))
  const request = { range, cursor, context: session.context }
  await mapAnswer(session, collection, answer, request, data)
  const oldest = collection.oldestOf?.(answer, request) ?? null
  // The vendor lists the newest first, so that all further pages precede the range.
  if (oldest !== null && oldest < range.from) return null
  return collection.next(answer, request)
}

/** Adds the reader of the collection to a request for data that has none of its own. */
function withDecode<Wanted extends DetailRequest>(
  { context }: VendorSession,
  { decode }: Collection,
  wanted: Wanted,
): Wanted {
  if (decode === undefined || 'fileUrl' in wanted || wanted.decode !== undefined) return wanted
  return { ...wanted, decode: (bytes: Buffer) => decode(bytes, context) }
}

/** Fetches the details of an answer and maps it. */
async function mapAnswer(
  session: VendorSession,
  collection: Collection,
  answer: unknown,
  request: PageRequest,
  data: PageData,
): Promise<void> {
  const wanted = collection.details?.(answer, request) ?? []
  const details = await fetchDetails(session, collection, wanted)
  collection.map(answer, data, details, request)
}

async function fetchDetails(
  session: VendorSession,
  collection: Collection,
  requests: readonly DetailRequest[],
): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const { isOptional, details, ...wanted } of requests) {
    const answer = await session
      .fetchJson(withDecode(session, collection, wanted))
      .catch((error) => ignoreMissing({ isOptional }, error))
    if (details === undefined) answers.push(answer)
    else {
      const further = answer === undefined ? [] : details(answer)
      const nested = await fetchDetails(session, collection, further)
      answers.push({ answer, details: nested } satisfies NestedAnswer)
    }
  }
  return answers
}

/**
 * Pulls or removes one record of a collection that has `record`. One that no longer exists at the
 * vendor is removed.
 * @throws VendorError
 */
export async function pullRecord(
  open: () => Promise<VendorSession>,
  { collection, owner }: { collection: Collection; owner: { userId: string; provider: string } },
  { id, isDeleted }: { id: string; isDeleted: boolean },
  store: (data: ArrivedData) => Promise<void>,
): Promise<void> {
  const { record } = collection
  if (record === undefined) return
  const data = new PageData(owner)
  const session = isDeleted ? undefined : await open()
  const wanted = session && withDecode(session, collection, record.request(id))
  const answer = await (wanted && session.fetchJson(wanted))?.catch((error) => {
    if (!isMissing(error)) throw error
  })
  if (session === undefined || answer === undefined) record.remove(id, data)
  else {
    const request = { ...NO_RANGE, context: session.context }
    await mapAnswer(session, collection, record.toPage(answer), request, data)
  }
  await store(data.toArrivedData())
}

/** A record that a message names has no range. */
const NO_RANGE = { range: { from: 0, to: 0 }, cursor: null } as const

/**
 * Asks the vendor to send the records of a range in messages. Its newest records come without a
 * request.
 * @throws VendorError
 */
export async function requestMessages(
  open: () => Promise<VendorSession>,
  collection: Collection,
  { kind, range, isRequested }: RangeStep,
): Promise<{ kind: 'held' | 'requested' }> {
  if (kind === 'poll' || isRequested) return { kind: 'held' }
  const { fetchJson, context } = await open()
  await fetchJson(collection.page(range, null, context)).catch((error) => {
    // The range was requested before.
    if (!hasStatus(error, 409)) throw error
  })
  return { kind: 'requested' }
}

const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof VendorError &&
  error.failure.kind === 'unexpected' &&
  error.failure.status === status

const isMissing = (error: unknown): boolean => hasStatus(error, 404) || hasStatus(error, 410)

/** @returns undefined for an optional detail that does not exist or is refused */
function ignoreMissing(
  { isOptional }: { isOptional: true | undefined },
  error: unknown,
): undefined {
  const isRefused = error instanceof VendorError && error.failure.kind === 'refused'
  if (!isOptional || !(isRefused || isMissing(error))) throw error
}

function sizeOf(data: PageData): number {
  const { samples, summaries, streams, removals, quarantined } = data.toArrivedData()
  // A record is stored together with all its data.
  const records =
    (summaries?.length ?? 0) +
    (streams?.size ?? 0) +
    (removals?.length ?? 0) +
    (quarantined?.length ?? 0)
  const devices = data.toArrivedData().devices?.length ?? 0
  return (samples?.length ?? 0) + records * 20 + devices
}

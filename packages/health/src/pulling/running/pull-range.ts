import type {
  Collection,
  DetailRequest,
  FetchJson,
  PageRequest,
  TimeRange,
} from '../../connectors/index.ts'
import { PageData, VendorError } from '../../connectors/index.ts'
import type { ArrivedData } from '../../ingest/index.ts'

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
 * @param store Resolves when it is durable.
 */
export async function pullRange(
  fetchJson: FetchJson,
  subject: { slug: string; collection: Collection; owner: { userId: string; provider: string } },
  range: TimeRange,
  progress: PullProgress,
  { store, signal }: { store: (data: ArrivedData) => Promise<void>; signal: AbortSignal },
): Promise<void> {
  const { slug, collection, owner } = subject
  let data = new PageData(owner)
  const keep = async (next: string | null): Promise<void> => {
    if (sizeOf(data) > 0) await store(data.toArrivedData())
    data = new PageData(owner)
    progress.cursor = next
  }
  for (let page = 1, cursor = progress.cursor; ; page++) {
    signal.throwIfAborted()
    const next = await pullPage(fetchJson, collection, { range, cursor }, data).catch(
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
    if (next === null) return
    cursor = next
  }
}

/** Pulls a page, adds its data, and returns the cursor of the next one. */
export async function pullPage(
  fetchJson: FetchJson,
  collection: Collection,
  request: PageRequest,
  data: PageData,
): Promise<string | null> {
  const answer = await fetchJson(collection.page(request.range, request.cursor))
  const details: unknown[] = []
  for (const wanted of collection.details?.(answer, request) ?? []) {
    details.push(await fetchJson(wanted).catch((error) => ignoreMissing(wanted, error)))
  }
  collection.map(answer, data, details, request)
  return collection.next(answer, request)
}

/** @returns undefined for an optional detail that does not exist or is refused */
function ignoreMissing({ isOptional }: DetailRequest, error: unknown): undefined {
  const { failure } = error instanceof VendorError ? error : { failure: undefined }
  const isMissing =
    failure?.kind === 'refused' || (failure?.kind === 'unexpected' && failure.status === 404)
  if (!isOptional || !isMissing) throw error
}

function sizeOf(data: PageData): number {
  const { samples, summaries, streams, quarantined } = data.toArrivedData()
  // A record is stored together with all its data.
  const records = (summaries?.length ?? 0) + (streams?.size ?? 0) + (quarantined?.length ?? 0)
  const devices = data.toArrivedData().devices?.length ?? 0
  return (samples?.length ?? 0) + records * 20 + devices
}

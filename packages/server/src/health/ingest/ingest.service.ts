import { getUserRow } from '../../accounts/users/index.ts'
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.ts'
import { formatInstant } from '../../platform/time/instants.ts'
import { WorkSlice } from '../../platform/time-slices.ts'
import type { Series } from '../series/index.ts'
import { DeviceCollector } from './device-parser.ts'
import type { PutAsideQuery, UploadBody, UploadResult } from './ingest.schema.ts'
import { listPutAside, type PutAsideItem } from './put-aside.repository.ts'
import type { Sample } from './sample.ts'
import { parseItem } from './sample-parser.ts'
import { SharedInstants } from './shared-instants.ts'
import { type IngestContext, openUpload, type ParsedUpload, storeUpload } from './upload.service.ts'

/**
 * Stores an upload of samples. Bad items are put aside with a reason and do not fail the good ones;
 * everything is durable when it returns.
 * @throws AppError 404 for the user, 400 `not_connected` when the user has no live connection to the
 * provider.
 */
export async function uploadSamples(
  context: IngestContext,
  userId: string,
  series: Series,
  body: UploadBody,
): Promise<UploadResult> {
  const upload = await openUpload(context, userId, body)
  const parsed = await parseUpload(body, series, upload.timeZone)
  return storeUpload(context, upload, [series], parsed)
}

async function parseUpload(
  body: UploadBody,
  series: Series,
  timeZone: string | null,
): Promise<ParsedUpload> {
  const context = { series, provider: body.provider, timeZone }
  const collector = new DeviceCollector()
  const instants = new SharedInstants()
  const samples: Sample[] = []
  const putAside: PutAsideItem[] = []
  const problems: { index: number; reason: string }[] = []
  const slice = new WorkSlice()
  for (const [index, item] of body.data.entries()) {
    if (slice.isOver()) await slice.rest()
    const outcome = parseItem(context, item)
    if (typeof outcome === 'string') {
      putAside.push({ resource: series.name, reason: outcome, item })
      problems.push({ index, reason: outcome })
      continue
    }
    for (const sample of outcome) {
      samples.push(instants.place(sample, idOf(item)))
      collector.add(body.provider, sample.sourceType, deviceItem(item))
    }
  }
  return { samples, putAside, problems, devices: [...collector.devices.values()] }
}

/** The id of an item at its source; a blood pressure has it with the systolic value. */
function idOf(item: unknown): string {
  const { id } = deviceItem(item) as { id?: unknown }
  return typeof id === 'string' ? id : ''
}

/** The part of an item that names its device: a blood pressure names it with the systolic value. */
function deviceItem(item: unknown): unknown {
  return (item as { systolic?: unknown }).systolic ?? item
}

const isListPosition = (position: unknown[]): boolean =>
  position.length === 4 &&
  position.every((part) => typeof part === 'string') &&
  /^\d{1,20}$/.test(String(position[3]))

/** Items put aside for a user, with the reasons, a page at a time. */
export async function listItemsPutAside(
  { db, clickhouse, environment }: Pick<IngestContext, 'db' | 'clickhouse' | 'environment'>,
  userId: string,
  query: PutAsideQuery,
) {
  const user = await getUserRow(db, environment.id, userId)
  const { resource = null, provider = null, reason = null, next_cursor: cursor } = query
  const scope = ['put_aside', user.id, resource, provider, reason]
  const after = cursor ? (decodeCursor(scope, cursor, isListPosition) as string[]) : null
  const filter = { resource, provider, reason }
  const { id: environmentId } = environment
  const rows = await listPutAside(
    clickhouse,
    environmentId,
    user.id,
    filter,
    after,
    query.limit + 1,
  )
  const page = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? page.at(-1) : undefined
  return {
    items: page.map((row) => ({
      resource: row.resource,
      provider: row.provider,
      reason: row.reason,
      item: JSON.parse(row.item) as unknown,
      received_at: formatInstant(row.received_at_ms),
    })),
    next_cursor: last
      ? encodeCursor(scope, [last.resource, last.provider, last.reason, last.item_hash])
      : null,
  }
}

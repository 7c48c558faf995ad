import { type NewDevice, rememberDevices } from '../connections/index.ts'
import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts'
import { badRequest } from '../platform/errors.ts'
import { decodeCursor, encodeCursor } from '../platform/http/cursor.ts'
import type { Db } from '../platform/postgres/database.ts'
import type { Clock } from '../platform/time/clock.ts'
import { dateAtOffset, formatInstant, isTimeZone, parseInstant } from '../platform/time/instants.ts'
import type { Series } from '../series/index.ts'
import type { Tenant } from '../teams/index.ts'
import { getUserRow, learnTimeZone, type UserRow } from '../users/index.ts'
import { DeviceCollector } from './device-parser.ts'
import { noteHistory, rangeOf } from './history.service.ts'
import type { PutAsideQuery, UploadBody, UploadResult } from './ingest.schema.ts'
import { listPutAside, type PutAsideItem } from './put-aside.repository.ts'
import type { Announcement, Sample } from './sample.ts'
import { parseItem } from './sample-parser.ts'
import type { SampleWriter } from './sample-writer.ts'

export interface IngestContext {
  db: Db
  clickhouse: ClickHouse
  writer: SampleWriter
  clock: Clock
  tenant: Tenant
  /** Public address of the deployment, for logos. */
  baseUrl: string
}

/** Problems told in the answer; all of them are in the list of items put aside. */
const MOST_PROBLEMS = 20

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
  const { db, writer, tenant } = context
  const user = await getUserRow(db, tenant.environmentId, userId)
  const connection = user.connections.find(({ provider }) => provider === body.provider)
  if (connection?.status !== 'connected') {
    throw badRequest('not_connected', 'The user is not connected to this provider.')
  }
  const timeZone = body.time_zone && isTimeZone(body.time_zone) ? body.time_zone : null
  const parsed = parseUpload(body, series, timeZone)
  const samples = parsed.samples.filter((sample) => isWithinBounds(user, sample))
  const owner = { environmentId: tenant.environmentId, userId: user.id, provider: body.provider }
  const announcement = await announcementOf(context, user, body, parsed.devices)
  const [counts] = await Promise.all([
    writer.write(owner, samples, announcement),
    writer.putAside(owner, parsed.putAside),
    learnFromDevice(context, user, timeZone, body.provider),
  ])
  if (body.stage === 'historical') await noteChunk(context, user, series, body, samples)
  return {
    success: true,
    ...counts,
    out_of_bounds: parsed.samples.length - samples.length,
    put_aside: parsed.putAside.length,
    problems: parsed.problems.slice(0, MOST_PROBLEMS),
  }
}

/**
 * Takes note of the devices, and says what the events need to know. History is told by one event when
 * all of it is there; its samples have events only for a team that wants them (contract 08, section 3).
 */
async function announcementOf(
  context: IngestContext,
  user: UserRow,
  { stage, provider }: UploadBody,
  devices: readonly NewDevice[],
): Promise<Announcement | undefined> {
  const { tenant: scope, baseUrl } = context
  const isAnnounced = stage === 'daily' || scope.settings.push_historical_data
  // Without news of devices they are looked up for all uploads that share an insert.
  const deviceId =
    devices.length === 0 ? undefined : await rememberDevices(context, user, provider, devices)
  return isAnnounced ? { scope, user, deviceId, baseUrl } : undefined
}

/** Notes how far the history has come, after its samples are stored. */
async function noteChunk(
  context: IngestContext,
  user: UserRow,
  series: Series,
  { provider, start_date: start, end_date: end, is_final_chunk: isFinal }: UploadBody,
  samples: readonly Sample[],
): Promise<void> {
  const instant = (text: string | null | undefined): Date | null =>
    text ? new Date(parseInstant(text)?.epochMilliseconds ?? Number.NaN) : null
  const range = rangeOf(samples)
  await noteHistory(context, user, series, {
    provider,
    from: instant(start) ?? range?.from ?? null,
    to: instant(end) ?? range?.to ?? null,
    // Android sends one chunk and does not say that it is the last.
    isFinal: isFinal ?? true,
  })
}

interface ParsedUpload {
  samples: Sample[]
  putAside: PutAsideItem[]
  problems: { index: number; reason: string }[]
  devices: NewDevice[]
}

function parseUpload(body: UploadBody, series: Series, timeZone: string | null): ParsedUpload {
  const context = { series, provider: body.provider, timeZone }
  const collector = new DeviceCollector()
  const parsed: Omit<ParsedUpload, 'devices'> = { samples: [], putAside: [], problems: [] }
  for (const [index, item] of body.data.entries()) {
    const outcome = parseItem(context, item)
    if (typeof outcome === 'string') {
      parsed.putAside.push({ resource: series.name, reason: outcome, item })
      parsed.problems.push({ index, reason: outcome })
      continue
    }
    for (const sample of outcome) {
      parsed.samples.push(sample)
      collector.add(body.provider, sample.sourceType, deviceItem(item))
    }
  }
  return { ...parsed, devices: [...collector.devices.values()] }
}

/** The part of an item that names its device: a blood pressure names it with the systolic value. */
function deviceItem(item: unknown): unknown {
  return (item as { systolic?: unknown }).systolic ?? item
}

/**
 * True when a sample lies within the user's ingestion bounds: its local date where the offset is
 * known, else its UTC date, both boundary days included (contract 02).
 */
export function isWithinBounds(
  user: Pick<UserRow, 'ingestion_start' | 'ingestion_end'>,
  sample: Pick<Sample, 'startedAt' | 'timezoneOffset'>,
): boolean {
  if (user.ingestion_start === null && user.ingestion_end === null) return true
  const date = dateAtOffset(sample.startedAt, sample.timezoneOffset ?? 0)
  if (user.ingestion_start !== null && date < user.ingestion_start) return false
  return user.ingestion_end === null || date <= user.ingestion_end
}

async function learnFromDevice(
  { db, clock, tenant }: IngestContext,
  user: UserRow,
  timeZone: string | null,
  provider: string,
): Promise<void> {
  if (timeZone === null || timeZone === user.fallback_time_zone) return
  if (user.fallback_time_zone_source === 'manual') return
  const learned = { timeZone, source: provider, at: clock.now() }
  await learnTimeZone(db, tenant.environmentId, user.id, learned)
}

const isListPosition = (position: unknown[]): boolean =>
  position.length === 4 &&
  position.every((part) => typeof part === 'string') &&
  /^\d{1,20}$/.test(String(position[3]))

/** Items put aside for a user, with the reasons, a page at a time. */
export async function listItemsPutAside(
  { db, clickhouse, tenant }: Pick<IngestContext, 'db' | 'clickhouse' | 'tenant'>,
  userId: string,
  query: PutAsideQuery,
) {
  const user = await getUserRow(db, tenant.environmentId, userId)
  const { resource = null, provider = null, reason = null, next_cursor: cursor } = query
  const scope = ['put_aside', user.id, resource, provider, reason]
  const after = cursor ? (decodeCursor(scope, cursor, isListPosition) as string[]) : null
  const filter = { resource, provider, reason }
  const { environmentId } = tenant
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

import { findSeries } from '@salus/contracts/series'
import { JsonText, newEvent, toRow } from '@salus/kernel/events/events'
import type { Db } from '@salus/kernel/postgres/database'
import type { Stores } from '@salus/kernel/scope'
import { WorkSlice } from '@salus/kernel/time-slices'
import { listOnlyDevices } from '../../connections/index.ts'
import { findSeriesEvents } from '../ingest.events.ts'
import type { Publication, Sample, SampleBatch, SampleChanges, SampleOwner } from '../sample.ts'
import { findStoredSamples } from '../samples.repository.ts'
import { PublicationEvents } from './publication-events.ts'
import type { NewPublication, PendingPublication } from './publisher.ts'
import { writeSampleBatches } from './sample-batches.ts'
import { readSamples } from './stored-samples.ts'

/** A batch whose samples have events. */
type PublishedBatch = SampleBatch & { publication: Publication }

/** Whether the samples have events; silently stored history has no publication. */
export const isPublished = (batch: SampleBatch): batch is PublishedBatch =>
  batch.publication !== undefined

/** Finds the device of each batch, the unknown ones by one statement. */
export async function findDevices(
  db: Db,
  batches: readonly Pick<PublishedBatch, 'owner' | 'publication'>[],
): Promise<(batch: Pick<PublishedBatch, 'owner' | 'publication'>) => string | null> {
  const unknown = batches.filter(({ publication }) => publication.deviceId === undefined)
  const environmentIds = [...new Set(unknown.map(({ owner }) => owner.environmentId))]
  const userIds = [...new Set(unknown.map(({ owner }) => owner.userId))]
  const found = userIds.length === 0 ? [] : await listOnlyDevices(db, environmentIds, userIds)
  return ({ owner, publication }) => {
    if (publication.deviceId !== undefined) return publication.deviceId
    const { environmentId, userId, provider } = owner
    const device = found.find(
      (one) =>
        one.user_id === userId && one.environment_id === environmentId && one.provider === provider,
    )
    return device?.id ?? null
  }
}

/**
 * Returns what is pending while samples are stored: one for each series of each user and provider.
 */
export function pendingOfSamples(
  batches: readonly PublishedBatch[],
  leastVersion: number,
): NewPublication[] {
  const ranges = new Map<string, PendingRange>()
  for (const { owner, samples, publication } of batches) {
    // Consecutive samples mostly share a series.
    for (const [first, last] of runsOfSeries(samples)) {
      const { series } = samples[first] as Sample
      const key = `${owner.environmentId} ${owner.userId} ${owner.provider} ${series}`
      const range = ranges.get(key) ?? {
        ...{ owner, series, baseUrl: publication.baseUrl, leastVersion },
        ...{ from: Infinity, to: -Infinity },
      }
      ranges.set(key, range)
      for (let index = first; index < last; index++) {
        const { startedAt, modifiedAt } = samples[index] as Sample
        if (startedAt < range.from) range.from = startedAt
        if (startedAt > range.to) range.to = startedAt
        if (modifiedAt !== null) range.leastVersion = null
      }
    }
  }
  return [...ranges.values()].map(({ owner, series, from, to, ...range }) => ({
    environment_id: owner.environmentId,
    user_id: owner.userId,
    resource: series,
    provider: owner.provider,
    range_start: new Date(from),
    range_end: new Date(to),
    least_version: range.leastVersion,
    summary_ids: null,
    base_url: range.baseUrl,
  }))
}

interface PendingRange {
  owner: SampleOwner
  series: string
  from: number
  to: number
  leastVersion: number | null
  baseUrl: string
}

/** Yields the index ranges of consecutive samples of one series; the end is exclusive. */
function* runsOfSeries(samples: readonly Sample[]): Generator<[first: number, last: number]> {
  let first = 0
  for (let index = 1; index <= samples.length; index++) {
    if (samples[index]?.series === samples[first]?.series) continue
    yield [first, index]
    first = index
  }
}

/**
 * Returns the events of what batches changed, and their attempts.
 * @param pending The pending publications of the batches.
 * @param changes The changes of each batch.
 */
export async function eventsOfBatches(
  pending: readonly NewPublication[],
  batches: readonly PublishedBatch[],
  changes: readonly SampleChanges[],
  deviceOf: (batch: PublishedBatch) => string | null,
  at: Date,
): Promise<PublicationEvents> {
  const events = new PublicationEvents(at)
  const slice = new WorkSlice()
  for (const { environment_id: environmentId, user_id: userId, provider, resource } of pending) {
    countSamples(events, { environmentId, userId, provider }, resource, 0)
  }
  for (const [index, batch] of batches.entries()) {
    const publication = { ...batch.publication, deviceId: deviceOf(batch) }
    addSampleEvents(events, batch.owner, publication, changes[index] as SampleChanges, at)
    if (slice.isOver()) await slice.rest()
  }
  return events
}

/**
 * Returns the events of the stored samples of a pending publication. Whether one is new is no
 * longer known, so all are reported as created; some may be reported twice.
 */
export async function eventsOfPending(
  { clickhouse, clock }: Stores,
  pending: PendingPublication,
  publication: Publication,
): Promise<PublicationEvents> {
  const { environment_id, user_id, provider, resource: series, range_start, range_end } = pending
  const range = {
    environmentIds: new Set([environment_id]),
    userIds: new Set([user_id]),
    series: new Set([series]),
    from: range_start?.getTime() ?? 0,
    to: range_end?.getTime() ?? 0,
  }
  const stored = await readSamples(await findStoredSamples(clickhouse, [range]))
  const least = pending.least_version ?? 0
  const created = stored
    .filter((one) => one.provider === provider && one.version > least)
    .map(({ sample }) => sample)
  // Where none of it is stored, it may have been removed since, and no attempt is counted.
  const events = new PublicationEvents(pending.created_at)
  const owner = { environmentId: environment_id, userId: user_id, provider }
  addSampleEvents(events, owner, publication, { created, updated: [] }, clock.now())
  return events
}

function countSamples(
  events: PublicationEvents,
  owner: SampleOwner,
  series: string,
  sent: number,
): void {
  const resource = findSeries(series)?.resource ?? series
  events.countAttempt(owner, resource, findSeriesEvents(series) === undefined ? 0 : sent)
}

/** Adds the events about changed samples of one owner. */
function addSampleEvents(
  events: PublicationEvents,
  owner: SampleOwner,
  { environment, user, deviceId = null, baseUrl, traceParent = null }: Publication,
  { created, updated }: SampleChanges,
  at: Date,
): void {
  const context = { provider: owner.provider, userId: owner.userId, deviceId, baseUrl }
  const addRows = (series: string, samples: Sample[], kind: 'created' | 'updated'): void => {
    const type = findSeriesEvents(series)?.[kind]
    if (type === undefined) return
    writeSampleBatches(samples, context, (json) => {
      const event = newEvent({ type, user, data: new JsonText(json), traceParent })
      events.plain.push(toRow(environment, event, at))
    })
  }
  for (const [series, samples] of Map.groupBy(created, (sample) => sample.series)) {
    countSamples(events, owner, series, samples.length)
    addRows(series, samples, 'created')
  }
  for (const [series, samples] of Map.groupBy(updated, (sample) => sample.series)) {
    addRows(series, samples, 'updated')
  }
}

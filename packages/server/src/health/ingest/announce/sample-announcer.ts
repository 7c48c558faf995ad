import { JsonText, newEvent, toRow } from '../../../platform/events/events.ts'
import type { EventRow } from '../../../platform/events/outbox.ts'
import { newId } from '../../../platform/ids.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { WorkSlice } from '../../../platform/time-slices.ts'
import { listOnlyDevices } from '../../connections/index.ts'
import { findSeriesEvents } from '../ingest.events.ts'
import type { Announcement, Sample, SampleBatch, SampleChanges, SampleOwner } from '../sample.ts'
import { attemptsOf } from './sample-attempts.ts'
import { writeSampleBatches } from './sample-batches.ts'
import * as repository from './unannounced.repository.ts'

type Note = repository.SampleNote

/** A batch whose samples are announced. */
export type AnnouncedBatch = SampleBatch & { announcement: Announcement }

/** What was noted of samples on their way into the store. */
export interface OpenAnnouncement {
  /** After the samples are durable: writes their events, drops the notes, counts the attempts. */
  close(changes: readonly SampleChanges[]): Promise<void>
  /** The samples may or may not have been stored: the notes stay, to be looked into. */
  abandon(): void
}

export interface SampleAnnouncer {
  /** Before the samples are stored; durable when it returns. */
  open(batches: readonly AnnouncedBatch[], leastVersion: number): Promise<OpenAnnouncement>
}

export interface AnnouncerOptions {
  db: Db
  clock: Clock
  /** No other process stores samples, so a note that is not open here was left behind. */
  isAlone: boolean
  /** Announces what notes that were left behind may be about, and drops them. */
  recover: (notes: Note[]) => Promise<unknown>
}

/** How old a note of another process must be to count as left behind. */
export const LEFT_BEHIND_MS = 30_000

/** Writes the events of stored samples, with notes that outlive a crash between the two stores. */
export function createSampleAnnouncer(options: AnnouncerOptions): SampleAnnouncer {
  const { db, clock, isAlone, recover } = options
  const openIds = new Set<string>()

  const isLeftBehind = (note: Note): boolean =>
    isAlone || clock.now().getTime() - note.created_at.getTime() > LEFT_BEHIND_MS

  return {
    async open(batches, leastVersion) {
      const id = newId()
      const notes = notesOf(batches, { id, leastVersion, at: clock.now() })
      const environmentIds = [...new Set(notes.map((note) => note.environment_id))]
      const abandon = (): void => {
        openIds.delete(id)
      }
      openIds.add(id)
      // Of before the query: what closes during it is no less open in what the query finds.
      const openHere = new Set(openIds)
      try {
        const [older, devices] = await Promise.all([
          repository.insertNotes(db, environmentIds, notes),
          findDevices(db, environmentIds, batches),
        ])
        const leftBehind = older.filter((note) => !openHere.has(note.id) && isLeftBehind(note))
        return { close: (changes) => close(changes).finally(abandon), abandon }

        async function close(changes: readonly SampleChanges[]): Promise<void> {
          const at = clock.now()
          const slice = new WorkSlice()
          const events: EventRow[] = []
          for (const [index, batch] of batches.entries()) {
            const announced = { ...batch.announcement, deviceId: devices(batch) }
            const rows = eventsOf(batch.owner, announced, changes[index] as SampleChanges, at)
            for (const row of rows) events.push(row)
            if (slice.isOver()) await slice.rest()
          }
          const outcomes = batches.map(({ owner }, index) => ({
            owner,
            created: changes[index]?.created ?? [],
          }))
          const attempts = attemptsOf(notes, outcomes, at)
          await repository.replaceNotesByEvents(db, environmentIds, notes, events, attempts)
          // The client of a crash sends again, and its answer must not come before the events.
          if (leftBehind.length > 0) await recover(leftBehind)
        }
      } catch (error) {
        abandon()
        throw error
      }
    },
  }
}

/** The device of each batch, those that nobody looked up yet by one statement. */
async function findDevices(
  db: Db,
  environmentIds: readonly string[],
  batches: readonly AnnouncedBatch[],
): Promise<(batch: AnnouncedBatch) => string | null> {
  const unknown = batches.filter(({ announcement }) => announcement.deviceId === undefined)
  const userIds = [...new Set(unknown.map(({ owner }) => owner.userId))]
  const found = userIds.length === 0 ? [] : await listOnlyDevices(db, environmentIds, userIds)
  return ({ owner, announcement }) => {
    if (announcement.deviceId !== undefined) return announcement.deviceId
    const { environmentId, userId, provider } = owner
    const device = found.find(
      (one) =>
        one.user_id === userId && one.environment_id === environmentId && one.provider === provider,
    )
    return device?.id ?? null
  }
}

/** One note for each series of each person and provider. */
function notesOf(
  batches: readonly AnnouncedBatch[],
  { id, leastVersion, at }: { id: string; leastVersion: number; at: Date },
): Note[] {
  const notes = new Map<string, Note>()
  const openNote = (
    { owner, announcement }: AnnouncedBatch,
    { series, startedAt }: Sample,
  ): Note => {
    const key = `${owner.environmentId} ${owner.userId} ${owner.provider} ${series}`
    const known = notes.get(key)
    if (known !== undefined) return known
    const note = {
      environment_id: owner.environmentId,
      user_id: owner.userId,
      series,
      id,
      provider: owner.provider,
      range_start: new Date(startedAt),
      range_end: new Date(startedAt),
      least_version: leastVersion,
      base_url: announcement.baseUrl,
      created_at: at,
    }
    notes.set(key, note)
    return note
  }
  for (const batch of batches) {
    // Neighbors are mostly of one series.
    for (const [first, last] of runsOfSeries(batch.samples)) {
      const note = openNote(batch, batch.samples[first] as Sample)
      let [from, to] = [note.range_start.getTime(), note.range_end.getTime()]
      for (let index = first; index < last; index++) {
        const { startedAt, modifiedAt } = batch.samples[index] as Sample
        if (startedAt < from) from = startedAt
        if (startedAt > to) to = startedAt
        if (modifiedAt !== null) note.least_version = null
      }
      note.range_start = new Date(from)
      note.range_end = new Date(to)
    }
  }
  return [...notes.values()]
}

/** Where samples of one series follow each other, as indexes, the end not included. */
function* runsOfSeries(samples: readonly Sample[]): Generator<[first: number, last: number]> {
  let first = 0
  for (let index = 1; index <= samples.length; index++) {
    if (samples[index]?.series === samples[first]?.series) continue
    yield [first, index]
    first = index
  }
}

/** Rows of the events that tell of changed samples of one owner. */
export function eventsOf(
  { userId, provider }: SampleOwner,
  { scope, user, deviceId = null, baseUrl }: Announcement,
  { created, updated }: SampleChanges,
  at: Date,
): EventRow[] {
  const context = { provider, userId, deviceId, baseUrl }
  const rowsOf = (samples: readonly Sample[], kind: 'created' | 'updated'): EventRow[] =>
    [...Map.groupBy(samples, ({ series }) => series)].flatMap(([series, ofSeries]) => {
      const type = findSeriesEvents(series)?.[kind]
      if (type === undefined) return []
      return writeSampleBatches(ofSeries, context).map((json) =>
        toRow(scope, newEvent({ type, user, data: new JsonText(json) }), at),
      )
    })
  return [...rowsOf(created, 'created'), ...rowsOf(updated, 'updated')]
}

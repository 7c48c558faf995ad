import { setTimeout as sleep } from 'node:timers/promises'
import { SERIES } from '@salus/contracts/series'
import type { DataChange } from '@salus/kernel/data-changes'
import { isHeld } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Stores } from '@salus/kernel/scope'
import { writeAddition } from './day-codec.ts'
import type { OriginSamples, SampleOrigin } from './day-samples.ts'
import {
  beginDayWrite,
  type DayAddition,
  dayOf,
  dropDayWrite,
  EVERYONE,
  endDayWrite,
  type WrittenDay,
} from './day-writes.global.repository.ts'

/** A sample as it is stored. */
export interface WrittenSample {
  environmentId: string
  userId: string
  series: string
  origin: SampleOrigin
  startedAt: number
  endedAt: number
  value: number
  diastolic: number
  text: string
  version: number
}

/**
 * A write to ClickHouse, from before it begins until its rows can be read. When it fails in
 * between, it stays open, because its rows may or may not be stored: its days are read from
 * ClickHouse until it is given up.
 */
export interface DayWrite {
  /** Whether there is a copy of a day of a sample, which needs the sample. */
  isCopied(
    sample: Pick<WrittenSample, 'environmentId' | 'userId' | 'series' | 'startedAt'>,
  ): boolean
  /** Whether there is a copy of any of the days. */
  readonly hasCopies: boolean
  /** Ends it; the samples are those of copied days. Copies of other days become invalid. */
  end(samples: readonly WrittenSample[]): Promise<void>
  /** Ends it when it turned out that nothing changes. */
  endUnchanged(): Promise<void>
}

/**
 * Begins a write to days of series, or of summaries, which have no copies; it is visible to all
 * processes when it returns. Until it ends, no read is answered as unchanged
 * (data-versions.repository.ts).
 */
export async function beginWrite(
  { db, clock }: Pick<Stores, 'db' | 'clock'>,
  changes: readonly DataChange[],
): Promise<DayWrite> {
  const id = newId()
  const copies = await beginDayWrite(db, id, changes, clock.now())
  const keys = new Set(copies.map(keyOf))
  return {
    hasCopies: keys.size > 0,
    isCopied: ({ startedAt, ...sample }) => keys.has(keyOf({ ...sample, day: dayOf(startedAt) })),
    end: (samples) => endDayWrite(db, id, changes, additionsOf(copies, samples)),
    endUnchanged: () => dropDayWrite(db, id, changes),
  }
}

/** A switch to another shard ends within this time; writes are tried again this often. */
const HELD_MS = 20_000
const HELD_RETRY_MS = 100

/** Begins a write as beginWrite does, and waits while its people are switched to another shard. */
export async function beginPatientWrite(
  stores: Pick<Stores, 'db' | 'clock'>,
  changes: readonly DataChange[],
): Promise<DayWrite> {
  const until = performance.now() + HELD_MS
  for (;;) {
    try {
      return await beginWrite(stores, changes)
    } catch (error) {
      if (!isHeld(error) || performance.now() > until) throw error
      await sleep(HELD_RETRY_MS)
    }
  }
}

/** The furthest instants of JavaScript. */
const [FIRST_MS, LAST_MS] = [-8.64e15, 8.64e15]

/** Begins a write to all days of all series of a person, or to any of their summaries. */
export function beginWriteOfAll(
  stores: Pick<Stores, 'db' | 'clock'>,
  { environmentId, userId }: Pick<DataChange, 'environmentId' | 'userId'>,
): Promise<DayWrite> {
  const days = { environmentId, userId, from: FIRST_MS, to: LAST_MS }
  return beginPatientWrite(
    stores,
    SERIES.map(({ name }) => ({ ...days, resource: name })),
  )
}

/** Begins a write to data of a resource up to a time, of all people of an environment. */
export function beginWriteOfEveryone(
  stores: Pick<Stores, 'db' | 'clock'>,
  environmentId: string,
  resource: string,
  until: Date,
): Promise<DayWrite> {
  const days = { from: FIRST_MS, to: until.getTime() }
  return beginWrite(stores, [{ environmentId, userId: EVERYONE, resource, ...days }])
}

const keyOf = ({ environmentId, userId, series, day }: WrittenDay): string =>
  `${environmentId} ${userId} ${series} ${day}`

/** A copied day to which nothing is added stays as it is, so it has an empty addition. */
function additionsOf(
  copies: readonly WrittenDay[],
  samples: readonly WrittenSample[],
): DayAddition[] {
  const byDay = Map.groupBy(samples, ({ startedAt, ...sample }) =>
    keyOf({ ...sample, day: dayOf(startedAt) }),
  )
  return copies.map((day) => {
    const added = byDay.get(keyOf(day)) ?? []
    const addition = added.length === 0 ? Buffer.alloc(0) : writeAddition(piecesOf(added))
    return { ...day, addition }
  })
}

function piecesOf(samples: readonly WrittenSample[]): OriginSamples[] {
  const byOrigin = Map.groupBy(samples, ({ origin }) => JSON.stringify(origin))
  return [...byOrigin.values()].map((list) => {
    const column = (read: (sample: WrittenSample) => number): Float64Array =>
      Float64Array.from(list, read)
    return {
      origin: (list[0] as WrittenSample).origin,
      startedAt: column(({ startedAt }) => startedAt),
      endedAt: column(({ endedAt }) => endedAt),
      value: column(({ value }) => value),
      diastolic: column(({ diastolic }) => diastolic),
      version: column(({ version }) => version),
      text: list.some(({ text }) => text !== '') ? list.map(({ text }) => text) : null,
    }
  })
}

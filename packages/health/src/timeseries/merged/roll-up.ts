import type { MergeRule } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import { amountBefore, type Claims, grainOf } from './claim-samples.ts'
import type { LocalSlots } from './local-slots.ts'
import { createMergeLimit } from './merge-limit.ts'
import { elementAt, type SourceSamples } from './source-samples.ts'

/** Contribution of one source to a slot. */
interface SlotShare {
  /** Number of the source, from the best on. */
  source: number
  /** For sums: millionths that count. For levels: sum of the readings. */
  amount: number
  /** Number of samples that count. */
  count: number
  /** Smallest and largest reading of a level. */
  min: number
  max: number
}

/** A slot that is being filled. */
export interface Slot {
  key: number
  start: number
  end: number
  /** Offset from UTC in milliseconds at the first sample. */
  offsetMs: number
  /** The earliest and the latest instant with data, whose local times begin and end the slot. */
  first: number
  last: number
  shares: SlotShare[]
}

export type Slots = Map<number, Slot>

/** Range of data to roll up: instants, keys of slots and local days, all half-open. */
export interface RollUpWindow {
  from: number
  to: number
  fromKey: number
  toKey: number
  /** Days since 1970-01-01. */
  fromDay: number
  toDay: number
}

export const EVERYTHING: RollUpWindow = {
  from: Number.NEGATIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
  fromKey: Number.NEGATIVE_INFINITY,
  toKey: Number.POSITIVE_INFINITY,
  fromDay: Number.NEGATIVE_INFINITY,
  toDay: Number.POSITIVE_INFINITY,
}

function isWanted(
  window: RollUpWindow,
  localSlots: LocalSlots,
  instant: number,
  zone: number,
): boolean {
  if (instant < window.from || instant >= window.to) return false
  const day = Math.floor((instant + localSlots.offsetMs(instant, zone)) / DAY_MS)
  if (day < window.fromDay || day >= window.toDay) return false
  const key = localSlots.key(instant, zone)
  return key >= window.fromKey && key < window.toKey
}

function slotOf(slots: Slots, localSlots: LocalSlots, instant: number, zone: number): Slot {
  const key = localSlots.key(instant, zone)
  let slot = slots.get(key)
  if (slot === undefined) {
    slot = {
      key,
      start: localSlots.start(instant, zone),
      end: localSlots.end(instant, zone),
      offsetMs: localSlots.offsetMs(instant, zone),
      first: instant,
      last: instant,
      shares: [],
    }
    slots.set(key, slot)
  } else if (instant < slot.first) {
    slot.first = instant
    slot.start = localSlots.start(instant, zone)
    slot.offsetMs = localSlots.offsetMs(instant, zone)
  } else if (instant > slot.last) {
    slot.last = instant
    slot.end = localSlots.end(instant, zone)
  }
  return slot
}

/** Sources are processed in order, so the share of this one is the last, if there is one. */
function shareOf(slot: Slot, source: number): SlotShare {
  let share = slot.shares.at(-1)
  if (share?.source !== source) {
    share = {
      source,
      amount: 0,
      count: 0,
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
    }
    slot.shares.push(share)
  }
  return share
}

/** A piece of a part of a sample, within one slot. Counted and aside are millionths. */
interface Piece {
  /** Index of the part among the claims. */
  part: number
  slot: Slot
  counted: number
  aside: number
  /** Instants, half-open. */
  from: number
  to: number
  /** Index among the samples of the source. */
  index: number
}

/** Cuts the parts of one source at the ends of slots. Pieces of a part add up to it exactly. */
export function* piecesOf(claims: Claims, options: RollUpOptions): Generator<Piece> {
  const { window, localSlots } = options
  const { startedAt, offset } = claims.samples
  for (let part = 0; part < claims.from.length; part++) {
    const from = elementAt(claims.from, part)
    const to = elementAt(claims.to, part)
    if (from >= window.to || (from === to ? to < window.from : to <= window.from)) continue
    const index = elementAt(claims.sample, part)
    const zone = localSlots.zoneOf(elementAt(startedAt, index), elementAt(offset, index))
    const counted = elementAt(claims.counted, part)
    const aside = elementAt(claims.aside, part)
    const grain = grainOf(counted + aside, options.rule)
    let position = from
    let countedBefore = 0
    let asideBefore = 0
    do {
      const stop = stopOf(localSlots, window, position, to, zone)
      const countedNow = amountBefore(counted, grain, from, to, stop)
      const asideNow = amountBefore(aside, grain, from, to, stop)
      if (isWanted(window, localSlots, position, zone)) {
        const slot = slotOf(options.slots, localSlots, position, zone)
        yield {
          ...{ part, slot, index, from: position, to: stop },
          counted: countedNow - countedBefore,
          aside: asideNow - asideBefore,
        }
      }
      countedBefore = countedNow
      asideBefore = asideNow
      position = stop
    } while (position < to)
  }
}

/** Returns where a piece that begins at a position ends: with its slot, its part or the window. */
function stopOf(
  localSlots: LocalSlots,
  window: RollUpWindow,
  position: number,
  to: number,
  zone: number,
): number {
  // Whatever a zone may do to its local time, a piece is longer than zero.
  const stop = Math.min(to, Math.max(localSlots.end(position, zone), position + 1))
  if (position < window.from && window.from < stop) return window.from
  if (position < window.to && window.to < stop) return window.to
  return stop
}

export interface RollUpOptions {
  rule: MergeRule
  localSlots: LocalSlots
  window: RollUpWindow
  /** Receives the shares; existing slots are added to. */
  slots: Slots
  /** Called with each part of a sample that counts. */
  visit?: ((part: CountedPart) => void) | undefined
}

/** A part of a sample that counts, within one slot. */
export interface CountedPart {
  /** Number of the source, from the best on; index of the sample among its samples. */
  source: number
  index: number
  /** Instants, half-open; those of a reading are the ones of its sample. */
  from: number
  to: number
  /** For sums: millionths that count. For levels: the reading. */
  amount: number
}

/** Pieces and readings between two pauses. */
const STEPS_BETWEEN_PAUSES = 256

/**
 * Adds the counted amounts of each source to the slots.
 * @throws AppError 400 `range_too_large` when the samples overlap in too many parts
 */
export function* rollUpSums(all: readonly Claims[], options: RollUpOptions): Generator<void, void> {
  const limit = createMergeLimit()
  let steps = 0
  for (const [source, claims] of all.entries()) {
    for (const { slot, part, counted, aside, from, to, index } of piecesOf(claims, options)) {
      limit.spendParts(1)
      if (++steps % STEPS_BETWEEN_PAUSES === 0) yield
      if (counted === 0 && (aside > 0 || elementAt(claims.reason, part) >= 0)) continue
      const share = shareOf(slot, source)
      share.amount += counted
      share.count += 1
      options.visit?.({ source, index, from, to, amount: counted })
    }
    if (++steps % STEPS_BETWEEN_PAUSES === 0) yield
  }
}

/** A reading in the window: its index among the samples of its source. */
export interface Reading {
  slot: Slot
  index: number
}

/** Yields the samples of a source in the window and in a requested slot, in their order. */
export function* readingsOf(
  { startedAt, offset }: SourceSamples,
  { localSlots, window, slots }: RollUpOptions,
): Generator<Reading> {
  for (let index = 0; index < startedAt.length; index++) {
    const instant = elementAt(startedAt, index)
    if (instant < window.from || instant >= window.to) continue
    const zone = localSlots.zoneOf(instant, elementAt(offset, index))
    if (isWanted(window, localSlots, instant, zone)) {
      yield { slot: slotOf(slots, localSlots, instant, zone), index }
    }
  }
}

/** Fills slots with the readings of the best source that has any there. */
export function* rollUpLevels(
  sources: readonly SourceSamples[],
  options: RollUpOptions,
): Generator<void, void> {
  let steps = 0
  for (const [source, samples] of sources.entries()) {
    for (const { slot, index } of readingsOf(samples, options)) {
      if (++steps % STEPS_BETWEEN_PAUSES === 0) yield
      const best = slot.shares[0]
      if (best !== undefined && best.source !== source) continue
      addReading(shareOf(slot, source), elementAt(samples.value, index))
      options.visit?.({
        ...{ source, index, amount: elementAt(samples.value, index) },
        ...{ from: elementAt(samples.startedAt, index), to: elementAt(samples.endedAt, index) },
      })
    }
    if (++steps % STEPS_BETWEEN_PAUSES === 0) yield
  }
}

function addReading(share: SlotShare, value: number): void {
  share.amount += value
  share.count += 1
  share.min = Math.min(share.min, value)
  share.max = Math.max(share.max, value)
}

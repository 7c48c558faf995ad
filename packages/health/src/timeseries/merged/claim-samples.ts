import type { MergeRule } from '@salus/contracts/series'
import { CountedTime } from './counted-time.ts'
import { type CoveredInterval, CoveredTime, coverageOf } from './coverage.ts'
import { createMergeLimit } from './merge-limit.ts'
import { elementAt, type SourceSamples } from './source-samples.ts'

/** Amounts are whole numbers of millionths of the unit, so that sums are exact in any order. */
export const MILLIONTHS = 1e6

/** Why a part of a sample does not count. */
export const SET_ASIDE_REASONS = [
  /** A better source covers that time. */
  'lower_priority_source',
  /**
   * It extends beyond the time of a better source by less than the tolerance of clocks and
   * portions.
   */
  'edge_of_better_source',
  /** Better sources have counted that much within the time of the sample. */
  'counted_by_better_source',
] as const
export type SetAsideReason = (typeof SET_ASIDE_REASONS)[number]

/** Sums of parts that were split by time are off by less than this, in millionths. */
const ROUNDING = 0.01

/**
 * A sample that extends beyond covered time by less than this, and by less than half, is the same
 * event.
 */
const EDGE_MS = 60_000

/**
 * The samples of one source, cut into parts that count or not. Columns of equal length; the parts
 * of a sample are consecutive, and their counted and aside amounts add up to its value.
 */
export interface Claims {
  samples: SourceSamples
  /** Index of the sample. */
  sample: number[]
  from: number[]
  /** Equal to `from` for a point. */
  to: number[]
  /** Millionths that count. */
  counted: number[]
  /** Millionths that do not. */
  aside: number[]
  /**
   * Index into SET_ASIDE_REASONS, and number of the source that has the time instead; -1 where all
   * counts.
   */
  reason: number[]
  winner: number[]
}

/** Returns the step in which an amount may be split: whole counts stay whole. */
export function grainOf(amount: number, rule: MergeRule): number {
  return rule.isWhole && amount % MILLIONTHS === 0 ? MILLIONTHS : 1
}

/**
 * Returns the part of an amount, spread evenly over [from, to), before an instant. A multiple of
 * the grain, so that parts between any instants add up to the amount exactly.
 */
export function amountBefore(
  amount: number,
  grain: number,
  from: number,
  to: number,
  instant: number,
): number {
  if (instant >= to) return amount
  if (instant <= from) return 0
  return Math.round((amount / grain) * ((instant - from) / (to - from))) * grain
}

const LOWER = 0
const EDGE = 1
const COUNTED_ELSEWHERE = 2

/** Samples and intervals between two pauses. */
const STEPS_BETWEEN_PAUSES = 256

/** Time and amounts of better sources, while later ones are processed. */
interface BetterSources {
  covered: CoveredTime
  counted: CountedTime
}

/**
 * Decides which samples of every source count, so that each instant counts once: that of the best
 * source with data. A lower one fills the time that no better one covers, in proportion to it, but
 * never so that more than its own value counts within the time of a sample.
 * @param sources From the best to the last.
 * @param keepsWinners Whether each part that does not count names the source that has its time.
 *   Otherwise time that several better sources cover is one part, under the name of one of them.
 * @throws AppError 400 `range_too_large` when the samples overlap in too many parts
 */
export function* claimSamples(
  sources: readonly SourceSamples[],
  rule: MergeRule,
  keepsWinners: boolean,
): Generator<void, Claims[]> {
  const covered = new CoveredTime({ keepsSources: keepsWinners })
  // With one source everything counts, so counted time is not needed.
  const better = { covered, counted: new CountedTime(sources.length > 1 ? sources : []) }
  const limit = createMergeLimit()
  const all: Claims[] = []
  let steps = 0
  for (const [number, samples] of sources.entries()) {
    const claims = emptyClaims(samples)
    all.push(claims)
    for (let index = 0; index < samples.startedAt.length; index++) {
      const before = claims.from.length
      claimSample(claims, index, rule, better)
      limit.spendParts(claims.from.length - before)
      if (++steps % STEPS_BETWEEN_PAUSES === 0) yield
    }
    if (number === sources.length - 1) break
    for (let part = 0; part < claims.from.length; part++) {
      const counted = elementAt(claims.counted, part)
      if (counted > 0)
        better.counted.add(elementAt(claims.from, part), elementAt(claims.to, part), counted)
      if (++steps % STEPS_BETWEEN_PAUSES === 0) yield
    }
    for (const stretch of coverageOf(samples, number, rule.coverageGapMs)) {
      covered.add(stretch)
      if (++steps % STEPS_BETWEEN_PAUSES === 0) yield
    }
  }
  return all
}

function emptyClaims(samples: SourceSamples): Claims {
  const columns = { sample: [], from: [], to: [], counted: [], aside: [] }
  return { samples, ...columns, reason: [], winner: [] }
}

/** A part of one sample before its amounts are decided. */
interface Part {
  from: number
  to: number
  amount: number
  /** Reason and winner where better sources have the time, otherwise -1. */
  reason: number
  winner: number
}

function pushPart(claims: Claims, sample: number, part: Part, counted: number): void {
  claims.sample.push(sample)
  claims.from.push(part.from)
  claims.to.push(part.to)
  claims.counted.push(counted)
  claims.aside.push(part.amount - counted)
  claims.reason.push(part.reason)
  claims.winner.push(part.winner)
}

function claimSample(
  claims: Claims,
  index: number,
  rule: MergeRule,
  { covered, counted }: BetterSources,
): void {
  const from = elementAt(claims.samples.startedAt, index)
  const to = elementAt(claims.samples.endedAt, index)
  const amount = Math.round(elementAt(claims.samples.value, index) * MILLIONTHS)
  const whole: Part = { from, to, amount, reason: -1, winner: -1 }
  // A point is compared within the tolerance of clocks and portions.
  const reach = from === to ? EDGE_MS : 0
  const touching = covered.intervalsTouching(from - reach, to + reach)
  const first = touching.next()
  if (first.done) {
    pushPart(claims, index, whole, amount)
    return
  }
  const winner = first.value.source
  if (from === to) {
    pushPart(claims, index, { ...whole, reason: LOWER, winner }, 0)
    return
  }
  const grain = grainOf(amount, rule)
  const parts = cutSample(whole, grain, [first.value, ...touching])
  setEdgesAside(parts, whole)
  const free = parts.reduce((sum, part) => (part.reason < 0 ? sum + part.amount : sum), 0)
  const most = free === 0 ? 0 : amount - counted.amountWithin(from, to)
  const allowed = Math.max(0, Math.floor((most + ROUNDING) / grain) * grain)
  pushParts(claims, index, parts, { free, allowed, grain, winner })
}

/** Adds the parts of one sample; the free ones together count up to the allowed amount. */
function pushParts(
  claims: Claims,
  index: number,
  parts: readonly Part[],
  limit: { free: number; allowed: number; grain: number; winner: number },
): void {
  const { free, allowed, grain } = limit
  let passed = 0
  let countedSoFar = 0
  for (const part of parts) {
    if (part.reason >= 0) {
      pushPart(claims, index, part, 0)
    } else if (free <= allowed) {
      pushPart(claims, index, part, part.amount)
    } else {
      passed += part.amount
      const upToHere = amountBefore(allowed, grain, 0, free, passed)
      const counted = upToHere - countedSoFar
      countedSoFar = upToHere
      pushPart(claims, index, { ...part, reason: COUNTED_ELSEWHERE, winner: limit.winner }, counted)
    }
  }
}

/** Cuts a sample into the parts that better sources cover and those that none does. */
function cutSample(whole: Part, grain: number, covered: readonly CoveredInterval[]): Part[] {
  const parts: Part[] = []
  let position = whole.from
  let before = 0
  const add = (end: number, reason: number, winner: number): void => {
    if (end <= position) return
    const upToHere = amountBefore(whole.amount, grain, whole.from, whole.to, end)
    parts.push({ from: position, to: end, amount: upToHere - before, reason, winner })
    position = end
    before = upToHere
  }
  for (const stretch of covered) {
    add(Math.min(stretch.from, whole.to), -1, -1)
    add(Math.min(stretch.to, whole.to), LOWER, stretch.source)
  }
  add(whole.to, -1, -1)
  return parts
}

/** Sets aside free parts next to covered ones that are too short to be another event. */
function setEdgesAside(parts: readonly Part[], whole: Part): void {
  const shortest = Math.min(EDGE_MS, (whole.to - whole.from) / 2)
  for (const [index, part] of parts.entries()) {
    if (part.reason >= 0 || part.to - part.from >= shortest) continue
    const neighbor = parts[index - 1] ?? parts[index + 1]
    if (neighbor === undefined) continue
    part.reason = EDGE
    part.winner = neighbor.winner
  }
}

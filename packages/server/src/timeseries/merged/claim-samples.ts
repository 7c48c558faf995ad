import {
  type Coverage,
  coverageOf,
  firstEndingFrom,
  joinCoverage,
  NO_COVERAGE,
} from './coverage.ts'
import type { MergeRule } from './merge-rules.registry.ts'
import { at, type SourceSamples } from './source-samples.ts'

/** Amounts are whole numbers of millionths of the unit, so that sums are exact in any order. */
export const MILLIONTHS = 1e6

/** Why a part of a sample does not count. */
export const SET_ASIDE_REASONS = [
  /** A better source covers that time. */
  'lower_priority_source',
  /** It sticks out of the time of a better source by less than clocks and portions differ. */
  'edge_of_better_source',
  /** Better sources have counted that much within the time of the sample. */
  'counted_by_better_source',
] as const
export type SetAsideReason = (typeof SET_ASIDE_REASONS)[number]

/** A sample that sticks out of covered time by less than this, and by less than half, is the same event. */
const EDGE_MS = 60_000

/**
 * The samples of one source, cut where their fate changes. Columns of one length; the parts of a
 * sample follow each other, and their counted and aside amounts add up to its value.
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
  /** Index into SET_ASIDE_REASONS, and number of the source that has the time instead; -1 where all counts. */
  reason: number[]
  winner: number[]
  /** The latest `to` of all parts up to this one. */
  latest: number[]
}

/** The step in which an amount may be split: whole counts stay whole. */
export function grainOf(amount: number, rule: MergeRule): number {
  return rule.isWhole && amount % MILLIONTHS === 0 ? MILLIONTHS : 1
}

/**
 * The part of an amount, spread evenly over [from, to), that lies before an instant. A multiple of
 * the grain, so the parts between any instants add up to the amount exactly.
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

/**
 * Decides for the samples of every source what counts, so that each instant counts once: that of the
 * best source that was there. A lower one fills the time that no better one covers, in proportion to
 * it, and never so much that more than its own value counts within the time of a sample.
 * @param sources From the best to the last.
 */
export function claimSamples(sources: readonly SourceSamples[], rule: MergeRule): Claims[] {
  let covered = NO_COVERAGE
  const all: Claims[] = []
  for (const [number, samples] of sources.entries()) {
    const claims = emptyClaims(samples)
    for (let index = 0; index < samples.startedAt.length; index++) {
      claimSample(claims, index, rule, covered, all)
    }
    all.push(claims)
    if (number === sources.length - 1) break
    covered = joinCoverage(covered, coverageOf(samples, number, rule.coverageGapMs))
  }
  return all
}

function emptyClaims(samples: SourceSamples): Claims {
  const columns = { sample: [], from: [], to: [], counted: [], aside: [], latest: [] }
  return { samples, ...columns, reason: [], winner: [] }
}

/** A part of one sample before it is known what of it counts. */
interface Part {
  from: number
  to: number
  amount: number
  /** Reason and winner where better sources have the time, else -1. */
  reason: number
  winner: number
}

function push(claims: Claims, sample: number, part: Part, counted: number): void {
  const last = claims.latest.length - 1
  claims.sample.push(sample)
  claims.from.push(part.from)
  claims.to.push(part.to)
  claims.counted.push(counted)
  claims.aside.push(part.amount - counted)
  claims.reason.push(part.reason)
  claims.winner.push(part.winner)
  claims.latest.push(last < 0 ? part.to : Math.max(at(claims.latest, last), part.to))
}

function claimSample(
  claims: Claims,
  index: number,
  rule: MergeRule,
  covered: Coverage,
  better: readonly Claims[],
): void {
  const from = at(claims.samples.startedAt, index)
  const to = at(claims.samples.endedAt, index)
  const amount = Math.round(at(claims.samples.value, index) * MILLIONTHS)
  const whole: Part = { from, to, amount, reason: -1, winner: -1 }
  // A point is as near as clocks and portions differ.
  const reach = from === to ? EDGE_MS : 0
  const first = firstEndingFrom(covered, from - reach)
  if (first >= covered.from.length || at(covered.from, first) > to + reach) {
    push(claims, index, whole, amount)
    return
  }
  if (from === to) {
    push(claims, index, { ...whole, reason: LOWER, winner: at(covered.source, first) }, 0)
    return
  }
  const grain = grainOf(amount, rule)
  const parts = cutSample(whole, grain, covered, first)
  setEdgesAside(parts, whole)
  const free = parts.reduce((sum, part) => (part.reason < 0 ? sum + part.amount : sum), 0)
  const most = amount - countedWithin(better, from, to)
  const allowed = Math.max(0, Math.floor(most / grain) * grain)
  pushParts(claims, index, parts, { free, allowed, grain, winner: at(covered.source, first) })
}

/** Adds the parts of one sample; of the free ones together no more than what is allowed counts. */
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
      push(claims, index, part, 0)
    } else if (free <= allowed) {
      push(claims, index, part, part.amount)
    } else {
      passed += part.amount
      const upToHere = amountBefore(allowed, grain, 0, free, passed)
      const counted = upToHere - countedSoFar
      countedSoFar = upToHere
      push(claims, index, { ...part, reason: COUNTED_ELSEWHERE, winner: limit.winner }, counted)
    }
  }
}

/** Cuts a sample into the parts that better sources cover and those that none does. */
function cutSample(whole: Part, grain: number, covered: Coverage, first: number): Part[] {
  const parts: Part[] = []
  let position = whole.from
  const add = (end: number, reason: number, winner: number): void => {
    if (end <= position) return
    const before = amountBefore(whole.amount, grain, whole.from, whole.to, position)
    const amount = amountBefore(whole.amount, grain, whole.from, whole.to, end) - before
    parts.push({ from: position, to: end, amount, reason, winner })
    position = end
  }
  for (let index = first; index < covered.from.length; index++) {
    const from = at(covered.from, index)
    if (from >= whole.to) break
    add(Math.min(from, whole.to), -1, -1)
    add(Math.min(at(covered.to, index), whole.to), LOWER, at(covered.source, index))
  }
  add(whole.to, -1, -1)
  return parts
}

/** Free parts next to covered ones, too short to be anything else than the same event. */
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

/** Millionths that better sources count within a stretch of time. */
function countedWithin(better: readonly Claims[], from: number, to: number): number {
  let sum = 0
  for (const claims of better) {
    for (let index = firstReaching(claims, from); index < claims.from.length; index++) {
      const start = at(claims.from, index)
      if (start >= to) break
      const end = at(claims.to, index)
      const amount = at(claims.counted, index)
      if (start === end) sum += start >= from ? amount : 0
      else if (end > from) {
        sum += (amount * (Math.min(end, to) - Math.max(start, from))) / (end - start)
      }
    }
  }
  return sum
}

/** The first part at or before which no part ends later than the instant. */
function firstReaching(claims: Claims, instant: number): number {
  let low = 0
  let high = claims.latest.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(claims.latest, middle) < instant) low = middle + 1
    else high = middle
  }
  return low
}

import { MINUTE_MS } from '@salus/contracts/time-units'
import type { SeededRandom } from '../queries/seeded-random.ts'

/**
 * The merge of docs/decisions/0017-merging-sources.md once more, minute by minute and without any
 * part of the application: slow, and short enough to be checked by eye. For counts whose samples
 * begin and end with whole minutes.
 */

/** How far apart two samples of a source may be that is taken to have been there in between. */
const GAP_MINUTES = 8

export interface PlainSource {
  provider: string
  sourceType: string
}

export interface PlainSample extends PlainSource {
  /** Minutes since 1970, the end not included. */
  from: number
  to: number
  value: number
  /** Seconds east of UTC; null for one that does not say where it was made. */
  offset: number | null
}

interface Part {
  from: number
  to: number
  /** Whole counts. */
  amount: number
  isFree: boolean
}

/** Whole counts of an amount spread over minutes, up to a minute. */
const upTo = (amount: number, from: number, to: number, minute: number): number =>
  minute >= to ? amount : Math.round(amount * ((minute - from) / (to - from)))

/** A sample cut where better sources begin and end to be there. */
function cut(sample: PlainSample, covered: ReadonlySet<number>): Part[] {
  const parts: Part[] = []
  let start = sample.from
  for (let minute = sample.from + 1; minute <= sample.to; minute++) {
    const isSame = minute < sample.to && covered.has(minute) === covered.has(minute - 1)
    if (isSame) continue
    const { from, to, value } = sample
    const amount = upTo(value, from, to, minute) - upTo(value, from, to, start)
    parts.push({ from: start, to: minute, amount, isFree: !covered.has(start) })
    start = minute
  }
  return parts
}

/** What of the free parts counts, when all of it together would be more than the sample. */
function countedOf(parts: readonly Part[], most: number): Part[] {
  const free = parts.filter(({ isFree }) => isFree)
  const total = free.reduce((sum, { amount }) => sum + amount, 0)
  const allowed = Math.max(0, Math.floor(most + 1e-6))
  if (total <= allowed) return free
  let passed = 0
  return free.map((part) => {
    const before = Math.round(allowed * (passed / total))
    passed += part.amount
    const after = passed >= total ? allowed : Math.round(allowed * (passed / total))
    return { ...part, amount: after - before }
  })
}

/** The minutes in which a source was there. */
function presenceOf(samples: readonly PlainSample[]): Set<number> {
  const minutes = new Set<number>()
  let end = Number.NEGATIVE_INFINITY
  for (const { from, to, value } of samples) {
    if (value === 0) continue
    for (let minute = from - end <= GAP_MINUTES ? end : from; minute < to; minute++) {
      minutes.add(minute)
    }
    end = Math.max(end, to)
  }
  return minutes
}

/**
 * Counts by local day (YYYY-MM-DD) and source.
 * @param order All sources, from the best to the last.
 * @param zone IANA zone of samples without an offset.
 */
export function mergePlainly(
  samples: readonly PlainSample[],
  order: readonly PlainSource[],
  zone: string,
): Map<string, number> {
  const covered = new Set<number>()
  const perMinute = new Map<number, number>()
  const days = new Map<string, number>()
  for (const source of order) {
    const own = samples
      .filter((one) => one.provider === source.provider && one.sourceType === source.sourceType)
      .toSorted((a, b) => a.from - b.from || a.to - b.to || a.value - b.value)
    const counted = own.flatMap((sample) => {
      let better = 0
      for (let minute = sample.from; minute < sample.to; minute++) {
        better += perMinute.get(minute) ?? 0
      }
      return countedOf(cut(sample, covered), sample.value - better).map((part) => ({
        sample,
        part,
      }))
    })
    for (const { sample, part } of counted) {
      addDays(days, sample, part, zone)
      for (let minute = part.from; minute < part.to; minute++) {
        const rate = part.amount / (part.to - part.from)
        perMinute.set(minute, (perMinute.get(minute) ?? 0) + rate)
      }
    }
    for (const minute of presenceOf(own)) covered.add(minute)
  }
  return days
}

function addDays(days: Map<string, number>, sample: PlainSample, part: Part, zone: string): void {
  let start = part.from
  for (let minute = part.from + 1; minute <= part.to; minute++) {
    const day = dayOf(sample, minute - 1, zone)
    if (minute < part.to && dayOf(sample, minute, zone) === day) continue
    const { from, to, amount } = part
    const now = upTo(amount, from, to, minute) - upTo(amount, from, to, start)
    days.set(day, (days.get(day) ?? 0) + now)
    start = minute
  }
}

/**
 * The local day of a minute of a sample. One made at the offset of the zone is in the zone, also
 * when that changes.
 */
function dayOf({ from, offset }: PlainSample, minute: number, zone: string): string {
  const isInZone = offset === null || offset === offsetOf(zone, from)
  const seconds = isInZone ? offsetOf(zone, minute) : offset
  return new Date(minute * MINUTE_MS + seconds * 1000).toISOString().slice(0, 10)
}

const offsets = new Map<string, number>()

/** Seconds east of UTC. They only change with the hour, or its quarters. */
function offsetOf(zone: string, minute: number): number {
  const key = `${zone} ${Math.floor(minute / 15)}`
  let found = offsets.get(key)
  if (found === undefined) {
    const instant = Math.floor(minute / 15) * 15 * MINUTE_MS
    const local = new Date(instant).toLocaleString('sv-SE', { timeZone: zone })
    found = (Date.parse(`${local.replace(' ', 'T')}Z`) - instant) / 1000
    offsets.set(key, found)
  }
  return found
}

export const PLAIN_SOURCES: readonly PlainSource[] = [
  { provider: 'garmin', sourceType: 'watch' },
  { provider: 'apple_health_kit', sourceType: 'watch' },
  { provider: 'apple_health_kit', sourceType: 'phone' },
  { provider: 'oura', sourceType: 'ring' },
  { provider: 'fitbit', sourceType: 'app' },
]

/** Days in which local time jumps, and days in which it does not. */
const ZONES_OF_DAYS = [
  { zone: 'America/Los_Angeles', firstDay: '2026-03-05', away: -18_000 },
  { zone: 'Europe/Vienna', firstDay: '2026-03-26', away: 19_800 },
  { zone: 'America/New_York', firstDay: '2025-10-29', away: 0 },
  { zone: 'Asia/Kolkata', firstDay: '2026-01-29', away: 32_400 },
  { zone: 'UTC', firstDay: '2026-02-25', away: -36_000 },
] as const

export interface PlainPerson {
  zone: string
  /** The first of seven days that are looked at; samples begin before and end after them. */
  firstDay: string
  samples: PlainSample[]
}

/** A person with some sources who carries and wears them as it comes, and may travel. */
export function makePlainPerson(random: SeededRandom): PlainPerson {
  const { zone, firstDay, away } = random.pick(ZONES_OF_DAYS)
  const begin = Date.parse(`${firstDay}T00:00:00Z`) / MINUTE_MS - 24 * 60
  const sources = PLAIN_SOURCES.filter(() => random.chance(0.7))
  const samples = sources.flatMap((source): PlainSample[] => {
    const isWearable = source.sourceType === 'watch' || source.sourceType === 'ring'
    return Array.from({ length: 10 + random.below(50) }, () => {
      const length = isWearable ? 1 + random.below(60) : 1 + random.below(random.pick([90, 1_300]))
      const from = begin + random.below(9 * 24 * 60)
      const offset = random.chance(0.6) ? null : random.chance(0.5) ? away : offsetOf(zone, from)
      const value = random.chance(0.1) ? 0 : random.below(40 * length)
      return { ...source, from, to: from + length, value, offset }
    })
  })
  // Two samples of one source that begin at the same time are one sample.
  const byKey = new Map(
    samples.map((one) => [`${one.provider} ${one.sourceType} ${one.from}`, one]),
  )
  return { zone, firstDay, samples: [...byKey.values()] }
}

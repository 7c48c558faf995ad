import {
  type Quantity,
  type ReferenceInterval,
  roundAs,
  roundTo,
} from '../analytes/reference-interval.ts'
import type { SeededRandom } from '../seeded-random.ts'

/** How far outside of its interval a value has to be. */
export type Level = 'abnormal' | 'critical'

/** Bounds between which healthy people are sampled; slightly inside the interval. */
function innerBounds(quantity: Quantity, { low, high }: ReferenceInterval): [number, number] {
  if (low !== null && high !== null) {
    if (quantity.isSkewed === true && low > 0) {
      const margin = (high / low) ** 0.06
      return [low * margin, high / margin]
    }
    const margin = 0.06 * (high - low)
    return [low + margin, high - margin]
  }
  if (high !== null) return [0, 0.94 * high]
  return [1.04 * (low ?? 0), 3 * (low ?? 1)]
}

/** Typical values of adults do not apply to people whose interval is so far above them. */
const LEAST_TYPICAL_SHARE = 0.04

/**
 * Returns center and spread of healthy people: the typical values where they are inside, else the
 * middle. The spread of skewed quantities is one of logarithms, whatever the interval.
 */
function spreadOf(quantity: Quantity, low: number, high: number): [number, number] {
  const { typical } = quantity
  const isTypical =
    typical !== undefined &&
    typical[0] >= low &&
    typical[0] <= high &&
    (low > 0 || high === Number.POSITIVE_INFINITY || typical[0] >= LEAST_TYPICAL_SHARE * high)
  if (isTypical) return [typical[0], typical[1]]
  if (quantity.isSkewed !== true) return [(low + high) / 2, (high - low) / 5]
  if (low > 0) return [Math.sqrt(low * high), Math.min(0.35, Math.log(high / low) / 5)]
  return [0.55 * high, 0.25]
}

/**
 * Samples a value of a healthy person, not rounded. The wider it is sampled (0 to 1), the farther
 * from the center it may be.
 */
export function sampleInside(
  quantity: Quantity,
  interval: ReferenceInterval | undefined,
  random: SeededRandom,
  width: number,
): number {
  const [low, high] = interval ? innerBounds(quantity, interval) : [0, Number.POSITIVE_INFINITY]
  const [centre, spread] = spreadOf(quantity, low, high)
  let deviation = Math.max(-2, Math.min(2, random.normal())) * width
  for (let step = 0; step < 6; step += 1) {
    const value =
      quantity.isSkewed === true
        ? centre * Math.exp(spread * deviation)
        : centre + spread * deviation
    if (value >= low && value <= high) return value
    deviation /= 2
  }
  return centre
}

/** Returns the bound to cross: the one that exists, the usual one, or either. */
function sideFor(
  quantity: Quantity,
  { low, high }: ReferenceInterval,
  level: Level,
  random: SeededRandom,
): 'low' | 'high' {
  const step = 10 ** -quantity.decimals
  const canBeLow = low !== null && low - step > 0
  const canBeHigh = high !== null && !(quantity.unit === '%' && high >= 98 && high <= 100)
  if (!canBeLow || !canBeHigh) return canBeLow ? 'low' : 'high'
  const [criticalLow = null, criticalHigh = null] = quantity.critical ?? []
  if (level === 'critical' && (criticalLow === null) !== (criticalHigh === null)) {
    return criticalLow === null ? 'high' : 'low'
  }
  const side = quantity.abnormalSide ?? (quantity.isSkewed === true ? 'high' : 'either')
  if (side !== 'either') return side
  return random.next() < 0.6 ? 'high' : 'low'
}

/** Returns a value above the interval: beyond the critical limit, or clearly before it. */
function above(
  { low, high }: ReferenceInterval,
  limit: number | null,
  level: Level,
  random: SeededRandom,
  isSkewed: boolean,
): number {
  const top = high ?? 0
  // Quantities that spread over orders of magnitude deviate by factors.
  if (isSkewed && limit === null) {
    return top * (level === 'critical' ? random.between(3, 6) : random.between(1.15, 1.9))
  }
  const width = top - (low ?? 0)
  if (level === 'critical') {
    return limit === null
      ? top + width * random.between(0.45, 0.75)
      : limit * random.between(1.03, 1.15)
  }
  const value = top + width * random.between(0.06, 0.35)
  return limit === null ? value : Math.min(value, top + (limit - top) * 0.8)
}

/** Returns a value below the interval, never near 0 where that is impossible. */
function below(
  { low, high }: ReferenceInterval,
  limit: number | null,
  level: Level,
  random: SeededRandom,
): number {
  const bottom = low ?? 0
  const width = Math.min(bottom, high === null ? bottom / 2 : high - bottom)
  if (level === 'critical') {
    return limit === null
      ? bottom - width * random.between(0.45, 0.6)
      : limit * random.between(0.8, 0.96)
  }
  const value = bottom - width * random.between(0.06, 0.35)
  return limit === null ? value : Math.max(value, bottom - (bottom - limit) * 0.8)
}

/** Samples a value outside of the interval, rounded as it will be printed. */
export function sampleOutside(
  quantity: Quantity,
  interval: ReferenceInterval,
  level: Level,
  random: SeededRandom,
): number {
  const { decimals, unit } = quantity
  const isHigh = sideFor(quantity, interval, level, random) === 'high'
  const limit = quantity.critical?.[isHigh ? 1 : 0] ?? null
  const bound = (isHigh ? interval.high : interval.low) ?? 0
  const isSkewed = quantity.isSkewed === true
  const sampled = (isHigh ? above : below)(interval, limit, level, random, isSkewed)
  // A percentage is never 100.
  const value = roundAs(quantity, unit === '%' && bound < 97 ? Math.min(97, sampled) : sampled)
  const edge = level === 'critical' && limit !== null ? limit : bound
  const direction = isHigh ? 1 : -1
  if (direction * (value - edge) > 0) return value
  return roundTo(edge + direction * (quantity.step ?? 10 ** -decimals), decimals)
}

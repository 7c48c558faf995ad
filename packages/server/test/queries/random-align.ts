import type { WireCarry, WirePeriod } from './reference/wire-query.ts'
import type { SeededRandom } from './seeded-random.ts'

/** A way to carry values over buckets of a length, with a cap no shorter than the bucket. */
export function randomCarry(random: SeededRandom, bucket: WirePeriod): WireCarry {
  const mode = random.pick(['carry_forward', 'carry_backward', 'carry_nearest'] as const)
  const cap = random.pick([undefined, null, randomCap(random, bucket), randomCap(random, bucket)])
  if (mode === 'carry_nearest') return cap === undefined ? { mode } : { mode, span: cap }
  return cap === undefined ? { mode } : { mode, max_age: cap }
}

/** The bucket a few times, or as many days as it surely has. */
function randomCap(random: SeededRandom, { unit, value = 1 }: WirePeriod): WirePeriod {
  if (random.chance(0.7)) return { unit, value: value * (1 + random.below(4)) }
  const mostDays = { minute: 1, hour: 1, day: 1, week: 7, month: 31, year: 366 }[unit] * value
  return { unit: 'day', value: mostDays + random.below(10) }
}

/**
 * Sums of Float64 that are the same in any order of rows, parts, threads and shards: each value is
 * cut into three whole multiples of a step, whose sums have no rounding
 * (docs/decisions/0127-sums-in-any-order.md).
 */

/** Adding and subtracting 1.5 · 2^52 steps rounds to a multiple of the step. */
const roundTo = (number: string, step: number): string =>
  `(${number} + ${1.5 * 2 ** 52 * step}) - ${1.5 * 2 ** 52 * step}`

const MIDDLE_STEP = 2 ** -31
const LEAST_STEP = 2 ** -62

/**
 * Returns SQL of the sum of a Float64, rounded once; null without values. Values count to a
 * multiple of 2^-62. It is exact up to a total of 2^53 and 2^23 rows a group, then it rounds.
 * @param name A name that no other expression of the statement has.
 */
export function exactSumSql(value: string, name: string): string {
  const high = `sum(${roundTo(`(${value} as ${name}_value)`, 1)} as ${name}_whole)`
  const rest = `(${name}_value - ${name}_whole as ${name}_rest)`
  const middle = `sum(${roundTo(rest, MIDDLE_STEP)} as ${name}_part)`
  const low = `sum(${roundTo(`(${name}_rest - ${name}_part)`, LEAST_STEP)})`
  // The rounding of the first addition is known exactly, since the high sum has whole steps.
  const total = `((${high} as ${name}_high) + (${middle} as ${name}_middle) as ${name}_total)`
  return `(${total} + ((${name}_middle - (${name}_total - ${name}_high)) + ${low}))`
}

/** Returns SQL of the mean: the sum, divided by the number of values. */
export function exactMeanSql(value: string, name: string): string {
  return `(${exactSumSql(value, name)} / count(${name}_value))`
}

/** Values up to this size have exact squares. */
const MOST_SQUARED = 2 ** 40
const HIGH_BITS = 10
const LOW_BITS = 44

/**
 * Returns SQL of the standard deviation of a sample, null for fewer than two values and where one
 * is beyond 2^40. It is computed from exact sums of squares of values to a multiple of 2^-54.
 * @param name A name that no other expression of the statement has.
 */
export function exactDeviationSql(value: string, name: string): string {
  const scaled = `((${value} as ${name}_value) * ${2 ** HIGH_BITS} as ${name}_scaled)`
  const high = `(toInt64(round(${scaled}) as ${name}_whole) as ${name}_high)`
  const low = `(toInt64((${name}_scaled - ${name}_whole) * ${2 ** LOW_BITS}) as ${name}_low)`
  const shifted = (number: string): string => `toInt256(${number}) * ${2 ** LOW_BITS}`
  const sum = `(${shifted(`sum(toInt128(${high}) as ${name}_wide)`)}
    + sum(toInt128(${low}) as ${name}_narrow) as ${name}_sum)`
  const squares = `((${shifted(`sum(${name}_wide * ${name}_high)`)}
    + 2 * sum(${name}_wide * ${name}_low)) * ${2 ** LOW_BITS} + sum(${name}_narrow * ${name}_low))`
  const count = `(toInt64(count(${name}_value)) as ${name}_count)`
  const spread = `toFloat64(${squares} * ${count} - (${sum}) * ${name}_sum)`
  const variance = `${spread} / nullIf(${name}_count * (${name}_count - 1), 0)`
  const deviation = `sqrt(${variance}) / ${2 ** (HIGH_BITS + LOW_BITS)}`
  return `if(max(abs(${name}_value)) > ${MOST_SQUARED}, null, ${deviation})`
}

import type { ReportedResult } from '@salus/contracts/lab-gateway'
import { type Person, type Quantity, roundTo } from '../analytes/reference-interval.ts'
import { scaleBetween } from '../analytes/unit-scale.ts'
import { isCellCount, LATENTS, RELATIONS } from '../values/relations.ts'
import { quantityOf, type Slot } from './slots.ts'

/** A number of a report: its position, and its value in the unit of the registry. */
interface Known {
  index: number
  quantity: Quantity
  scale: number
  value: number
}

function analyteAt(
  result: ReportedResult | undefined,
  slots: readonly Slot[],
): Quantity | undefined {
  const slot = slots.find(({ expected }) => expected.name === result?.name)
  return slot && quantityOf(slot)
}

function isReportedTwice(
  analyte: string,
  results: readonly ReportedResult[],
  slots: readonly Slot[],
): boolean {
  return results.filter((result) => analyteAt(result, slots)?.analyte === analyte).length > 1
}

function readValues(
  results: readonly ReportedResult[],
  slots: readonly Slot[],
): Map<string, Known> {
  const values = new Map<string, Known>()
  for (const [index, reported] of results.entries()) {
    const { type, result, unit } = reported
    const quantity = analyteAt(reported, slots)
    if (quantity === undefined || type !== 'numeric') continue
    const scale = unit === null ? 1 : (scaleBetween(quantity.unit, unit) ?? 1)
    const value = roundTo(Number(result) / scale, quantity.decimals)
    values.set(quantity.analyte, { index, quantity, scale, value })
  }
  return values
}

/** Whether a result may have another number without its flag becoming wrong. */
function keepsFlag({ flag, min_range_value, max_range_value }: ReportedResult, value: number) {
  const isLow = min_range_value !== null && value <= min_range_value
  const isHigh = max_range_value !== null && value >= max_range_value
  if (flag === null) return true
  return flag.startsWith('L') ? isLow : flag.startsWith('H') ? isHigh : !isLow && !isHigh
}

/**
 * Returns the results after the one at `index` was changed: numbers that a reader can calculate
 * from it are calculated again. Undefined when that undoes the change, or makes a flag wrong.
 */
export function recalculate(
  changed: readonly ReportedResult[],
  index: number,
  slots: readonly Slot[],
  person: Person,
): ReportedResult[] | undefined {
  const values = readValues(changed, slots)
  const { analyte } = analyteAt(changed[index], slots) ?? {}
  // A quantity that is reported under two codes would then have two values.
  if (analyte !== undefined && isReportedTwice(analyte, changed, slots)) return undefined
  const results = [...changed]
  const amountOf = (part: string): number => values.get(part)?.value ?? Number.NaN
  const touched = new Set(
    [...values].flatMap(([name, known]) => (known.index === index ? name : [])),
  )
  // Quantities calculated from calculated ones come after them, whatever the order of the registry.
  for (let pass = 0; pass < 3; pass += 1) {
    for (const [calculated, { from, compute }] of RELATIONS) {
      const known = values.get(calculated)
      if (known === undefined || !from.some((part) => touched.has(part))) continue
      // Percentages and counts of cells depend on values that are never printed.
      if (isCellCount(calculated)) return undefined
      if (from.some((part) => LATENTS.has(part) || !values.has(part))) continue
      const { quantity, scale } = known
      const value = roundTo(compute(amountOf, person), quantity.decimals)
      const result = results[known.index]
      if (Number.isNaN(value) || value === known.value || result === undefined) continue
      const decimals = result.result.split('.')[1]?.length ?? 0
      const text = (value * scale).toFixed(decimals)
      const isTwice = isReportedTwice(calculated, changed, slots)
      if (isTwice || known.index === index || !keepsFlag(result, Number(text))) return undefined
      results[known.index] = { ...result, result: text }
      values.set(calculated, { ...known, value })
      touched.add(calculated)
    }
  }
  return isUndone(values, index, person) ? undefined : results
}

/** True when the changed number does not follow from the others. */
function isUndone(values: ReadonlyMap<string, Known>, index: number, person: Person): boolean {
  const own = [...values].find(([, known]) => known.index === index)
  if (own === undefined) return false
  const [name, { value, quantity }] = own
  const relation = RELATIONS.get(name)
  if (relation === undefined) return false
  if (isCellCount(name)) return true
  if (relation.from.some((part) => !values.has(part))) return false
  const amountOf = (part: string): number => values.get(part)?.value ?? Number.NaN
  const right = roundTo(relation.compute(amountOf, person), quantity.decimals)
  return !Number.isNaN(right) && right !== value
}

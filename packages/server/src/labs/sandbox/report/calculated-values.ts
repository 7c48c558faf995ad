import type { ReportedResult } from '../../lab-report.ts'
import type { Person } from '../analytes/reference-interval.ts'
import { roundTo } from '../analytes/reference-interval.ts'
import { scaleBetween } from '../analytes/unit-scale.ts'
import { isCellCount, LATENTS, RELATIONS } from '../values/relations.ts'
import { quantityOf, type Slot } from './slots.ts'

/** Numbers of a report by our own names of what they are of, in the units of the registry. */
function readValues(
  results: readonly ReportedResult[],
  slots: readonly Slot[],
): ReadonlyMap<string, { value: number; decimals: number }> {
  const values = new Map<string, { value: number; decimals: number }>()
  for (const { name, type, result, unit } of results) {
    const quantity = slots
      .map((slot) => (slot.expected.name === name ? quantityOf(slot) : undefined))
      .find(Boolean)
    if (quantity === undefined || type !== 'numeric') continue
    const scale = unit === null ? 1 : (scaleBetween(quantity.unit, unit) ?? 1)
    const { analyte, decimals } = quantity
    values.set(analyte, { value: roundTo(Number(result) / scale, decimals), decimals })
  }
  return values
}

/**
 * Whether calculated values of a report still are what they are calculated from, as far as a reader can
 * check it: after a change of the result of this name.
 */
export function staysCalculated(
  changed: readonly ReportedResult[],
  name: string,
  slots: readonly Slot[],
  person: Person,
): boolean {
  const values = readValues(changed, slots)
  const slot = slots.find(({ expected }) => expected.name === name)
  const analyte = (slot && quantityOf(slot)?.analyte) ?? ''
  const amountOf = (part: string): number => values.get(part)?.value ?? Number.NaN
  for (const [calculated, { from, compute }] of RELATIONS) {
    const known = values.get(calculated)
    if (known === undefined || (calculated !== analyte && !from.includes(analyte))) continue
    // Shares and counts of cells hang together by what is never printed.
    if (isCellCount(calculated)) return false
    if (from.some((part) => LATENTS.has(part) || !values.has(part))) continue
    const right = roundTo(compute(amountOf, person), known.decimals)
    if (!Number.isNaN(right) && right !== known.value) return false
  }
  return true
}

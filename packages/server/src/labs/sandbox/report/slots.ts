import type { Requisition, RequisitionResult } from '../../requisition.ts'
import { type Analyte, findAnalyte } from '../analytes/analyte-lookup.ts'
import type { Quantity } from '../analytes/reference-interval.ts'
import { RELATIONS } from '../values/relations.ts'

/** A line of the report to be: an expected result of an ordered test. */
export interface Slot {
  /** Unique in the report. */
  key: string
  expected: RequisitionResult
  /** Place of the test in the requisition that asks for it. */
  testIndex: number
  analyte: Analyte
}

/** The quantity that a slot is about; undefined when it is answered in words. */
export const quantityOf = ({ analyte }: Slot): Quantity | undefined =>
  analyte.kind === 'quantity' ? analyte.quantity : undefined

/** What two tests both expect is reported once. */
const keyOf = ({ provider_id, loinc, name }: RequisitionResult): string =>
  provider_id ?? `${loinc ?? ''}|${name}`

/** Several specimens of a day share a code; each has a value of its own. */
function separate(analyte: Analyte, expected: RequisitionResult, before: readonly Slot[]): Analyte {
  if (analyte.kind !== 'quantity') return analyte
  const { quantity } = analyte
  const others = before.filter(
    (slot) => slot.expected.loinc === expected.loinc && slot.expected.name !== expected.name,
  )
  const isRepeated = others.some((slot) => quantityOf(slot)?.analyte.startsWith(quantity.analyte))
  if (!isRepeated) return analyte
  return {
    kind: 'quantity',
    quantity: { ...quantity, analyte: `${quantity.analyte}#${expected.name}` },
  }
}

/** Lists the results that a laboratory reports for a requisition, in its order. */
export function listSlots({ tests }: Requisition): Slot[] {
  const slots: Slot[] = []
  const keys = new Set<string>()
  for (const [testIndex, test] of tests.entries()) {
    const itself = { name: test.name, provider_id: test.provider_id, loinc: null, unit: null }
    const expected =
      test.expected_results.length > 0 ? test.expected_results : [{ ...itself, required: true }]
    for (const result of expected) {
      const key = keyOf(result)
      if (keys.has(key)) continue
      keys.add(key)
      const analyte = separate(findAnalyte(result), result, slots)
      slots.push({ key, expected: result, testIndex, analyte })
    }
  }
  return slots
}

/** Quantities that others of the same report are made from, or that are made from others. */
export function listRelated(slots: readonly Slot[]): Set<string> {
  const asked = slots.flatMap((slot) => quantityOf(slot)?.analyte ?? [])
  return new Set(
    asked.flatMap((name) => {
      const parts = RELATIONS.get(name)?.from ?? []
      return parts.length > 0 ? [name, ...parts] : []
    }),
  )
}

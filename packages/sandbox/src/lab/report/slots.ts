import type { Requisition, RequisitionResult } from '@salus/contracts/lab-gateway'
import { type Analyte, findAnalyte, findQuantity } from '../analytes/analyte-lookup.ts'
import type { Quantity } from '../analytes/reference-interval.ts'
import { RELATIONS } from '../values/relations.ts'

/** A line of the future report: an expected result of an ordered test. */
export interface Slot {
  /** Unique in the report. */
  key: string
  expected: RequisitionResult
  /** Position of the test in the requisition. */
  testIndex: number
  analyte: Analyte
}

/** Returns the quantity of a slot; undefined when it is reported in words. */
export const quantityOf = ({ analyte }: Slot): Quantity | undefined =>
  analyte.kind === 'quantity' ? analyte.quantity : undefined

/** Words by which names distinguish specimens of one day, or of one person. */
const SPECIMEN =
  /\b(waking|awakening|morning|am|noon|midday|afternoon|evening|pm|bedtime|night|midnight|baseline|\d+ ?(?:min(?:utes)?|h(?:ours?)?)|specimen ?\d+|sample ?\d+|throat|rectal|rectum|vaginal|urethral|cervical|urine)\b/gi

const specimenOf = (name: string): string => (name.match(SPECIMEN) ?? []).join(' ').toLowerCase()

/**
 * A result that two tests expect is reported once: an analyte of a specimen has one value, under
 * any codes and names.
 */
const keyOf = ({ provider_id, loinc, name }: RequisitionResult): string =>
  loinc === null ? (provider_id ?? name) : `${loinc}|${specimenOf(name)}`

/** Results of one test with the same code belong to several specimens; each has its own value. */
function separate(analyte: Analyte, { name }: RequisitionResult, before: readonly Slot[]): Analyte {
  if (analyte.kind !== 'quantity') return analyte
  const { quantity } = analyte
  const isRepeated = before.some((slot) => quantityOf(slot)?.analyte === quantity.analyte)
  if (!isRepeated) return analyte
  return { kind: 'quantity', quantity: { ...quantity, analyte: `${quantity.analyte}#${name}` } }
}

/**
 * Cortisol falls through the day, and so do its intervals. Each applies until its hour, exclusive.
 */
const BY_TIME: Record<string, readonly (readonly [untilHour: number, analyte: string])[]> = {
  cortisol: [
    [13, 'cortisol'],
    [24, 'cortisol_evening'],
  ],
  cortisol_saliva: [
    [10.5, 'cortisol_saliva'],
    [15, 'cortisol_saliva_noon'],
    [20, 'cortisol_saliva_evening'],
    [24, 'cortisol_saliva_night'],
  ],
}
const HOURS: readonly (readonly [RegExp, number])[] = [
  [/\b(waking|awakening|morning|am)\b/i, 7],
  [/\b(noon|midday)\b/i, 12],
  [/\b(afternoon|evening|pm)\b/i, 17],
  [/\b(bedtime|night|midnight)\b/i, 23],
]
const COLLECTION_TIME = /^([01]\d|2[0-3]):?[0-5]\d$/

/** Returns the hour of the collection of a specimen, by its name, else by the order. */
function hourOf(
  name: string,
  answers: Requisition['answers'],
  markerId: number,
): number | undefined {
  const named = HOURS.find(([words]) => words.test(name))?.[1]
  if (named !== undefined) return named
  const answer = answers.find(
    (answer) => answer.marker_id === markerId && answer.question_code === 'COLLTIME',
  )
  const hour = COLLECTION_TIME.exec(answer?.answer.trim() ?? '')?.[1]
  return hour === undefined ? undefined : Number(hour)
}

function timed(analyte: Analyte, hour: number | undefined): Analyte {
  if (analyte.kind !== 'quantity' || hour === undefined) return analyte
  const names = BY_TIME[analyte.quantity.analyte]
  const name = names?.find(([until]) => hour < until)?.[1]
  const quantity = name === undefined ? undefined : findQuantity(name)
  return quantity === undefined ? analyte : { kind: 'quantity', quantity }
}

/** Lists the results that a laboratory reports for a requisition, in its order. */
export function listSlots({ tests, answers }: Requisition): Slot[] {
  const slots: Slot[] = []
  for (const [testIndex, test] of tests.entries()) {
    const itself = { name: test.name, provider_id: test.provider_id, loinc: null, unit: null }
    const expected =
      test.expected_results.length > 0 ? test.expected_results : [{ ...itself, required: true }]
    for (const result of expected) {
      const usual = keyOf(result)
      const known = slots.find((slot) => slot.key === usual)
      const isOther = known?.testIndex === testIndex && known.expected.name !== result.name
      if (known !== undefined && !isOther) continue
      const key = isOther ? `${usual}|${result.name}` : usual
      const hour = hourOf(result.name, answers, test.marker_id)
      const found = timed(findAnalyte(result), hour)
      const ofTest = slots.filter(
        (slot) => slot.testIndex === testIndex && slot.expected.loinc === result.loinc,
      )
      slots.push({ key, expected: result, testIndex, analyte: separate(found, result, ofTest) })
    }
  }
  return slots
}

/**
 * Returns quantities from which others of the same report are calculated, or that are calculated
 * from others.
 */
export function listRelated(slots: readonly Slot[]): Set<string> {
  const asked = slots.flatMap((slot) => quantityOf(slot)?.analyte ?? [])
  return new Set(
    asked.flatMap((name) => {
      const parts = RELATIONS.get(name)?.from ?? []
      return parts.length > 0 ? [name, ...parts] : []
    }),
  )
}

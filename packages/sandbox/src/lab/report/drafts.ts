import type { Interpretation, ResultType } from '@salus/contracts/lab-gateway'
import type { Person, Quantity } from '../analytes/reference-interval.ts'
import { createRandom, type SeededRandom } from '../seeded-random.ts'
import type { Level } from '../values/sample-value.ts'
import { sampleValues } from '../values/sample-values.ts'
import { isNotCalculated } from './calculable.ts'
import type { Observed } from './print-finding.ts'
import type { Measured } from './print-quantity.ts'
import { findMatter } from './same-matter.registry.ts'
import { listRelated, quantityOf, type Slot } from './slots.ts'

export interface DraftInput {
  /** All requested results: values do not depend on the ones that are left out. */
  slots: readonly Slot[]
  /** The slot that determines the interpretation; undefined when none can. */
  target: Slot | undefined
  interpretation: Interpretation
  /** Types to use; null for the usual ones. */
  resultTypes: readonly ResultType[] | null
  person: Person
  /** Values that were measured at the collection and sent with the order, by analyte. */
  given: ReadonlyMap<string, number>
  /** Id of the order. */
  seed: string
}

/** A result before its printed type is chosen. */
export interface Draft {
  slot: Slot
  /** Null for a normal result. */
  level: Level | null
  content:
    | { kind: 'measured'; measured: Measured }
    | { kind: 'observed'; observed: Observed }
    /** No result, with the reason in words. */
    | { kind: 'words'; words: string }
}

/** Returns the severity of the target; null when nothing is abnormal. */
export function levelOf(interpretation: Interpretation): Level | null {
  return interpretation === 'abnormal' || interpretation === 'critical' ? interpretation : null
}

/** Returns the random numbers for the words of one result and of those in the same group. */
export function randomOf({ seed }: DraftInput, slot: Slot): SeededRandom {
  const matter = findMatter(slot.expected.loinc)
  return createRandom(`${seed}|${matter === undefined ? slot.key : `matter ${matter}`}|words`)
}

/** True for the target, and for results of the same group. */
function isOfTarget(slot: Slot, target: Slot | undefined): boolean {
  if (target === undefined || slot === target) return slot === target
  const matter = findMatter(slot.expected.loinc)
  return matter !== undefined && matter === findMatter(target.expected.loinc)
}

const isFollowUp = ({ analyte }: Slot): boolean =>
  analyte.kind === 'finding' && analyte.finding.isFollowUp === true

/** True for a reflex of an abnormal result: of the same group, else of the same test. */
function isReflexOfTarget(slot: Slot, { slots, target }: DraftInput): boolean {
  const matter = findMatter(slot.expected.loinc)
  const hasParent = slots.some(
    ({ expected, testIndex }) =>
      expected.required && testIndex === slot.testIndex && findMatter(expected.loinc) === matter,
  )
  if (matter !== undefined && hasParent) return isOfTarget(slot, target)
  return slot.testIndex === target?.testIndex || isOfTarget(slot, target)
}

/** Reflex tests are performed only when their test is abnormal. */
function isNotIndicated(slot: Slot, input: DraftInput): boolean {
  const { slots, target } = input
  const isWithoutCause = levelOf(input.interpretation) === null || !isReflexOfTarget(slot, input)
  if (isFollowUp(slot)) return isWithoutCause
  if (slot.expected.required || slot === target) return false
  return slots.some(({ expected }) => expected.required) && isWithoutCause
}

function sampleMeasured(slots: readonly Slot[], input: DraftInput): ReadonlyMap<string, number> {
  const quantities = new Map<string, Quantity>()
  for (const slot of slots) {
    const quantity = quantityOf(slot)
    if (quantity !== undefined) quantities.set(quantity.analyte, quantity)
  }
  const level = levelOf(input.interpretation)
  const { person, seed, given } = input
  const sign = slots.find((slot) => isOfTarget(slot, input.target) && quantityOf(slot))
  const analyte =
    (input.target && quantityOf(input.target)?.analyte) ?? (sign && quantityOf(sign)?.analyte)
  const target = level !== null && analyte !== undefined ? { analyte, level } : null
  return sampleValues({ quantities, person, seed, target, given })
}

/** Samples the results of all slots that have results. */
export function makeDrafts(input: DraftInput): Draft[] {
  const { slots, target, resultTypes, person } = input
  const mayBeWords = !resultTypes?.length || resultTypes.includes('comment')
  const done = slots.filter((slot) => !mayBeWords || !isNotIndicated(slot, input))
  const values = sampleMeasured(done, input)
  const related = listRelated(done)
  return slots.flatMap((slot): Draft[] => {
    const { expected, analyte } = slot
    const isReflex = !expected.required && isReflexOfTarget(slot, input)
    const isBad = isOfTarget(slot, target) || (isReflex && analyte.kind === 'finding')
    const level = isBad ? levelOf(input.interpretation) : null
    const say = (words: string): Draft[] => [{ slot, level, content: { kind: 'words', words } }]
    if (!done.includes(slot)) return say('Not indicated')
    if (analyte.kind === 'finding') {
      // A sample that does not react has no dilution, whatever types are requested.
      if (isFollowUp(slot) && level === null && !expected.required) return []
      const observed = { finding: analyte.finding, unit: expected.unit }
      return [{ slot, level, content: { kind: 'observed', observed } }]
    }
    const isNot = slot !== target && isNotCalculated(slot, values, person)
    if (mayBeWords && isNot) return say('Not calculated')
    const { quantity } = analyte
    const value = values.get(quantity.analyte) ?? 0
    const isRelated = related.has(quantity.analyte)
    const measured = { quantity, value, person, unit: expected.unit, isRelated }
    return [{ slot, level, content: { kind: 'measured', measured } }]
  })
}

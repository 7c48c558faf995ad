import type { Interpretation, ResultType } from '../../lab-report.ts'
import type { Person, Quantity } from '../analytes/reference-interval.ts'
import { createRandom, type SeededRandom } from '../seeded-random.ts'
import type { Level } from '../values/draw.ts'
import { drawValues } from '../values/draw-values.ts'
import type { Observed } from './print-finding.ts'
import type { Measured } from './print-quantity.ts'
import { listRelated, quantityOf, type Slot } from './slots.ts'

export interface DraftInput {
  /** All that is asked for: values do not depend on what is left out. */
  slots: readonly Slot[]
  /** The one that carries the interpretation; undefined when none can. */
  target: Slot | undefined
  interpretation: Interpretation
  /** Null for those that occur usually. */
  resultTypes: readonly ResultType[] | null
  person: Person
  /** The order's id. */
  seed: string
}

/** A result before it is known in which type it is printed. */
export interface Draft {
  slot: Slot
  /** Null for what is as with healthy people. */
  level: Level | null
  content:
    | { kind: 'measured'; measured: Measured }
    | { kind: 'observed'; observed: Observed }
    /** No result, and why. */
    | { kind: 'words'; words: string }
}

/** How bad the target is; null when nothing is bad. */
export function levelOf(interpretation: Interpretation): Level | null {
  return interpretation === 'abnormal' || interpretation === 'critical' ? interpretation : null
}

/** For the words of one result. */
export function randomOf({ seed }: DraftInput, slot: Slot): SeededRandom {
  return createRandom(`${seed}|${slot.key}|words`)
}

/** The method of LDL by calculation fails above this, mg/dL. */
const MOST_TRIGLYCERIDES = 400
const CALCULATED_LIPIDS = ['ldl_cholesterol', 'vldl_cholesterol']
const LDL_DIRECT = '18262-6'

function isNotCalculated(slot: Slot, values: ReadonlyMap<string, number>): boolean {
  const name = quantityOf(slot)?.analyte ?? ''
  const isCalculated = CALCULATED_LIPIDS.includes(name) && slot.expected.loinc !== LDL_DIRECT
  return isCalculated && (values.get('triglycerides') ?? 0) > MOST_TRIGLYCERIDES
}

/** Reflex tests are done only when the test that they belong to is out of the ordinary. */
function isNotIndicated(slot: Slot, input: DraftInput): boolean {
  if (slot.expected.required || slot === input.target) return false
  if (!input.slots.some(({ expected }) => expected.required)) return false
  return levelOf(input.interpretation) === null || slot.testIndex !== input.target?.testIndex
}

function drawMeasured(slots: readonly Slot[], input: DraftInput): ReadonlyMap<string, number> {
  const quantities = new Map<string, Quantity>()
  for (const slot of slots) {
    const quantity = quantityOf(slot)
    if (quantity !== undefined) quantities.set(quantity.analyte, quantity)
  }
  const level = levelOf(input.interpretation)
  const analyte = input.target && quantityOf(input.target)?.analyte
  const target = level !== null && analyte !== undefined ? { analyte, level } : null
  return drawValues({ quantities, person: input.person, seed: input.seed, target })
}

/** Draws the results of all slots. */
export function makeDrafts(input: DraftInput): Draft[] {
  const { slots, target, resultTypes, person } = input
  const mayBeWords = !resultTypes?.length || resultTypes.includes('comment')
  const done = slots.filter((slot) => !mayBeWords || !isNotIndicated(slot, input))
  const values = drawMeasured(done, input)
  const related = listRelated(done)
  return slots.map((slot): Draft => {
    const { expected, analyte, testIndex } = slot
    const isReflex = !expected.required && testIndex === target?.testIndex
    const isBad = slot === target || (isReflex && analyte.kind === 'finding')
    const level = isBad ? levelOf(input.interpretation) : null
    const say = (words: string): Draft => ({ slot, level, content: { kind: 'words', words } })
    if (!done.includes(slot)) return say('Not indicated')
    if (analyte.kind === 'finding') {
      const observed = { finding: analyte.finding, unit: expected.unit }
      return { slot, level, content: { kind: 'observed', observed } }
    }
    if (mayBeWords && slot !== target && isNotCalculated(slot, values)) return say('Not calculated')
    const { quantity } = analyte
    const value = values.get(quantity.analyte) ?? 0
    const isRelated = related.has(quantity.analyte)
    const measured = { quantity, value, person, unit: expected.unit, isRelated }
    return { slot, level, content: { kind: 'measured', measured } }
  })
}

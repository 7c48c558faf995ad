import { findQuantity } from '../analytes/analyte-lookup.ts'
import {
  findInterval,
  type Person,
  type Quantity,
  roundAs,
  roundTo,
  sideOf,
} from '../analytes/reference-interval.ts'
import { createRandom } from '../seeded-random.ts'
import { LATENTS, RELATIONS } from './relations.ts'
import { type Level, sampleInside, sampleOutside } from './sample-value.ts'

/** After this many tries all values are in the middle. */
const TRIES = 12

export interface SampleInput {
  /** Reported quantities by name. */
  quantities: ReadonlyMap<string, Quantity>
  person: Person
  seed: string
  /** Values that were measured at the collection, by name. */
  given?: ReadonlyMap<string, number>
  /**
   * Quantity that has to be outside of its interval; all others are inside, except those calculated
   * from the same inputs.
   */
  target: { analyte: string; level: Level } | null
}

/** Returns the quantity of a name, also of one that is only an ingredient. */
function quantityOf(analyte: string, { quantities }: SampleInput): Quantity {
  const quantity = quantities.get(analyte) ?? findQuantity(analyte)
  if (quantity === undefined) throw new Error(`${analyte} is not in the registry`)
  return quantity
}

function sampleLatent(analyte: string, input: SampleInput, attempt: number): number {
  const { like, between, onlyFor } = LATENTS.get(analyte) ?? {}
  if (onlyFor !== undefined && !onlyFor.some((name) => input.quantities.has(name))) return 0
  const random = createRandom(`${input.seed}|${analyte}|${attempt}`)
  if (between !== undefined) return random.between(...between)
  const quantity = quantityOf(like ?? analyte, input)
  const interval = findInterval(quantity, input.person)
  return sampleInside(quantity, interval, random, 1 - attempt / TRIES)
}

/** Returns a value that does not depend on another one. */
function sampleAlone(quantity: Quantity, { person, seed }: SampleInput, attempt: number): number {
  const random = createRandom(`${seed}|${quantity.analyte}|${attempt}`)
  return sampleInside(quantity, findInterval(quantity, person), random, 1 - attempt / TRIES)
}

/**
 * Creates a person's values, each sampled or computed when it is first needed and then kept. Those
 * of the registry are rounded as they are printed, so that printed values fit each other.
 */
function createBody(
  input: SampleInput,
  attempt: number,
  given: ReadonlyMap<string, number>,
): (analyte: string) => number {
  const values = new Map(given)
  const amountOf = (analyte: string): number => {
    const known = values.get(analyte)
    if (known !== undefined) return known
    let value: number
    if (LATENTS.has(analyte)) {
      value = sampleLatent(analyte, input, attempt)
    } else {
      const quantity = quantityOf(analyte, input)
      const raw =
        RELATIONS.get(analyte)?.compute(amountOf, input.person) ??
        sampleAlone(quantity, input, attempt)
      value = roundAs(quantity, Math.max(0, raw))
    }
    values.set(analyte, value)
    return value
  }
  return amountOf
}

/** Lists the inputs of all relations of the reported quantities. */
function listIngredients(analytes: Iterable<string>): Set<string> {
  const found = new Set<string>()
  const visit = (analyte: string): void => {
    const relation = RELATIONS.get(analyte)
    if (relation === undefined) found.add(analyte)
    else for (const part of relation.from) visit(part)
  }
  for (const analyte of analytes) visit(analyte)
  return found
}

function isInside(quantity: Quantity, value: number, person: Person): boolean {
  const interval = findInterval(quantity, person)
  return interval === undefined || sideOf(value, interval) === 'inside'
}

/**
 * Returns a body whose reported values are all inside their intervals, and the number of the try.
 */
function sampleHealthy(input: SampleInput): {
  amountOf: (analyte: string) => number
  attempt: number
} {
  for (let attempt = 0; ; attempt += 1) {
    const amountOf = createBody(input, attempt, input.given ?? new Map())
    const isHealthy = () =>
      [...input.quantities].every(([name, quantity]) =>
        isInside(quantity, amountOf(name), input.person),
      )
    if (attempt === TRIES || isHealthy()) return { amountOf, attempt }
  }
}

/** Returns the healthy body with the changes that move the target outside of its interval. */
function sampleWithTarget(input: SampleInput, target: { analyte: string; level: Level }) {
  const { amountOf, attempt } = sampleHealthy(input)
  const { analyte, level } = target
  const quantity = quantityOf(analyte, input)
  const interval = findInterval(quantity, input.person)
  if (interval === undefined) return amountOf
  const random = createRandom(`${input.seed}|${analyte}|${level}`)
  const wanted = sampleOutside(quantity, interval, level, random)
  const relation = RELATIONS.get(analyte)
  if (relation === undefined) {
    return createBody(input, attempt, ingredientsWith(input, amountOf, { [analyte]: wanted }))
  }
  const levers = relation.solve(wanted, amountOf, input.person)
  const ingredients = ingredientsWith(input, amountOf, levers)
  const reached = createBody(input, attempt, ingredients)(analyte)
  const [low, high] = [Math.min(reached, wanted), Math.max(reached, wanted)]
  // Rounding may move it back to the bound; then it is printed as it was intended.
  const farther = sideOf(wanted, interval) === 'high' ? high : low
  const isEnough = level === 'abnormal' && sideOf(reached, interval) !== 'inside'
  return createBody(input, attempt, ingredients.set(analyte, isEnough ? reached : farther))
}

function ingredientsWith(
  input: SampleInput,
  amountOf: (analyte: string) => number,
  changed: Record<string, number>,
): Map<string, number> {
  const names = [...input.quantities.keys(), ...Object.keys(changed)]
  const values = new Map([...listIngredients(names)].map((name) => [name, amountOf(name)]))
  for (const [name, value] of Object.entries(changed)) {
    const decimals = LATENTS.has(name) ? undefined : quantityOf(name, input).decimals
    values.set(name, decimals === undefined ? value : Math.max(0, roundTo(value, decimals)))
  }
  return values
}

/**
 * Samples the values of a report, in the units of the registry. The same input returns the same
 * values.
 */
export function sampleValues(input: SampleInput): ReadonlyMap<string, number> {
  const amountOf = input.target
    ? sampleWithTarget(input, input.target)
    : sampleHealthy(input).amountOf
  return new Map([...input.quantities.keys()].map((name) => [name, amountOf(name)]))
}

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { QUANTITIES } from '../analytes/analyte-tables.ts'
import {
  findInterval,
  type Person,
  type Quantity,
  sideOf,
  toQuantity,
} from '../analytes/reference-interval.ts'
import { LATENTS, RELATIONS } from './relations.ts'
import { sampleValues } from './sample-values.ts'

const quantities = new Map(QUANTITIES.map((row) => [row.analyte, toQuantity(row)]))
const get = (name: string): Quantity => quantities.get(name) as Quantity
const asked = (names: readonly string[]) => new Map(names.map((name) => [name, get(name)]))

const anyPerson: fc.Arbitrary<Person> = fc.record({
  sex: fc.constantFrom('female' as const, 'male' as const, null),
  ageYears: fc.double({ min: 0, max: 105, noNaN: true }),
})
const anySeed = fc.uuid({ version: 4 })
const anyNames = fc.subarray([...quantities.keys()], { minLength: 1, maxLength: 40 })

describe('values', () => {
  test('of healthy people are inside every interval, together with all that is made from them', () => {
    fc.assert(
      fc.property(anyNames, anyPerson, anySeed, (names, person, seed) => {
        for (const [name, value] of sampleValues({
          quantities: asked(names),
          person,
          seed,
          target: null,
        })) {
          const interval = findInterval(get(name), person)
          const side = interval ? sideOf(value, interval) : 'inside'
          assert.equal(side, 'inside', `${name} ${value} ${JSON.stringify(interval)}`)
        }
      }),
      { numRuns: 400, seed: 51 },
    )
  })

  test('of a target are outside, however it is made, and critical ones beyond their limit', () => {
    const anyTarget = fc.constantFrom(...quantities.keys())
    const anyLevel = fc.constantFrom('abnormal' as const, 'critical' as const)
    fc.assert(
      fc.property(
        anyNames,
        anyTarget,
        anyLevel,
        anyPerson,
        anySeed,
        (names, analyte, level, person, seed) => {
          const interval = findInterval(get(analyte), person)
          fc.pre(interval !== undefined)
          const target = { analyte, level }
          const values = sampleValues({
            quantities: asked([...names, analyte]),
            person,
            seed,
            target,
          })
          const value = values.get(analyte) ?? Number.NaN
          assert.notEqual(sideOf(value, interval), 'inside', `${analyte} ${value}`)
          const [low = null, high = null] = get(analyte).critical ?? []
          if (level === 'critical' && (low !== null || high !== null)) {
            const isBeyond = (low !== null && value < low) || (high !== null && value > high)
            assert.ok(isBeyond || low === null || high === null, `${analyte} ${value}`)
          }
          for (const [name, sampled] of values) {
            assert.ok(Number.isFinite(sampled) && sampled >= 0, `${analyte}: ${name} ${sampled}`)
          }
        },
      ),
      { numRuns: 1500, seed: 52 },
    )
  })

  test('do not depend on the order in which they are read', () => {
    fc.assert(
      fc.property(anyNames, anyPerson, anySeed, (names, person, seed) => {
        const sample = (list: readonly string[]) =>
          Object.fromEntries(sampleValues({ quantities: asked(list), person, seed, target: null }))
        assert.deepEqual(sample(names.toReversed()), sample(names))
      }),
      { numRuns: 50, seed: 53 },
    )
  })

  test('differ between people as the sexes do', () => {
    const sample = (sex: Person['sex'], seed: string) =>
      sampleValues({
        quantities: asked(['testosterone']),
        person: { sex, ageYears: 40 },
        seed,
        target: null,
      })
    for (let seed = 0; seed < 50; seed += 1) {
      const [man, woman] = [sample('male', `${seed}`), sample('female', `${seed}`)]
      assert.ok((man.get('testosterone') ?? 0) > 5 * (woman.get('testosterone') ?? 0))
    }
  })
})

describe('relations', () => {
  test('are about quantities of the registry, and go in no circle', () => {
    const visit = (name: string, trail: readonly string[]): void => {
      assert.ok(!trail.includes(name), [...trail, name].join(' '))
      assert.ok(quantities.has(name) || LATENTS.has(name), name)
      for (const part of RELATIONS.get(name)?.from ?? []) visit(part, [...trail, name])
    }
    for (const name of RELATIONS.keys()) visit(name, [])
  })

  test('of what is never printed lie where the registry says', () => {
    for (const [name, { like, between, onlyFor }] of LATENTS) {
      assert.ok(between !== undefined || quantities.has(like ?? ''), name)
      for (const part of onlyFor ?? []) assert.ok(quantities.has(part), part)
    }
  })
})

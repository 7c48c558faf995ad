import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Interpretation } from '@salus/contracts/lab-gateway'
import fc from 'fast-check'
import { combineResults } from './combine-results.ts'
import type { OrderResults } from './lab-results.presenter.ts'

interface Item {
  code: string
  value: string
  interpretation?: Interpretation
}

const key = ({ code }: Item) => ({ name: code, slug: code, provider_id: code, loinc: null })

/** Returns results of an order with only the data that the combination reads. */
const order = (specimen: string, results: Item[], missing: Item[] = []): OrderResults =>
  ({
    metadata: { specimen_number: specimen, status: 'final', interpretation: 'unknown' },
    results: results.map((item) => ({
      ...key(item),
      result: item.value,
      interpretation: item.interpretation ?? 'normal',
    })),
    missing_results: missing.map((item) => ({ ...key(item), note: item.value })),
    sample_information: { [specimen]: { sample_id: specimen } },
  }) as unknown as OrderResults

describe('the results of several orders', () => {
  test('of one order are its own, except the status', () => {
    const only = order('A', [{ code: 'x', value: '1' }])
    const combined = combineResults([only], false)
    assert.deepEqual(combined.results, only.results)
    assert.equal(combined.metadata.status, 'partial')
    assert.equal(combineResults([only], true).metadata.status, 'final')
  })

  test('have the worst interpretation of the shown results, not of replaced ones', () => {
    const first = order('A', [{ code: 'x', value: '1', interpretation: 'critical' }])
    const second = order('B', [{ code: 'x', value: '2', interpretation: 'normal' }])
    assert.equal(combineResults([first, second], true).metadata.interpretation, 'normal')
  })

  test('have a missing result with its newest reason, unless it was delivered', () => {
    const first = order(
      'A',
      [],
      [
        { code: 'x', value: 'old' },
        { code: 'y', value: 'old' },
      ],
    )
    const second = order('B', [{ code: 'y', value: '2' }], [{ code: 'x', value: 'new' }])
    const { missing_results: missing } = combineResults([first, second], true)
    assert.deepEqual(
      missing.map(({ slug, note }) => [slug, note]),
      [['x', 'new']],
    )
    // The older order delivered it and the newer one lacks it, so it is present.
    const delivered = order('A', [{ code: 'x', value: '1' }])
    const lacking = order('B', [], [{ code: 'x', value: 'QNS' }])
    assert.deepEqual(combineResults([delivered, lacking], true).missing_results, [])
  })

  const items = fc.uniqueArray(
    fc.record({ code: fc.constantFrom('a', 'b', 'c', 'd', 'e'), value: fc.string() }),
    { selector: ({ code }) => code },
  )
  test('have each result once, from the newest order that delivered it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(items, items), { minLength: 1, maxLength: 4 }), (given) => {
        const orders = given.map(([results, missing], at) => order(`S${at}`, results, missing))
        const [first, ...later] = orders
        if (first === undefined) return
        const combined = combineResults([first, ...later], true)
        const newest = new Map<string, string>(
          given.flatMap(([results]) => results.map(({ code, value }) => [code, value] as const)),
        )
        const shown = combined.results.map(({ slug, result }) => [slug, result] as const)
        assert.equal(shown.length, newest.size)
        assert.deepEqual(new Map(shown), newest)
        for (const { slug } of combined.missing_results) assert.ok(!newest.has(slug))
        assert.equal(Object.keys(combined.sample_information).length, orders.length)
      }),
      { seed: 13 },
    )
  })
})

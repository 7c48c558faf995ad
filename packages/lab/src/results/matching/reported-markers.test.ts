import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import { markersOfMessage } from '../match-review/receiving-order.service.ts'

const marker = (id: number, code: string, loincs: string[], sometimes: string[] = []) => ({
  id,
  provider_id: code,
  expected_results: [...loincs, ...sometimes].map((loinc) => ({
    id: 1,
    name: loinc,
    slug: loinc,
    provider_id: null,
    required: !sometimes.includes(loinc),
    unit: null,
    loinc: { id: 1, code: loinc, slug: loinc, name: loinc, unit: null },
  })),
})
const CATALOG = [
  marker(1, 'GLU', ['glucose']),
  marker(2, 'LIPID', ['chol', 'hdl', 'trig'], ['ldl-direct']),
  marker(3, 'CHOL', ['chol']),
  marker(4, 'METABOLIC', ['glucose', 'calcium']),
]
const report = (loincs: string[], ordered: string[] = []) =>
  ({
    ordered_provider_ids: ordered,
    results: loincs.map((loinc) => ({ name: loinc, provider_id: null, loinc })),
    missing_results: [],
  }) as unknown as ResultMessage

describe('the ordered markers of a result message', () => {
  test('are those that it names as ordered', () => {
    assert.deepEqual(markersOfMessage(report(['chol'], ['LIPID', 'OTHER']), CATALOG), [2])
  })

  test('are otherwise the smallest set with all required results', () => {
    assert.deepEqual(markersOfMessage(report(['chol', 'hdl', 'trig']), CATALOG), [2])
    assert.deepEqual(markersOfMessage(report(['chol', 'glucose']), CATALOG), [1, 3])
    const many = report(['chol', 'hdl', 'trig', 'glucose', 'calcium', 'ldl-direct'])
    assert.deepEqual(markersOfMessage(many, CATALOG), [2, 4])
  })

  test('are none when no marker has all required results', () => {
    assert.deepEqual(markersOfMessage(report(['hdl']), CATALOG), [])
    assert.deepEqual(markersOfMessage(report([]), CATALOG), [])
  })
})

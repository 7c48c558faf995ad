import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseVendorJson } from './vendor-json.ts'

test('a whole number that is too long keeps its digits, others stay numbers', () => {
  const text = `{"id": 12345678987654321, "ids":[-98765432123456789 ,9007199254740991],
    "share": 0.12345678901234566, "large": 1e20, "text": "12345678987654321", "none": null}`
  assert.deepEqual(parseVendorJson(text), {
    id: '12345678987654321',
    ids: ['-98765432123456789', 9_007_199_254_740_991],
    share: 0.12345678901234566,
    large: 1e20,
    text: '12345678987654321',
    none: null,
  })
  assert.deepEqual(parseVendorJson('[1.5, {"a": 2}]'), [1.5, { a: 2 }])
  for (const wrong of ['', '{', '[12345678987654321, ]']) {
    assert.throws(() => parseVendorJson(wrong), SyntaxError)
  }
})

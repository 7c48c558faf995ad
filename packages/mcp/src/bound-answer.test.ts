import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundAnswer } from './bound-answer.ts'

test('a short answer is whole, without empty values', () => {
  const answer = { a: 0, b: null, c: [null, 1], d: {}, e: { f: undefined }, g: '', h: false, i: [] }
  assert.deepEqual(JSON.parse(boundAnswer(answer)), { a: 0, c: [null, 1], g: '', h: false, i: [] })
  assert.equal(boundAnswer(null), '{}')
})

test('a long answer loses the ends of its lists, alike, and says of each how long it was', () => {
  const rows = Array.from({ length: 5_000 }, (_, index) => index)
  const { answer, cut } = JSON.parse(boundAnswer({ table: { day: rows, value: rows }, total: 2 }))
  assert.equal(answer.total, 2)
  assert.deepEqual(answer.table.day, answer.table.value)
  const shown = answer.table.day.length
  assert.deepEqual(answer.table.day, rows.slice(0, shown))
  assert.deepEqual(cut.lists, [
    { list: 'table.day', shown, of: 5_000 },
    { list: 'table.value', shown, of: 5_000 },
  ])
})

test('no answer is longer than its bound, whatever it is made of', () => {
  const deep = Array.from({ length: 300 }, (_, index) => ({
    name: 'n'.repeat(2_000),
    parts: Array.from({ length: 100 }, () => ({ text: `"quoted" ${index}` })),
  }))
  const wide = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`key_${index}`, 1]))
  for (const answer of [deep, { deep }, wide, 'x'.repeat(1e6), [['y'.repeat(1e5)]]]) {
    assert.ok(boundAnswer(answer).length <= 24_000)
  }
  assert.match(boundAnswer(wide), /too large/)
})

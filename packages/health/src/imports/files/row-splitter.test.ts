import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { lineEndOf, RowSplitter } from './row-splitter.ts'

/** Splits a text whose bytes come in chunks of a size. */
function split(text: string, delimiter: string, size: number): string[][] {
  const splitter = new RowSplitter({ delimiter, lineEnd: lineEndOf(text) })
  const bytes = Buffer.from(text)
  const rows: string[][] = []
  for (let at = 0; at < bytes.length; at += size) {
    rows.push(...splitter.write(bytes.subarray(at, at + size)))
  }
  return [...rows, ...splitter.end()]
}

const parseWithLibrary = (text: string, delimiter: string): string[][] =>
  parse(text, {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  })

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'ä', ' ', '7', '.'), maxLength: 6 }),
  fc
    .string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', ' '), maxLength: 6 })
    .map((text) => `"${text.replaceAll('"', '""')}"`),
  fc.constantFrom('5" disk', 'a"b"c', '"a"b', '""'),
)

test('a table has the cells that a parser of single characters finds, in chunks of any size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      (rows, delimiter, lineEnd, size, isEnded) => {
        const lines = rows.map((cells) => cells.join(delimiter))
        // Without an end of a line of its own, that within quotes would be taken for it.
        const text = `head${lineEnd}${lines.join(lineEnd)}${isEnded ? lineEnd : ''}`
        assert.deepEqual(split(text, delimiter, size), parseWithLibrary(text, delimiter))
      },
    ),
    { numRuns: 500, seed: 27 },
  )
})

test('rows that are enough leave the others for the next call', () => {
  const splitter = new RowSplitter({ delimiter: ',', lineEnd: '\n' })
  assert.deepEqual(splitter.write(Buffer.from('a,b\n\nc,d\ne'), 1), [['a', 'b']])
  assert.deepEqual(splitter.write(Buffer.from('f,g\n')), [
    ['c', 'd'],
    ['ef', 'g'],
  ])
  assert.deepEqual(splitter.end(), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TableJson } from './table-json.ts'

const DOCUMENT = '[\n\t[0, 1],\n\t["a],", "\\n[\\"€"]\n]\n'

function written(chunks: readonly (string | Buffer)[]): unknown {
  const table = new TableJson(['first', 'second "name"'])
  for (const chunk of chunks) table.write(Buffer.from(chunk))
  return JSON.parse(Buffer.concat([...table.pieces()]).toString('utf8'))
}

test('blocks of rows become one table', () => {
  assert.deepEqual(written([DOCUMENT, DOCUMENT]), {
    first: [0, 1, 0, 1],
    'second "name"': ['a],', '\n["€', 'a],', '\n["€'],
  })
})

test('chunks may end anywhere', () => {
  const bytes = Buffer.from(DOCUMENT)
  for (let cut = 0; cut <= bytes.length; cut++) {
    assert.deepEqual(written([bytes.subarray(0, cut), bytes.subarray(cut)]), written([DOCUMENT]))
  }
})

test('no rows are empty columns', () => {
  for (const chunks of [[], ['[\n\n]\n'], ['[\n\t[],\n\t[]\n]\n']]) {
    assert.deepEqual(written(chunks), { first: [], 'second "name"': [] })
  }
})

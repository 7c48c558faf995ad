import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { makePage, padRow, printRows, readLayout, readWords } from '../../test/printed-layouts.ts'
import { readResults } from './read-results.ts'

// Layouts other than plain tables, as those of `rows/layouts`. `unread: KIND` says that a stretch
// holds results that are not to be guessed.
const folder = new URL('./layouts/', import.meta.url)

for (const name of readdirSync(folder)) {
  test(`of ${name.replace('.txt', '')} only what is a result is read`, () => {
    const { lines, truth } = readLayout(folder, name)
    const page = makePage(readWords(lines))
    const unread = truth.filter((line) => line.startsWith('unread:'))
    const rows = truth.filter((line) => !line.startsWith('unread:'))
    assert.deepEqual(printRows(page), rows.map(padRow))
    const left = readResults([page]).unread.map(({ kind }) => `unread: ${kind}`)
    assert.deepEqual(left, unread)
  })
}

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import {
  letterWidth,
  lineHeight,
  makePage,
  padRow,
  printRows,
  readLayout,
  readWords,
} from '../../test/printed-layouts.ts'
import { readResults } from '../regions/read-results.ts'

const folder = new URL('./layouts/', import.meta.url)

for (const name of readdirSync(folder)) {
  test(`the rows of ${name.replace('.txt', '')} are read as they are printed`, () => {
    const { lines, truth } = readLayout(folder, name)
    assert.deepEqual(printRows(makePage(readWords(lines))), truth.map(padRow))
  })
}

test('a page that is slightly askew gives the same rows', () => {
  const { lines, truth } = readLayout(folder, 'us-urinalysis.txt')
  const words = readWords(lines, 3).map((word) => ({
    ...word,
    box: { ...word.box, y: word.box.y + word.box.x * 0.02 },
  }))
  assert.deepEqual(printRows(makePage(words, 'recognized')), truth.map(padRow))
})

test('what recognition makes of dirt is no flag and no result, and a point read as a colon is a point', () => {
  const words = readWords([
    'Component      Your Value     Standard Range     Units     Flag',
    'WBC         +  7.2            4.0-11.0           K/uL',
    'RDW            12.8           11.5-14:5          %',
    'MCV            90.5           80.0-100.0         fL',
    '{#}MPV         11.9           7.4-11.4           fL        H',
    'Citv osnital   7  T',
  ])
  const page = words.map((word) => {
    const isSpeck = word.text === '+' || word.text === '7'
    return isSpeck
      ? { ...word, confidence: 0.2, box: { ...word.box, height: 4, y: word.box.y + 3 } }
      : word
  })
  assert.deepEqual(
    printRows(makePage(page, 'recognized')),
    [
      'WBC|7.2|K/uL|4.0-11.0',
      'RDW|12.8|%|11.5-14.5',
      'MCV|90.5|fL|80.0-100.0',
      'MPV|11.9|fL|7.4-11.4|H',
    ].map(padRow),
  )
})

test('every field has its place on the page', () => {
  const { lines } = readLayout(folder, 'us-no-header.txt')
  const [row] = readResults([makePage(readWords(lines))]).rows
  const at = lines.findIndex((line) => line.includes('GLU'))
  assert.deepEqual(row?.value.box, {
    x: 30 + (lines[at] as string).indexOf('98') * letterWidth,
    y: 40 + at * lineHeight,
    width: 15,
    height: 10,
  })
  assert.equal(row?.panel?.text, 'CHEMISTRY')
})

test('a table that goes on over a second page keeps its columns, and the repeated head is no result', () => {
  const { lines, truth } = readLayout(folder, 'us-no-header.txt')
  const first = makePage(readWords(lines))
  const rows = readResults([first, { ...first, number: 2 }]).rows
  assert.equal(rows.filter((row) => row.name.page === 1).length, truth.length)
})

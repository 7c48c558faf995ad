import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { PageText, Word } from '../pages/page.ts'
import { readRows } from './read-rows.ts'

// Layouts of laboratories of many countries, drawn in letters of one width: the page, a line of `====`, and its
// results as `name | value | unit | range | flag`. Nobody's report; the values are invented.
const folder = new URL('./layouts/', import.meta.url)

const letterWidth = 6
const lineHeight = 13

function readWords(lines: readonly string[], scale = 1): Word[] {
  return lines.flatMap((line, at) =>
    [...line.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      box: {
        x: (30 + match.index * letterWidth) * scale,
        y: (40 + at * lineHeight) * scale,
        width: (match[0].length * letterWidth + 3) * scale,
        height: 10 * scale,
      },
      confidence: 1,
      fontSize: 10 * scale,
      isBold: false,
      color: null,
    })),
  )
}

function makePage(words: Word[], source: PageText['source'] = 'text_layer'): PageText {
  const width = Math.max(...words.map((word) => word.box.x + word.box.width)) + 30
  const height = Math.max(...words.map((word) => word.box.y)) + 60
  const sourceSize = { width, height }
  return { number: 1, width, height, source, words, toSource: null, sourceSize }
}

function readLayout(name: string): { lines: string[]; truth: string[] } {
  const [page = '', truth = ''] = readFileSync(new URL(name, folder), 'utf8').split(/^====\n/m)
  const cells = (line: string): string =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .join('|')
  return { lines: page.split('\n'), truth: truth.split('\n').filter(Boolean).map(cells) }
}

function printRows(page: PageText): string[] {
  return readRows([page]).map((row) =>
    [row.name, row.value, row.unit, row.range, row.flag]
      .map((field) => field?.text ?? '')
      .join('|'),
  )
}

const pad = (row: string): string => [...row.split('|'), '', '', '', '', ''].slice(0, 5).join('|')

for (const name of readdirSync(folder)) {
  test(`the rows of ${name.replace('.txt', '')} are read as they are printed`, () => {
    const { lines, truth } = readLayout(name)
    assert.deepEqual(printRows(makePage(readWords(lines))), truth.map(pad))
  })
}

test('a page that is slightly askew gives the same rows', () => {
  const { lines, truth } = readLayout('us-urinalysis.txt')
  const words = readWords(lines, 3).map((word) => ({
    ...word,
    box: { ...word.box, y: word.box.y + word.box.x * 0.02 },
  }))
  assert.deepEqual(printRows(makePage(words, 'recognized')), truth.map(pad))
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
    ].map(pad),
  )
})

test('every field has its place on the page', () => {
  const { lines } = readLayout('us-no-header.txt')
  const [row] = readRows([makePage(readWords(lines))])
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
  const { lines, truth } = readLayout('us-no-header.txt')
  const first = makePage(readWords(lines))
  const rows = readRows([first, { ...first, number: 2 }])
  assert.equal(rows.filter((row) => row.name.page === 1).length, truth.length)
})

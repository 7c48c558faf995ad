import assert from 'node:assert/strict'
import { test } from 'node:test'

import { lineHeight } from './crop-line.ts'
import type { Character } from './read-lines.ts'
import { splitWords } from './split-words.ts'

/** The words of a line whose letters are bars of ten pixels, as far apart as said. */
function split(text: string, gaps: readonly number[]): string[] {
  const width = 30 + [...text].length * 10 + gaps.reduce((sum, gap) => sum + gap, 0)
  const data = new Uint8Array(width * lineHeight * 3).fill(255)
  const characters: Character[] = []
  let x = 10
  for (const [index, letter] of [...text].entries()) {
    for (let y = 10; y < 38; y++) data.fill(0, (y * width + x) * 3, (y * width + x + 10) * 3)
    characters.push({ text: letter, x: x + 5, confidence: 0.9, variants: new Map() })
    x += 10 + (gaps[index] ?? 0)
  }
  const region = { x: width / 2, y: 24, width, height: lineHeight, angle: 0, score: 1 }
  return splitWords({ region, width, data }, characters).map((word) => word.text)
}

test('Words are parted where letters stand farther apart than elsewhere, though no space was read', () => {
  assert.deepEqual(split('SedRate', [3, 3, 13, 3, 3, 3]), ['Sed', 'Rate'])
  assert.deepEqual(split('4.610/uL', [3, 3, 15, 3, 3, 3, 3]), ['4.6', '10/uL'])
})

test('Figures that stand a little apart stay one number', () => {
  assert.deepEqual(split('211.51', [11, 9, 14, 14, 9]), ['211.51'])
  assert.deepEqual(split('H', []), ['H'])
})

test('A power of ten whose raised digit looks like a percent sign is read', () => {
  assert.deepEqual(split('10%/L', [3, 3, 3, 3]), ['10⁹/L'])
})

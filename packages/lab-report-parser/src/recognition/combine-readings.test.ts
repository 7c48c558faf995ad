import assert from 'node:assert/strict'
import { test } from 'node:test'

import { combineReadings, needsSecondReading } from './combine-readings.ts'
import type { Character } from './read-lines.ts'

/** Characters ten pixels apart, all as sure as said, with the variants of some. */
function makeReading(
  text: string,
  confidence = 0.95,
  variants: Record<string, [string, number][]> = {},
): Character[] {
  return [...text].map((letter, index) => ({
    text: letter,
    x: 10 * index,
    confidence,
    variants: new Map(variants[letter] ?? []),
  }))
}

function combine(main: string, latin: string): string {
  return textOf(combineReadings(makeReading(main), makeReading(latin)))
}

const textOf = (characters: readonly Character[]) =>
  characters.map((character) => character.text).join('')

test('Accents come from the Latin model, figures and units from the main one', () => {
  assert.equal(combine('F6sforo 3,41 μmol/L <7', 'Fósforo 3,47 umol/l 7'), 'Fósforo 3,41 μmol/L <7')
})

test('What one model leaves out the other gives', () => {
  assert.equal(combine('ALT (SGPT 12.0-16.5', 'ALT (SGPT) 12.0-16.5'), 'ALT (SGPT) 12.0-16.5')
  assert.equal(combine('ALT (SGPT)', 'ALT (SGPT'), 'ALT (SGPT)')
  assert.equal(combine('4.011.0', '4.0-11.0'), '4.0-11.0')
  assert.equal(combine('SedRateESR', 'Sed Rate ESR'), 'Sed Rate ESR')
})

test('A comma that one model takes for a point is a comma', () => {
  assert.equal(combine('4.7-28,76 0.5', '4,7-28.76 0.5'), '4,7-28,76 0.5')
})

test('A doubtful sign is not added, and no figure is torn apart', () => {
  const doubtful = combineReadings(makeReading('Urea'), makeReading('Urea)', 0.4))
  assert.equal(textOf(doubtful), 'Urea')
  assert.equal(combine('Urea 3.25', 'Urea 3. 25'), 'Urea 3.25')
})

test('Of two accents the likelier for both models is taken', () => {
  const main = makeReading('Saure', 0.9, {
    a: [
      ['a', 0.89],
      ['ä', 0.08],
    ],
  })
  const latin = makeReading('Sáure', 0.7, {
    á: [
      ['á', 0.69],
      ['ä', 0.17],
      ['a', 0.1],
    ],
  })
  assert.equal(textOf(combineReadings(main, latin)), 'Säure')
})

test('The second model reads words, brackets that stay open, and figures with two points', () => {
  assert.deepEqual(
    ['Urea', '(4', '4.011.0', '12.5', 'H', '10-20'].map((text) =>
      needsSecondReading(makeReading(text)),
    ),
    [true, true, true, false, false, false],
  )
  assert.ok(needsSecondReading(makeReading('12.5', 0.6)))
})

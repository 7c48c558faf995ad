import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getLoincTable } from '../loinc/loinc-table.ts'
import type { PageText } from '../pages/page.ts'
import { readReport } from '../parse.ts'
import { listLimitedComponents } from './check-reading.ts'

/** A page in letters of one width, from a text layer unless recognition gave it. */
function typePage(text: string, source: PageText['source'] = 'text_layer'): PageText {
  const words = text.split('\n').flatMap((line, row) =>
    [...line.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      box: { x: 40 + 6 * match.index, y: 40 + 14 * row, width: 6 * match[0].length, height: 10 },
      confidence: 1,
      fontSize: 10,
      isBold: false,
      color: null,
    })),
  )
  const size = { width: 700, height: 900 }
  return { number: 1, ...size, source, words, toSource: null, sourceSize: size }
}

const HEAD = `EXAMPLE CLINICAL LABORATORY
Patient: DOE, JANE      DOB: 03/04/1985   Sex: F
Collected: 01/02/2024

Test                 Result      Flag    Unit        Reference Range
`

function read(body: string, head = HEAD, source?: PageText['source']) {
  const outcome = readReport([typePage(head + body, source)], false)
  assert.equal(outcome.status, 'parsed')
  return outcome.status === 'parsed' ? outcome.report.results : []
}

const say = (results: ReturnType<typeof read>) =>
  results.map(({ name, value, doubts }) => [name.text, value.text, ...doubts].join(' '))

const ORDINARY = `Glucose              95                  mg/dL       70-99
Sodium               139                 mmol/L      135-145
Potassium            5.6         H       mmol/L      3.5-5.1
TSH                  1.9                 mIU/L       0.4-4.0
Troponin I           <0.15               ng/mL       <= 3.00
`

test('Values that titles explain are sure, and their codes match by themselves', () => {
  const results = read(ORDINARY)
  assert.deepEqual(say(results), [
    'Glucose 95',
    'Sodium 139',
    'Potassium 5.6',
    'TSH 1.9',
    'Troponin I <0.15',
  ])
  assert.ok(results.every(({ loincMatchStatus }) => loincMatchStatus === 'auto_match'))
  assert.ok(results.every(({ value }) => value.confidence === 1))
})

test('Values of rows that are arranged alike are sure without titles', () => {
  const head = HEAD.split('\n').slice(0, 4).join('\n')
  assert.deepEqual(say(read(`\n${ORDINARY}`, head)), say(read(ORDINARY)))
})

test('A reading that contradicts itself is doubtful, with no code of its own and not called normal', () => {
  const results = read(`${ORDINARY}Calcium              98                  mg/dL       8.6-10.3
Chloride             101         L       mmol/L      98-107
Hematocrit           41                  mmol/L      36-46
Magnesium            2.9                 mg/dL       1.7-2.2
ALT                  88          H       U/L         7-56
`)
  assert.deepEqual(say(results).slice(5), [
    'Calcium 98 value flag',
    'Chloride 101 flag',
    'Hematocrit 41 unit',
    // The report marks what is out of its interval, and this it does not.
    'Magnesium 2.9 flag',
    'ALT 88',
  ])
  const [chloride] = results.slice(6)
  assert.deepEqual(
    [chloride?.value.confidence, chloride?.loincMatchStatus, chloride?.interpretation],
    [0.5, 'needs_review', 'abnormal'],
  )
  assert.equal(results[7]?.interpretation, 'unknown')
})

test('Two values of the same thing are both doubtful', () => {
  const results = read(`${ORDINARY}Glucose              195         H       mg/dL       70-99\n`)
  assert.deepEqual(
    [say(results)[0], say(results)[5]],
    ['Glucose 95 repeated', 'Glucose 195 repeated'],
  )
})

test('A number that nothing explains makes its row doubtful', () => {
  const head = HEAD.split('\n').slice(0, 4).join('\n')
  const rows = `
Glucose              95    104     mg/dL       70-99
Sodium               139   137     mmol/L      135-145
Potassium            4.6   4.4     mmol/L      3.5-5.1
`
  for (const { doubts } of read(rows, head)) assert.ok(doubts.includes('parts'))
})

test('A picture in which a decimal sign may be lost is doubtful', () => {
  const results = read(
    `${ORDINARY}Calcium              9                   mg/dL       8.6-10.3\n`,
    HEAD,
    'recognized',
  )
  assert.equal(say(results)[5], 'Calcium 9 legibility')
})

test('What stands once more in a box of critical results is one result', () => {
  const box = `Critical result
Potassium 5.6 mmol/L (critical high)

`
  const [top, title] = [HEAD.split('\n').slice(0, 4).join('\n'), HEAD.split('\n')[4]]
  assert.deepEqual(say(read(`${title}\n${ORDINARY}`, `${top}\n${box}`)), say(read(ORDINARY)))
})

test('Intervals are those of the sex and age in the head', () => {
  const body = `Hemoglobin           12.4                g/dL        M: 13.5-17.5 F: 12.0-15.5
IGF-1                120                 ng/mL       31-40 years: 94-252
                                                     41-50 years: 81-225
Progesterone         0.4                 ng/mL       Luteal phase: 1.7-27.0
`
  const bounds = read(body).map(({ low, high, interpretation }) => [low, high, interpretation])
  assert.deepEqual(bounds, [
    [12, 15.5, 'normal'],
    [94, 252, 'normal'],
    [null, null, 'unknown'],
  ])
})

test('Every analyte whose limits are known is one of LOINC', () => {
  const components = new Set(getLoincTable().rows.map(({ component }) => component))
  assert.deepEqual(
    listLimitedComponents().filter((component) => !components.has(component)),
    [],
  )
})

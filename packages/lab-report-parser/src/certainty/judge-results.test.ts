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

const doubtsOf = (results: ReturnType<typeof read>) =>
  results.map(({ name, doubts }) => `${name.text}: ${doubts.length > 0 ? 'doubtful' : 'sure'}`)

test('Who was called about a result does not make it another one, wherever the box stands', () => {
  const boxes = [
    'Potassium 5.6 mmol/L (> 5.0)\nRN 2214 04:48',
    'Potassium: 5.6 mmol/L\ncalled to J. Weber, MD 14:32',
    'POTASSIUM 5.6 mmol/L, Dr. Lindqvist 14:32',
    'Potassium = 5.6 mmol/L HH called to J. Weber 14:32',
  ]
  const [top, title] = [HEAD.split('\n').slice(0, 4).join('\n'), HEAD.split('\n')[4]]
  for (const box of boxes) {
    const above = read(`${title}\n${ORDINARY}`, `${top}\n*** Critical ***\n${box}\n\n`)
    const below = read(`${ORDINARY}\n*** Critical ***\n${box}\n`)
    for (const results of [above, below])
      assert.deepEqual(
        say(results).filter((line) => /5\.6/.test(line)),
        ['Potassium 5.6'],
        box,
      )
  }
})

test('A sentence beside a table is no sure result', () => {
  const sentences = [
    'At very high risk below 55 mg/dL.',
    'Prediabetes: 5.7 to 6.4 %.',
    '1 mg/dL glucose = 0.0555 mmol/L',
    'Specimen hemolyzed (index 40 mg/dL) ; potassium 11 mmol/L',
    'TSH 2.5 mIU/L is the upper limit in the first trimester.',
  ]
  for (const sentence of sentences) {
    const sure = read(`${ORDINARY}${sentence}\n`).filter(({ doubts }) => doubts.length === 0)
    assert.ok(sure.length <= 5, sentence)
    assert.deepEqual(
      say(sure).filter((line) => !say(read(ORDINARY)).includes(line)),
      [],
      sentence,
    )
  }
})

test('A number beside the finding in words is not surely the result', () => {
  const head = HEAD.split('\n').slice(0, 4).join('\n')
  const rows = `
Test                 Result          S/CO
HBsAg                Non-reactive    0.21
Anti-HCV             Reactive        14.60
HIV Ag/Ab            Non-reactive    0.12
`
  assert.ok(read(rows, head).every(({ doubts }) => doubts.length > 0))
})

test('What stands under a title that is not known is no sure result where another column has the results', () => {
  const head = HEAD.split('\n').slice(0, 4).join('\n')
  const rows = `
Test                 Result    Quux      Unit        Reference Range
Glucose                        95        mg/dL       70-99
Sodium                         139       mmol/L      135-145
Potassium                      4.6       mmol/L      3.5-5.1
`
  assert.deepEqual(doubtsOf(read(rows, head)), [
    'Glucose: doubtful',
    'Sodium: doubtful',
    'Potassium: doubtful',
  ])
})

test('Values over their names are doubtful, as they may be those of the names over them', () => {
  const head = HEAD.split('\n').slice(0, 4).join('\n')
  const cards = `
95 mg/dL                     140 mmol/L                  4.6 mmol/L
Glucose                      Sodium                      Potassium
70-99                        136-145                     3.5-5.1

101 mmol/L                   9.4 mg/dL                   0.9 mg/dL
Chloride                     Calcium                     Creatinine
98-107                       8.6-10.2                    0.7-1.3
`
  const wrong = read(cards, head).filter(
    ({ name, value, doubts }) =>
      doubts.length === 0 &&
      !['Glucose 95', 'Sodium 140', 'Potassium 4.6', 'Chloride 101', 'Calcium 9.4'].includes(
        `${name.text} ${value.text}`,
      ),
  )
  assert.deepEqual(say(wrong), [])
})

test('A unit that lost a letter on a picture is doubtful', () => {
  const results = read(
    `${ORDINARY}Chloride             101                 mmol/       98-107\n`,
    HEAD,
    'recognized',
  )
  assert.equal(say(results)[5], 'Chloride 101 parts')
})

test('Below a heading of another specimen codes match by themselves only where the row names it', () => {
  const row = 'pH                   7.7                             7.2-8.0\n'
  const codes = ['Semen analysis', 'Semen analysis\n\nTest results'].map((heading) => {
    const [result] = read(row, HEAD.replace('Test  ', `${heading}\n\nTest  `))
    return `${result?.loincMatches[0]?.code} ${result?.loincMatchStatus}`
  })
  assert.equal(codes[0], '2752-4 auto_match')
  assert.match(codes[1] ?? '', /needs_review$/)
})

test('A label before an interval is no sentence', () => {
  const head = HEAD.split('\n').slice(0, 4).join('\n')
  assert.deepEqual(say(read('\nGlucose = 95 mg/dL (Reference Range: 70-99)\n', head)), [
    'Glucose 95',
  ])
})

test('A value is doubtful where it is open which of the dates over a row is the newest', () => {
  const results = read(`${ORDINARY}
Test                 02/03/2025    03/02/2025    Unit        Reference Range
Calcium              9.1           9.4           mg/dL       8.6-10.3
`)
  const calcium = doubtsOf(results).slice(5)
  assert.ok(calcium.length > 0)
  assert.ok(calcium.every((line) => line === 'Calcium: doubtful'))
})

test('A row below a table is none of it because its value follows its name as closely', () => {
  const results = read(`${ORDINARY}Alk phosphatase      95                  U/L         40-129
Total bilirubin      0.9                 mg/dL       0.2-1.2

HbA1c      126 mg/dL
`)
  assert.equal(results.filter(({ doubts }) => doubts.length === 0).length, 7)
  assert.equal(results[7]?.doubts.includes('place'), true)
})

test('A target of therapy under a row is no sure result', () => {
  const target = 'Anti-Xa              0.3-0.7             s           25-37\n'
  const cells = 'Red blood cells      6-10                /HPF        0-5\n'
  const results = read(`${ORDINARY}${target}${cells}`)
  assert.deepEqual(say(results).slice(5), ['Anti-Xa 0.3-0.7 value', 'Red blood cells 6-10'])
  const sentence = read(`${ORDINARY}  Heparin therapy:   60-85\n`).slice(5)
  assert.ok(sentence.every(({ doubts }) => doubts.length > 0))
})

test('Findings and amounts beside each other are doubtful where one of them is in no row', () => {
  const head = HEAD.split('\n').slice(0, 4).join('\n')
  const cells = `
HBsAg                Non-reactive    0.21         <1.00
Anti-HCV             Reactive        14.60        <1.00
HIV Ag/Ab            Non-reactive    0.12         <1.00
`
  for (const titles of [
    'Test                 Interpretation    S/CO     Reference',
    'Test                 Finding         Index    Cut-off',
  ])
    assert.ok(read(`\n${titles}${cells}`, head).every(({ doubts }) => doubts.length > 0))
})

test('Names beside titers that are no rows make the page of a lab report doubtful', () => {
  const lost = [
    'Brucella                                 pending, see 1:40',
    'Borrelia                                 pending, see 1:64',
  ].join('\n')
  const results = read(`${ORDINARY}\n\n${lost}\n`)
  assert.ok(results.every(({ doubts }) => doubts.length > 0))
})

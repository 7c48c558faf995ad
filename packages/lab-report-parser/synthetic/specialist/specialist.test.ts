import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { evaluateDocuments, sumScores } from '../../eval/evaluate.ts'
import { readSourcePages } from '../../src/pages/read-pages.ts'
import type { Part } from '../style.ts'
import { drawSpecialist, SPECIALIST_KINDS, type SpecialistDocument } from './draw.ts'

/** One document of every kind and part, drawn once for all tests. */
const drawAll = (part: Part): Promise<SpecialistDocument[]> =>
  Promise.all(SPECIALIST_KINDS.map((_, seed) => drawSpecialist(seed, part)))
const DRAWN = { tuned: await drawAll('tuned'), unseen: await drawAll('unseen') }
const PARTS = ['tuned', 'unseen'] as const

async function readWords(pdf: Uint8Array): Promise<string[]> {
  const words: string[] = []
  for await (const page of readSourcePages([pdf])) {
    words.push(...(page.words ?? []).map(({ text }) => text))
  }
  return words
}

test('a seed gives the same specialist report again, and the parts differ in each kind', async () => {
  const { tuned, unseen } = DRAWN
  for (const seed of [3, 12]) assert.deepEqual(await drawSpecialist(seed, 'tuned'), tuned[seed])
  for (const [at, document] of tuned.entries()) {
    assert.equal(document.kind, SPECIALIST_KINDS[at])
    assert.equal(unseen[at]?.kind, document.kind)
    assert.notDeepEqual(unseen[at]?.rows, document.rows)
  }
})

test('what the truth of a specialist report says is printed', async () => {
  for (const part of PARTS) {
    for (const { name, kind, pdf, rows } of DRAWN[part]) {
      assert.ok(rows.length >= 3, name)
      const text = (await readWords(pdf)).join('')
      for (const row of rows) {
        for (const word of [row.name, row.value, row.flag ?? ''].join(' ').split(' ')) {
          // Rotated text may be extracted letter by letter.
          if (kind !== 'turned') assert.ok(text.includes(word), `${part} ${name}: ${word}`)
        }
      }
    }
  }
})

test('no sure result of a specialist report is another number of the page', async () => {
  const documents = []
  // Reading one takes the processor more than a second.
  const some = DRAWN.tuned.filter((_, seed) => seed % campaignRuns(3, 1) === 0)
  const drawn = some.map(({ name, pdf, rows, header }) => ({
    file: name,
    bytes: pdf,
    rows,
    header,
  }))
  for await (const document of evaluateDocuments(drawn)) documents.push(document)
  const wrong = documents.flatMap(({ file, score: { certainty } }) =>
    certainty.sureWrongValue > 0 ? [`${file}: ${certainty.sureWrongValue}`] : [],
  )
  assert.deepEqual(wrong, [])
  const { certainty } = sumScores(documents)
  assert.ok(
    certainty.sure > certainty.read * 0.75,
    `${certainty.sure} of ${certainty.read} are sure`,
  )
})

test('a value outside of the bounds for the patient is not normal in the truth', () => {
  for (const part of PARTS) {
    for (const { name, kind, rows } of DRAWN[part]) {
      for (const { value, low, high, interpretation, flag } of rows) {
        const number = Number(value.replace(',', '.'))
        if (low === null && high === null) assert.equal(interpretation, null, name)
        else if (!Number.isNaN(number) && number !== low && number !== high) {
          const isHigh = high !== null && number > high
          const isLow = low !== null && number < low
          assert.equal(
            interpretation,
            isHigh ? 'high' : isLow ? 'low' : 'normal',
            `${name} ${value}`,
          )
        }
        // The category of the germ follows the concentration.
        if (flag !== null && kind !== 'antibiogram')
          assert.ok(interpretation === 'high' || interpretation === 'low', name)
      }
    }
  }
})

test('of ranges by sex and age one applies, and of those by phases of the cycle none', () => {
  for (const part of PARTS) {
    const [groups, phases] = (['groups', 'phases'] as const).map(
      (kind) => DRAWN[part][SPECIALIST_KINDS.indexOf(kind)],
    )
    const isMale = groups?.header.gender === 'male'
    const hemoglobin = groups?.rows[0]
    assert.deepEqual([hemoglobin?.low, hemoglobin?.high], isMale ? [13, 17] : [12, 15])
    assert.ok(groups?.rows.every(({ low, high }) => low !== null || high !== null))
    assert.ok(phases?.rows.every(({ low, high }) => low === null && high === null))
    assert.equal(phases?.header.gender, 'female')
  }
})

test('only what a table cannot carry may be refused', () => {
  const refusable = DRAWN.unseen.filter(({ mayRefuse }) => mayRefuse)
  assert.deepEqual(
    refusable.map(({ kind }) => kind),
    ['antibiogram', 'genetic', 'transposed'],
  )
})

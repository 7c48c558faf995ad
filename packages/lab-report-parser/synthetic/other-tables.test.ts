import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluateDocuments, sumScores } from '../eval/evaluate.ts'
import { rate } from '../eval/score.ts'
import { drawOtherTable, OTHER_TABLES, type OtherTable } from './other-tables.ts'

async function* drawSome(kind: OtherTable) {
  for (let seed = 101; seed < 105; seed++) {
    const { name, pdf, rows, header } = await drawOtherTable(seed, kind)
    yield { file: `${seed}-${name}`, bytes: pdf, rows, header }
  }
}

for (const kind of OTHER_TABLES) {
  test(`no result of ${kind} documents is another number of the page`, async () => {
    const documents = []
    for await (const document of evaluateDocuments(drawSome(kind))) documents.push(document)
    const { precision, recall } = rate(sumScores(documents).fields['name+value'])
    assert.equal(precision, 1)
    assert.ok(recall >= 0.95, `${recall} of the results are read`)
  })
}

import { parseArgs } from 'node:util'
import { type EvaluatedDocument, evaluateDocuments, sumScores } from './evaluate.ts'
import { FIELDS, rate, type Score } from './score.ts'
import { readDocuments } from './truth.ts'

/**
 * `npm run eval:lab-reports -- DIR [--verbose] [--json] [--floor 0.97]`: parses every document of a
 * folder that has a truth file, and prints how much was read correctly. The exit code is 1 if F1 of
 * name and value is below the floor, if a document that is not a laboratory report had results, or
 * if the parser threw; it is 2 if the folder has no documents with truth.
 */
async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      verbose: { type: 'boolean', short: 'v', default: false },
      json: { type: 'boolean', default: false },
      floor: { type: 'string', default: '0' },
    },
  })
  const [directory] = positionals
  if (directory === undefined || Number.isNaN(Number(values.floor))) {
    console.error('usage: npm run eval:lab-reports -- DIR [--verbose] [--json] [--floor 0.97]')
    return 2
  }
  const documents: EvaluatedDocument[] = []
  for await (const document of evaluateDocuments(readDocuments(directory))) {
    documents.push(document)
    if (!values.json) printDocument(document, values.verbose)
  }
  if (documents.length === 0) {
    console.error('no document with a truth file')
    return 2
  }
  const total = sumScores(documents)
  if (values.json) console.log(JSON.stringify({ documents, total: toRates(total) }, null, 2))
  else printTotal(documents, total)
  const isWrong = documents.some(
    ({ outcome }) => outcome === 'threw' || outcome === 'wrongly parsed',
  )
  return isWrong || rate(total.fields['name+value']).f1 < Number(values.floor) ? 1 : 0
}

const percent = (share: number): string =>
  Number.isNaN(share) ? '    –' : `${(100 * share).toFixed(1).padStart(5)}`

function toRates(score: Score) {
  const fields = FIELDS.map((field) => [field, rate(score.fields[field])])
  const { judged, autoMatched, autoRight, inFirst, inFive } = score.loinc
  return {
    fields: Object.fromEntries(fields),
    loinc: {
      autoMatchPrecision: autoRight / autoMatched,
      autoMatchRecall: autoRight / judged,
      first: inFirst / judged,
      topFive: inFive / judged,
    },
    header: score.header.right / score.header.printed,
    certainty: score.certainty,
  }
}

/**
 * Prints the share of sure results and F1 by family of layouts. The family is part of the names of
 * synthetic documents, such as `stacked` in `tuned-00006-stacked-en-text.pdf`.
 */
function printCertainty(documents: readonly EvaluatedDocument[], total: Score): void {
  const familyOf = ({ file }: EvaluatedDocument) => /^\w+-\d+-([a-z-]+)-[a-z]{2}-/.exec(file)?.[1]
  const families = Map.groupBy(documents, (document) => familyOf(document) ?? 'others')
  const columns = [
    'read',
    'sure',
    'wrong value',
    'wrong meaning',
    'doubtful, and right',
    'n+v',
    'unit',
    'range',
    'flag',
    'documents',
    'for review',
    'for nothing',
  ]
  console.log(`  ${'certainty'.padEnd(18)}${columns.join('  ')}`)
  const print = (name: string, group: readonly EvaluatedDocument[], score: Score) => {
    const { certainty, fields } = score
    const { read, sure, sureWrongValue, sureWrongMeaning, doubtfulRight } = certainty
    const shares = (['name+value', 'unit', 'range', 'flag'] as const).map((field) =>
      percent(rate(fields[field]).f1).trim(),
    )
    const cells = [read, sure, sureWrongValue, sureWrongMeaning, doubtfulRight, ...shares]
    cells.push(group.length, certainty.reviewed, certainty.reviewedForNothing)
    const texts = cells.map((cell, at) => String(cell).padStart(columns[at]?.length ?? 0))
    console.log(`  ${name.padEnd(18)}${texts.join('  ')}`)
  }
  for (const [name, group] of [...families].sort()) print(name, group, sumScores(group))
  print('all', documents, total)
}

/**
 * Lists F1 of every field; for LOINC the precision and recall of `auto_match`, and the recall of
 * the five candidates.
 */
function sayScore(score: Score): string {
  const { loinc, header } = toRates(score)
  return [
    ...FIELDS.map((field) => percent(rate(score.fields[field]).f1)),
    percent(loinc.autoMatchPrecision),
    percent(loinc.autoMatchRecall),
    percent(loinc.topFive),
    percent(header),
  ].join('  ')
}

const TITLES = 'n+v    unit   range  flag   interp auto-P auto-R top-5  header'

function printDocument(document: EvaluatedDocument, isVerbose: boolean): void {
  const { file, printedRows, readRows, outcome, pages, seconds, score, differences } = document
  const time = `${(seconds / pages).toFixed(2)} s/page`
  console.log(`${file}: ${readRows} of ${printedRows} rows, ${outcome}, ${time}`)
  console.log(`  F1 %  ${TITLES}\n        ${sayScore(score)}`)
  if (!isVerbose) return
  for (const { kind, name, printed, read } of differences) {
    console.log(`    ${kind} · ${name} · printed ${printed ?? '–'} · read ${read ?? '–'}`)
  }
}

function printTotal(documents: readonly EvaluatedDocument[], total: Score): void {
  const pages = documents.reduce((sum, document) => sum + document.pages, 0)
  const seconds = documents.reduce((sum, document) => sum + document.seconds, 0)
  console.log(
    `\n${documents.length} documents, ${pages} pages, ${(seconds / pages).toFixed(2)} s/page`,
  )
  const outcomes = Object.groupBy(documents, ({ outcome }) => outcome)
  for (const [outcome, group] of Object.entries(outcomes)) {
    console.log(`  ${outcome}: ${group?.length}`)
  }
  console.log('                  precision  recall     F1')
  for (const field of FIELDS) {
    const { precision, recall, f1 } = rate(total.fields[field])
    console.log(`  ${field.padEnd(16)}${[precision, recall, f1].map(percent).join('    ')}`)
  }
  const { loinc, header } = toRates(total)
  console.log(
    `  LOINC auto_match: precision ${percent(loinc.autoMatchPrecision)}, recall ${percent(loinc.autoMatchRecall)}`,
  )
  console.log(
    `  LOINC first candidate ${percent(loinc.first)}, among five ${percent(loinc.topFive)}`,
  )
  console.log(`  header facts ${percent(header)}`)
  printCertainty(documents, total)
}

process.exitCode = await run()

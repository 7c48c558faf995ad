import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { LabReport } from '@salus/lab-report-parser'
import { startSalus } from '../testing/salus-command.ts'

const PNG_START = '89504e470d0a1a0a'

let folder: string
let report: string

/**
 * A PDF of pages of text, as plain as they come: each line has its place, in points from the upper
 * left corner.
 */
function makePdf(pages: readonly (readonly [x: number, y: number, text: string][])[]): string {
  const contents = pages.map((lines) =>
    lines.map(([x, y, text]) => `BT /F1 10 Tf ${x} ${792 - y} Td (${text}) Tj ET`).join('\n'),
  )
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, k) => `${4 + 2 * k} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, k) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * k} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ]
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, k) => {
    const offset = pdf.length
    pdf += `${k + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const size = objects.length + 1
  return `${pdf}xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`
}

const COLUMNS = [72, 250, 330, 430]
const row = (y: number, ...texts: string[]): [number, number, string][] =>
  texts.map((text, k) => [COLUMNS[k] ?? 0, y, text])

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'salus-cli-parse-'))
  report = join(folder, 'report.pdf')
  const head = row(130, 'Test', 'Result', 'Units', 'Reference Range')
  const pages = [
    [
      ...row(60, 'Seaside Clinical Laboratory'),
      ...row(90, 'Patient: SAMPLE, ALEX'),
      ...row(104, 'Date of Birth: 04/05/1980'),
      ...head,
      ...row(150, 'Glucose', '131', 'mg/dL', '65 - 99'),
      ...row(166, 'Creatinine', '0.90', 'mg/dL', '0.60 - 1.20'),
      ...row(182, 'Sodium', '139', 'mmol/L', '135 - 145'),
    ],
    [
      ...head,
      ...row(150, 'Potassium', '4.1', 'mmol/L', '3.5 - 5.1'),
      ...row(166, 'Chloride', '95', 'mmol/L', '98 - 107'),
    ],
  ]
  writeFileSync(report, makePdf(pages))
})
after(() => rmSync(folder, { recursive: true, force: true }))

const parse = (...args: string[]) => startSalus(['parse', ...args]).result

describe('salus parse', () => {
  it('prints a table that fits a terminal, and writes a picture of each page', async () => {
    const { code, stdout, stderr } = await parse(report, '--png', join(folder, 'read.png'))
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Patient +ALEX SAMPLE$/im)
    assert.match(stdout, /^Glucose +131 +mg\/dL +65 - 99 +H\b.* 100%$/m)
    assert.match(stdout, /^Chloride +95 +mmol\/L +98 - 107 +L\b.* 100%$/m)
    assert.match(stdout, /^5 results on 2 pages\.$/m)
    assert.ok(stdout.split('\n').every((line) => line.length <= 80))
    for (const number of [1, 2]) {
      const png = readFileSync(join(folder, `read-${number}.png`))
      assert.equal(png.subarray(0, 8).toString('hex'), PNG_START)
    }
  })

  it('prints all that was read as JSON', async () => {
    const { stdout } = await parse(report, '--json')
    const { results, pages } = JSON.parse(stdout) as LabReport
    assert.deepEqual(
      results.map(({ name, number, low, high, ucumUnit }) => [
        name.text,
        number,
        low,
        high,
        ucumUnit,
      ])[0],
      ['Glucose', 131, 65, 99, 'mg/dL'],
    )
    assert.deepEqual(
      pages.map(({ number, source }) => [number, source]),
      [
        [1, 'text_layer'],
        [2, 'text_layer'],
      ],
    )
  })

  it('says in one line why a file cannot be read', async () => {
    const letter = join(folder, 'letter.pdf')
    writeFileSync(letter, makePdf([row(80, 'Dear Sir, thank you for your visit.')]))
    const text = join(folder, 'notes.txt')
    writeFileSync(text, 'Glucose 131 mg/dL')
    const broken = join(folder, 'broken.pdf')
    writeFileSync(broken, '%PDF-1.4\nnothing more')
    const cases: [args: string[], message: RegExp][] = [
      [[letter], /^salus: The file contains no laboratory report with results\.\n$/],
      [[text], /^salus: Only PDF, JPEG and PNG files are supported\.\n$/],
      [[broken], /^salus: The file is damaged, encrypted or protected from reading\.\n$/],
      [[report, report], /^salus: Several files must be images: a PDF is a report of its own\.\n$/],
      [[join(folder, 'none.pdf')], /^salus: There is no .*none\.pdf\.\n$/],
      [[report, '--png', join(folder, 'none', 'read.png')], /^salus: Cannot write .*: ENOENT\.\n$/],
    ]
    const answers = await Promise.all(cases.map(([args]) => parse(...args)))
    for (const [k, { code, stderr }] of answers.entries()) {
      assert.equal(code, 1)
      assert.match(stderr, cases[k]?.[1] as RegExp)
    }
  })
})

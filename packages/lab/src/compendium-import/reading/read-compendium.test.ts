import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Loose } from '../../../../server/test/catalog/small-catalog.ts'
import {
  readExample,
  requestOf,
  toBase64,
} from '../../../../server/test/compendium/compendium-files.ts'
import { CatalogProblems } from '../../catalog/index.ts'
import { readMapping } from '../mapping/read-mapping.ts'
import { type Compendium, readCompendium } from './read-compendium.ts'

/** Reads a request; `problems` and refusals are `path: message`. */
function read({ mapping: input, files }: Loose): { compendium?: Compendium; problems: string[] } {
  const problems = new CatalogProblems()
  const mapping = readMapping(input, problems)
  const list = () => problems.list.map(({ path, message }) => `${path}: ${message}`)
  if (mapping === undefined) return { problems: list() }
  const contents = Object.entries<string>(files).map(([name, content]) => ({
    name,
    content: Buffer.from(content, 'base64'),
  }))
  const compendium = readCompendium(contents, mapping, problems)
  return { compendium, problems: list() }
}

const refusalsOf = (request: Loose): string[] => {
  const { compendium, problems } = read(request)
  assert.deepEqual(problems, [])
  return compendium?.refusals.list.map(({ path, message }) => `${path}: ${message}`) ?? []
}

const namesOf = (request: Loose): (string | undefined)[] => {
  const { compendium, problems } = read(request)
  assert.deepEqual(problems, [])
  return [...(compendium?.tests.values() ?? [])].map(({ name }) => name)
}

/** A request whose tests are in bytes, with a format. */
function withBytes(bytes: Buffer, format: Loose): Loose {
  const request = requestOf('')
  request.mapping.format = format
  request.files = { 'tests.csv': bytes.toString('base64') }
  return request
}

describe('files of a compendium', () => {
  it('are read with any delimiter, with and without quotes and a header', () => {
    const ofText = (text: string, format: Loose) => withBytes(Buffer.from(text), format)
    const kind = 'delimited'
    assert.deepEqual(namesOf(ofText('CODE\tNAME\r\n1\tOne\r\n', { kind, delimiter: '\t' })), [
      'One',
    ])
    assert.deepEqual(namesOf(requestOf('CODE,NAME\n1,"One, ""two"""\n\n')), ['One, "two"'])
    const bare = { kind, delimiter: '|', quote: '', columns: ['CODE', 'NAME'] }
    assert.deepEqual(namesOf(ofText('1|5" tube\n2|Two\n', bare)), ['5" tube', 'Two'])
    assert.deepEqual(
      namesOf(ofText('Compendium of May\nCODE,NAME\n1,One', { kind, skip_lines: 1 })),
      ['One'],
    )
  })

  it('are decoded by their byte order mark, else by the encoding of the mapping', () => {
    const text = 'CODE,NAME\n1,Sjögren – µmol'
    const kind = 'delimited'
    assert.deepEqual(namesOf(withBytes(Buffer.from(`\ufeff${text}`), { kind })), ['Sjögren – µmol'])
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
    assert.deepEqual(namesOf(withBytes(wide, { kind })), ['Sjögren – µmol'])
    const bytes = Buffer.from(text.replace('–', '\x96'), 'latin1')
    const encoding = 'windows-1252'
    assert.deepEqual(namesOf(withBytes(bytes, { kind, encoding })), ['Sjögren – µmol'])
    assert.deepEqual(read(withBytes(bytes, { kind })).problems, [
      'tests.csv: The file is not utf-8; name another encoding in its format.',
    ])
  })

  it('are read by the positions of fixed width', () => {
    const positions = { CODE: [1, 5], NAME: [6, 20] }
    const request = withBytes(Buffer.from('1    Glucose\n12345Creatinine     X\n'), {
      kind: 'fixed_width',
      positions,
    })
    assert.deepEqual(namesOf(request), ['Glucose', 'Creatinine'])
  })

  it('are refused with the file, row and column of each wrong cell', () => {
    const fields = {
      price: 'PRICE',
      loinc: 'LOINC',
      common_tat_days: { column: 'DAYS', pattern: String.raw`(\d+) days?` },
      sample_type: { column: 'TYPE', map: { S: 'serum', B: 'blood' } },
    }
    const refusals = refusalsOf(
      requestOf(
        `CODE,NAME,PRICE,LOINC,DAYS,TYPE
         1,One,"1,234.50",2345-7,3 days,S
         2,Two,cheap,2345-8,soon,X
         ,Three,1,2345-7,1 day,S
         4,,1,2345-7,400 days,B
         1,Other,,,,`,
        fields,
      ),
    )
    assert.deepEqual(refusals, [
      'tests.csv, line 3, LOINC: 2345-8 is not a LOINC code: its check digit is wrong.',
      'tests.csv, line 3, PRICE: The value is no price in dollars.',
      'tests.csv, line 3, TYPE: The map has no entry for "X".',
      'tests.csv, line 3, DAYS: The value does not match the pattern.',
      'tests.csv, line 4, CODE: The row has no code.',
      'tests.csv, line 5, NAME: The test has no name.',
      `tests.csv, line 5, TYPE: The value is not one of ${SAMPLES}; map it.`,
      'tests.csv, line 5, DAYS: The value is no number of days up to 365.',
      'tests.csv, line 6, CODE: The test differs from the one of tests.csv, line 2.',
    ])
  })

  it('have questions whose answers come from a cell or from a table', () => {
    const questions = `TEST,CODE,TEXT,TYPE,OPTIONS
      1,A,First?,choice,Y:Yes;N
      1,B,Second?,choice,
      1,C,Third?,text,X:x
      9,A,Elsewhere?,text,`
    const tables = {
      questions: [
        {
          file: 'questions.csv',
          fields: {
            ...{ test: 'TEST', code: 'CODE', text: 'TEXT', type: 'TYPE' },
            answers: { column: 'OPTIONS', split: ';', pair: ':' },
          },
        },
      ],
      answers: [{ file: 'answers.csv', fields: { question: 'Q', code: 'CODE', text: 'TEXT' } }],
    }
    const files = {
      'questions.csv': toBase64(questions),
      'answers.csv': toBase64('Q,CODE,TEXT\nB,1,One\nB,2,Two'),
    }
    const { compendium } = read(requestOf('CODE,NAME\n1,One', {}, { tables, files }))
    assert.deepEqual(
      compendium?.tests.get('1')?.questions?.map(({ answers }) => answers),
      [
        [
          { code: 'Y', text: 'Yes' },
          { code: 'N', text: 'N' },
        ],
        [
          { code: '1', text: 'One' },
          { code: '2', text: 'Two' },
        ],
        [{ code: 'X', text: 'x' }],
      ],
    )
    assert.equal(compendium?.unusedRows, 1)
    assert.deepEqual(compendium?.refusals.list, [
      {
        code: '1',
        path: 'questions.csv, line 4, OPTIONS',
        message: 'A question of type text has no answers to choose from.',
      },
    ])
  })

  it('are only messages of master files where they are HL7', () => {
    const request = readExample('edos')
    const text = Buffer.from(request.files['compendium.hl7'], 'base64').toString()
    request.files['compendium.hl7'] = toBase64(text.replace('MFN^M10^MFN_M10', 'ORU^R01'))
    assert.deepEqual(read(request).problems, [
      'compendium.hl7, message 2: The type is ORU, not MFN.',
    ])
    request.files['compendium.hl7'] = toBase64('CODE,NAME')
    assert.match(read(request).problems.join(), /^compendium\.hl7, byte 0: The file is not one of/)
  })

  it('have to be there, with their columns, and to be used', () => {
    const request = requestOf('CODE,TITLE\n1,One')
    request.files['more.csv'] = ''
    request.mapping.tables.components = [{ file: 'c*.csv', fields: { test: 'T', code: 'C' } }]
    assert.deepEqual(read(request).problems, [
      'tests.csv, NAME: The file has no such column.',
      'mapping.tables.components[0].file: No file is named c*.csv.',
      'more.csv: No table of the mapping reads the file.',
    ])
  })
})

const SAMPLES = 'dried_blood_spot, arm_collector, serum, saliva, urine, stool'

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Loose } from '../../../../server/test/catalog/small-catalog.ts'
import { readExample, requestOf } from '../../../../server/test/compendium/compendium-files.ts'
import { CatalogProblems } from '../../catalog/index.ts'
import { readMapping } from './read-mapping.ts'

function problemsOf(mapping: Loose): string[] {
  const problems = new CatalogProblems()
  const read = readMapping(mapping, problems)
  assert.equal(read === undefined, problems.count > 0)
  return problems.list.map(({ path, message }) => `${path}: ${message}`)
}

const withFields = (fields: Loose) => requestOf('', fields).mapping

describe('a mapping', () => {
  it('is valid in the examples', () => {
    for (const name of ['tables', 'edos'] as const) {
      assert.deepEqual(problemsOf(readExample(name).mapping), [])
    }
  })

  it('has no unknown properties, at any depth', () => {
    const mapping = withFields({ cost: 'X', unit: { colum: 'X' } })
    mapping.tables.test = []
    mapping.format = { kind: 'delimited', seperator: ';' }
    const problems = problemsOf(mapping).join('\n')
    for (const path of [
      'mapping.tables.test:',
      'mapping.format.seperator:',
      'mapping.tables.tests[0].fields.cost:',
      'mapping.tables.tests[0].fields.unit.colum:',
    ]) {
      assert.ok(problems.includes(path), `${path} in ${problems}`)
    }
  })

  it('needs the tests with their codes and names', () => {
    const problems = problemsOf({ tables: { tests: [{ file: 'a.csv', fields: { code: 'C' } }] } })
    assert.match(problems.join(), /^mapping\.tables\.tests\[0\]\.fields\.name: /)
    assert.match(problemsOf({ tables: {} }).join(), /^mapping\.tables\.tests: /)
    assert.match(problemsOf([]).join(), /^mapping: /)
  })

  it('has rules with one source and a pattern that is bounded', () => {
    const problems = problemsOf(
      withFields({
        unit: { column: 'A', value: 'B' },
        loinc: {},
        price: { column: 'A', join: '-' },
        aliases: { column: 'A', pattern: '(a+)+' },
        description: { column: 'A', pattern: '(' },
        cpt_codes: { column: 'A', pattern: '.*' },
      }),
    )
    const fields = 'mapping.tables.tests[0].fields'
    assert.deepEqual(problems, [
      `${fields}.unit: Needs one of column, columns and value.`,
      `${fields}.loinc: Needs one of column, columns and value.`,
      `${fields}.price.join: Only columns are joined.`,
      `${fields}.aliases.pattern: A repeated group may neither repeat nor choose inside.`,
      `${fields}.description.pattern: The regular expression does not compile.`,
      `${fields}.cpt_codes.pattern: The regular expression matches an empty text.`,
    ])
  })

  it('has formats with the properties of their kind, and fields of HL7', () => {
    const mapping = withFields({ unit: 'OM2-2.1' })
    mapping.format = { kind: 'hl7', delimiter: '|' }
    mapping.tables.results = [
      {
        file: 'a.txt',
        format: { kind: 'fixed_width', positions: { A: [5, 4] } },
        fields: { code: 'A' },
      },
    ]
    assert.deepEqual(problemsOf(mapping), [
      'mapping.format.delimiter: Belongs to the kind delimited, not to hl7.',
      'mapping.format.rows: Messages of HL7 need the segment or field that makes a row.',
      'mapping.tables.tests[0].fields.code: A column of HL7 is a field such as OM1-2.1.',
      'mapping.tables.tests[0].fields.name: A column of HL7 is a field such as OM1-2.1.',
      'mapping.tables.results[0].format.positions.A: Ends before it begins.',
    ])
  })
})

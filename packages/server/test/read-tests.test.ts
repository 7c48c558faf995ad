import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTestsWithoutAssertion } from './read-tests.ts'
import { readSourceFiles, type SourceFile } from './source-files.ts'

test('every test asserts something', () => {
  const files = readSourceFiles('packages/*/{src,test,eval,synthetic}/**/*.ts', 'scripts/**/*.ts')
  assert.deepEqual(findTestsWithoutAssertion(files), [])
})

const fileOf = (path: string, text: string): SourceFile => ({
  path,
  text,
  lines: text.split('\n'),
  imports: [],
})

test('a test asserts by itself, by a function of its file or by an imported one', () => {
  const shared = fileOf(
    'a/shared.ts',
    `
export function makeNothing(): void {}
export const seesRows = async (rows: number) => {
  assert.equal(rows, 1)
}
`,
  )
  const tests = fileOf(
    'a/rows.test.ts',
    `
import { makeNothing, seesRows as sees } from './shared.ts'
test('directly', () => assert.ok(true))
test('by its own function', async () => {
  await prove()
})
test('by an imported function', () => sees(1))
test('by nothing', async () => {
  // assert is a word of a comment, and
  const text = 'assert' + \`assert \${'assert'}\`
  makeNothing(text, /assert/)
})
async function prove() {
  if (1 > 0) {
    assert.ok(true)
  }
}
`,
  )
  assert.deepEqual(findTestsWithoutAssertion([shared, tests]), ['a/rows.test.ts:8'])
})

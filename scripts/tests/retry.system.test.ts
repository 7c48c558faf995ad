import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'

const RUNNER = join(import.meta.dirname, '..', 'test.ts')

const PASSES = `
import { test } from 'node:test'
test('passes', () => {})
`

/** Fails in the first process that runs it. */
const FAILS_ONCE = `
import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
const flag = import.meta.filename + '.ran'
const isFirst = !existsSync(flag)
writeFileSync(flag, '')
test('passes when it runs again', () => {
  if (isFirst) throw new Error('the first time')
})
test('passes beside it', () => {})
`

const ENDS_ONCE = FAILS_ONCE.replace("throw new Error('the first time')", 'process.exit(3)')

/** Ends the first process that loads it. */
const ENDS_LOADING_ONCE = `
import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
const flag = import.meta.filename + '.loaded'
if (!existsSync(flag)) {
  writeFileSync(flag, '')
  process.exit(3)
}
test('passes alone', () => {})
`

const SKIPS = `
import { describe, test } from 'node:test'
const skip = 'there is no browser'
test('opens a page', { skip }, () => {})
test('is not ready', { skip: true }, () => {})
describe('pages', { skip }, () => {
  test('opens another page', () => {})
})
`

const FAILS_TWICE = `
import { test } from 'node:test'
test('fails', () => {
  throw new Error('each time')
})
`

describe('a run of test files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'salus-retry-'))
  after(() => rmSync(folder, { recursive: true }))

  /**
   * Runs the texts as test files of these names; how the run ended, its output and its last line.
   */
  function run(name: string, texts: Record<string, string>, ...options: string[]) {
    const paths = Object.entries(texts).map(([file, text]) => {
      const path = join(folder, `${name}-${file}.test.ts`)
      writeFileSync(path, text)
      return path
    })
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const ran = spawnSync(process.execPath, [RUNNER, ...options, ...paths], { env })
    const output = `${ran.stdout}${ran.stderr}`
    return { status: ran.status, output, last: output.trimEnd().split('\n').at(-1) }
  }

  test('a file that fails and then passes alone is named flaky, and does not fail the run', () => {
    const { status, output, last } = run('flaky', { passes: PASSES, once: FAILS_ONCE }, '--retry')
    assert.deepEqual([status, last], [0, '3 passed, 0 failed'], output)
    assert.match(output, /^FLAKY .*flaky-once\.test\.ts:/m)
    assert.match(output, /the first time/)
  })

  test('a file whose process ends and then passes alone is named flaky', () => {
    const { status, output, last } = run('ending', { once: ENDS_ONCE }, '--retry')
    assert.deepEqual([status, last], [0, '2 passed, 0 failed'], output)
    assert.match(output, /^FLAKY .*ending-once\.test\.ts:/m)
  })

  test('a file that fails twice fails the run, and is not flaky', () => {
    const texts = { passes: PASSES, once: FAILS_ONCE, twice: FAILS_TWICE }
    const { status, output, last } = run('failing', texts, '--retry')
    assert.deepEqual([status, last], [1, '3 passed, 1 failed'], output)
    assert.match(output, /^FLAKY .*failing-once\.test\.ts:/m)
    assert.doesNotMatch(output, /FLAKY .*failing-twice/)
    assert.equal(output.match(/^Once more, alone: .*failing-twice/gm)?.length, 1)
  })

  test('files of a process that ended before their tests are named flaky when each passes alone', () => {
    const { status, output, last } = run('loading', { passes: PASSES, once: ENDS_LOADING_ONCE })
    assert.deepEqual([status, last], [0, '2 passed, 0 failed'], output)
    const flaky =
      /^FLAKY one of \S+loading-passes\S+ \S+loading-once\S+: their process ended with 3,/m
    assert.match(output, flaky)
    assert.match(output, /^1 flaky$/m)
  })

  test('tests that are left out are counted by their reason', () => {
    const texts = { passes: PASSES, skips: SKIPS }
    const { status, output, last } = run('skipping', texts)
    assert.deepEqual([status, last], [0, '1 passed, 0 failed'], output)
    assert.match(output, /^2 skipped: there is no browser$/m)
    assert.match(output, /^1 skipped$/m)
  })

  test('without the option a failed file does not run again', () => {
    const { status, output, last } = run('strict', { once: FAILS_ONCE })
    assert.deepEqual([status, last], [1, '1 passed, 1 failed'], output)
    assert.doesNotMatch(output, /Once more|FLAKY/)
  })
})

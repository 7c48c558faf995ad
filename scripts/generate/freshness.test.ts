import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { areFresh, rememberFresh } from './freshness.ts'

const SOURCE = 'packages/server/src/app.ts'
const MADE = 'packages/sdk/src/events.generated.ts'

let root: string

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'salus-freshness-'))
  write(SOURCE, 'source')
  write(MADE, 'made')
})
afterEach(() => rmSync(root, { recursive: true }))

test('files that were never made are not fresh', () => {
  assert.equal(areFresh('ignored', root), false)
})

test('files are fresh while neither they nor their sources change', () => {
  rememberFresh('ignored', [MADE], root)
  assert.equal(areFresh('ignored', root), true)
  assert.equal(areFresh('all', root), false)
})

test('a source of the same size that was written later makes them stale', () => {
  rememberFresh('ignored', [MADE], root)
  utimesSync(join(root, SOURCE), 1, 1)
  assert.equal(areFresh('ignored', root), false)
})

test('a new source makes them stale, and a new test does not', () => {
  rememberFresh('ignored', [MADE], root)
  write('packages/server/src/app.test.ts', 'a test')
  write('packages/server/src/testing/fixture.ts', 'a fixture')
  assert.equal(areFresh('ignored', root), true)
  write('packages/health/src/new.ts', 'a source')
  assert.equal(areFresh('ignored', root), false)
})

test('a generated file that is changed or missing is stale', () => {
  rememberFresh('ignored', [MADE], root)
  write(MADE, 'edited by hand')
  assert.equal(areFresh('ignored', root), false)
  rememberFresh('ignored', [MADE], root)
  rmSync(join(root, MADE))
  assert.equal(areFresh('ignored', root), false)
})

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { StartupError } from '../errors.ts'
import { findPostgresBinaries, repairBinaries } from './postgres-binaries.ts'

/** A copy as npm leaves it without install scripts: no links, no mode bits. */
function copyWithoutInstallScript(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'salus-binaries-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const root = join(folder, 'native')
  cpSync(findPostgresBinaries().root, root, {
    recursive: true,
    filter: (path) => !lstatSync(path).isSymbolicLink(),
  })
  for (const program of ['initdb', 'postgres']) chmodSync(join(root, 'bin', program), 0o644)
  return root
}

test('missing links and mode bits are repaired, and the programs run', (t) => {
  const root = copyWithoutInstallScript(t)
  const { postgres, initdb } = repairBinaries(root)
  for (const program of [postgres, initdb]) {
    assert.match(execFileSync(program, ['--version'], { encoding: 'utf8' }), /PostgreSQL/)
  }
  repairBinaries(root)
  const list = readLinks(root)
  for (const { source, target } of list) {
    assert.equal(join('native', 'lib', readlinkSync(join(root, '..', target))), source)
  }
})

test('programs that are not there are one clear line', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'salus-binaries-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  assert.throws(
    () => repairBinaries(folder),
    new StartupError(
      `The PostgreSQL programs in ${folder} are incomplete and cannot be repaired (ENOENT). ` +
        'Run npm rebuild as the owner of that folder.',
    ),
  )
})

function readLinks(root: string): { source: string; target: string }[] {
  const path = join(root, 'pg-symlinks.json')
  return statSync(path, { throwIfNoEntry: false }) ? JSON.parse(readFileSync(path, 'utf8')) : []
}

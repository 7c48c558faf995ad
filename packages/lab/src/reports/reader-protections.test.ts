import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { StartupError } from '@salus/kernel/errors'
import { requireTemporaryFolder } from './reader-protections.ts'

test('a folder for temporary files that cannot be written stops the start and is named', (t) => {
  requireTemporaryFolder()
  const before = process.env.TMPDIR
  const missing = join(tmpdir(), 'salus-no-such-folder')
  process.env.TMPDIR = missing
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  assert.throws(requireTemporaryFolder, (error: unknown) => {
    assert.ok(error instanceof StartupError)
    assert.match(error.message, /cannot be written \(ENOENT\)\. Set TMPDIR to another folder\.$/)
    assert.ok(error.message.includes(missing))
    return true
  })
})

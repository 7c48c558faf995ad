import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { chooseLauncher, findServiceAccount } from './service-account.ts'

const isRoot = process.getuid?.() === 0

test('a program in a folder that only root may enter can try its own files with access(2)', {
  skip: !isRoot && 'needs root',
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'salus-closed-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\ntest -x "$0" && test -r "$0" && id -u')
  chmodSync(program, 0o755)
  chmodSync(folder, 0o700)

  const account = await findServiceAccount(() => {})
  const { prefix } = chooseLauncher(account, [folder])
  const [command = '', ...rest] = [...prefix, program]
  const { status, stdout, stderr } = spawnSync(command, rest, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.equal(stdout.trim(), String(account?.uid))
  assert.notEqual(stdout.trim(), '0')
})

test('the system user that root needs is made with a word about it, once', {
  skip: !isRoot && 'needs root',
}, async (t) => {
  const name = `salus-test-${process.pid}`
  t.after(() => spawnSync('userdel', [name]))
  const lines: string[] = []
  const made = await findServiceAccount((line) => lines.push(line), name)
  assert.deepEqual(lines, [`Made the system user ${name}: PostgreSQL does not run as root.`])
  assert.deepEqual(await findServiceAccount((line) => lines.push(line), name), made)
  assert.equal(lines.length, 1)
})

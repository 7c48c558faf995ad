import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findUncheckedFiles } from './checked-files.ts'

let root = ''
const write = (path: string, text: string) => writeFileSync(join(root, path), text)

before(() => {
  root = mkdtempSync(join(tmpdir(), 'salus-checked-'))
  execFileSync('git', ['init', '--quiet', root])
  write('.gitignore', 'ignored\n')
  write('settings.json', '{}')
  write('first', '1')
  write('ignored', '1')
})
after(() => rmSync(root, { recursive: true }))

test('only what changed since the last check is checked, and all when the program did', () => {
  const cache = join(root, '.git', 'cache', 'checked.json')
  const find = (version = '1') => findUncheckedFiles(cache, version, ['settings.json'], root)
  const fresh = find()
  assert.equal(fresh.files, 'all')
  fresh.remember()
  assert.deepEqual(find().files, [])
  write('first', '12')
  write('second', '2')
  write('ignored', '12')
  assert.deepEqual(find().files, ['first', 'second'])
  assert.equal(find('2').files, 'all')
  write('settings.json', '{ }')
  assert.equal(find().files, 'all')
})

test('a file that changes while it is checked is checked again', () => {
  const cache = join(root, '.git', 'cache', 'changing.json')
  const find = () => findUncheckedFiles(cache, '1', ['settings.json'], root)
  const checked = find()
  write('first', '123')
  checked.remember()
  assert.deepEqual(find().files, ['first'])
})

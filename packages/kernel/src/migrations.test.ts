import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readMigrations } from './migrations.ts'

function makeFolder(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'salus-migrations-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('migrations are read in the order of their numbers', (t) => {
  const folder = makeFolder(t, {
    '0002_second.sql': 'select 2;\n',
    '0001_first_one.sql': 'select 1;\n',
    'README.md': 'not a migration',
  })
  assert.deepEqual(
    readMigrations(folder).map(({ number, name, sql }) => ({ number, name, sql })),
    [
      { number: 1, name: 'first_one', sql: 'select 1;\n' },
      { number: 2, name: 'second', sql: 'select 2;\n' },
    ],
  )
})

test('the checksum follows the text and not the line ends', (t) => {
  const checksum = (text: string) =>
    readMigrations(makeFolder(t, { '0001_a.sql': text }))[0]?.checksum
  assert.equal(checksum('select 1;\r\n'), checksum('select 1;\n'))
  assert.notEqual(checksum('select 1;\n'), checksum('select 2;\n'))
})

test('gaps, duplicates and malformed names are refused', (t) => {
  const read = (...names: string[]) =>
    readMigrations(makeFolder(t, Object.fromEntries(names.map((name) => [name, '']))))
  assert.throws(() => read('0001_a.sql', '0003_c.sql'), /Migration number 3 \(c\).* follows a gap/)
  assert.throws(() => read('0002_b.sql'), /Migration number 2 \(b\).* follows a gap/)
  assert.throws(() => read('0001_a.sql', '0001_b.sql'), /Migration number 1 .* is there twice/)
  assert.throws(() => read('1_a.sql'), /is not named like 0001_what_it_does\.sql/)
})

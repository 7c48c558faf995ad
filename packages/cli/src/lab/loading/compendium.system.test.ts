import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { catalogOfNorth } from '../../../../server/test/compendium/compendium-files.ts'
import { type HarnessServer, startHarnessServer } from '../../testing/harness-server.ts'
import { startSalus } from '../../testing/salus-command.ts'

const EXAMPLE = fileURLToPath(new URL('../../../../lab/data/compendium/tables/', import.meta.url))
const FILES = ['orders.csv', 'results.csv', 'questions.csv', 'specimens.csv']

let server: HarnessServer
let folder: string

before(async () => {
  server = await startHarnessServer()
  const { harness } = server
  const headers = { 'x-management-key': harness.managementKey }
  const loaded = await harness.call('PUT', '/v1/catalog', catalogOfNorth(), headers)
  assert.equal(loaded.status, 200, loaded.text)
  folder = mkdtempSync(join(tmpdir(), 'salus-cli-compendium-'))
})

after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const importFiles = (files: readonly string[], ...options: string[]) =>
  startSalus(
    [
      ...['compendium', 'import', ...files, '--lab', 'north'],
      ...['--mapping', join(EXAMPLE, 'mapping.json'), ...options],
    ],
    { SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory },
  ).result

const SHIPPED = FILES.map((file) => join(EXAMPLE, file))

/** Writes a changed copy of a shipped file, and returns the files with it. */
function withFile(name: string, change: (text: string) => string): string[] {
  const text = readFileSync(join(EXAMPLE, name), 'utf8')
  assert.notEqual(change(text), text)
  writeFileSync(join(folder, name), change(text))
  return FILES.map((file) => join(file === name ? folder : EXAMPLE, file))
}

describe('salus compendium import', () => {
  it('shows the differences, and stores nothing in a dry run or without a confirmation', async () => {
    const tried = await importFiles(SHIPPED, '--dry-run')
    assert.deepEqual([tried.code, tried.stderr], [0, ''])
    assert.match(tried.stdout, /^New +4$/m)
    assert.match(tried.stdout, /^added +90003 +Hemoglobin A1c$/m)
    assert.match(tried.stdout, /\nNothing was stored\.\n$/)
    const asked = await importFiles(SHIPPED)
    assert.equal(asked.code, 1)
    assert.match(asked.stderr, /no terminal for the confirmation\. Add --yes to load/)
  })

  it('loads them once, and has no changes then', async () => {
    const loaded = await importFiles(SHIPPED, '--yes')
    assert.deepEqual([loaded.code, loaded.stderr], [0, ''])
    assert.match(loaded.stdout, /\nThe compendium is loaded: 4 tests changed\.\n$/)
    const again = await importFiles(SHIPPED)
    assert.equal(again.code, 0)
    assert.match(again.stdout, /\nNo changes\.\n$/)
  })

  it('shows changed fields, and refuses to retire many tests', async () => {
    const files = withFile('specimens.csv', (text) =>
      text.replace('Gel tube,1 mL', 'Gel tube,2 mL'),
    )
    const { stdout } = await importFiles(files, '--dry-run')
    assert.match(stdout, /^changed +90001 +specimens\.1\.volume +1 mL +2 mL$/m)
    const fewer = withFile('orders.csv', (text) => text.replace(/90003.*\n/, ''))
    const refused = await importFiles(fewer, '--yes')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /More than a tenth of the tests would be retired/)
    const report = await importFiles(fewer, '--yes', '--allow-retire', '--json')
    assert.equal(JSON.parse(report.stdout).retired, 1)
  })

  it('lists refused tests with their cells, and loads the others when that is wanted', async () => {
    const files = withFile('specimens.csv', (text) => text.replace('90004,Urine', '90004,Hair'))
    const refused = await importFiles(files, '--yes')
    assert.equal(refused.code, 1)
    assert.match(
      refused.stdout,
      /^90004 +specimens\.csv, line 5, SPECIMEN +The map has no entry for "Hair"\.$/m,
    )
    assert.match(refused.stderr, /^salus: Some tests are refused; nothing was loaded\./)
    const skipped = await importFiles(files, '--yes', '--skip-refused', '--json')
    const { refused: count, added, changed } = JSON.parse(skipped.stdout)
    assert.deepEqual([count, added, changed], [1, 0, 1])
  })

  it('names the files that a mapping does not find, and workbooks', async () => {
    const { stderr } = await importFiles(SHIPPED.slice(1), '--dry-run')
    assert.match(stderr, /^salus: The compendium has \d problems; nothing was loaded\.\n/)
    assert.match(stderr, /^mapping\.tables\.tests\[0\]\.file +No file is named orders\.csv\.$/m)
    const missing = await importFiles([join(folder, 'none.csv')])
    assert.equal(missing.stderr, `salus: There is no file ${join(folder, 'none.csv')}.\n`)
  })
})

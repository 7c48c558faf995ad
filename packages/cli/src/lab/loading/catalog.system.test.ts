import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type HarnessServer, startHarnessServer } from '../../testing/harness-server.ts'
import { startSalus } from '../../testing/salus-command.ts'

const SHIPPED = fileURLToPath(new URL('../../../../lab/data/catalog', import.meta.url))

let server: HarnessServer
/** A copy of the shipped catalog, for taking apart. */
let folder: string

before(async () => {
  server = await startHarnessServer()
  folder = mkdtempSync(join(tmpdir(), 'salus-cli-catalog-'))
  cpSync(SHIPPED, folder, { recursive: true })
})

after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const catalogImport = (...args: string[]) =>
  startSalus(['catalog', 'import', ...args], {
    SALUS_URL: server.url,
    SALUS_DATA_DIR: server.dataDirectory,
  }).result

function edit(file: string, change: (text: string) => string): () => void {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  assert.notEqual(change(text), text)
  writeFileSync(path, change(text))
  return () => writeFileSync(path, text)
}

describe('salus catalog import', () => {
  it('finds nothing to change in the catalog that the server began with, but whose it is', async () => {
    const { code, stdout, stderr } = await catalogImport(folder, '--dry-run')
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^The catalog is valid\. Loading it would do this:\n/)
    // Loaded by an operator it is no sample any more, so that production sees it.
    assert.match(stdout, /^Laboratories +· +15 +·$/m)
    assert.match(stdout, /^Markers +· +· +1,\d{3}$/m)
  })

  it('lists what is wrong by file, and loads nothing', async () => {
    const restore = [
      edit('concepts.json', (text) => text.replace('"glucose"', '"glucosse"')),
      edit('orderables/crl.json', (text) => text.replace('"CRL-802"', '"CRL-801"')),
      edit('loincs.csv', (text) => text.replace('\n625-4,', '\n625-5,')),
    ]
    const { code, stdout, stderr } = await catalogImport(folder)
    for (const undo of restore) undo()
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^salus: The catalog has \d+ problems; nothing was loaded\.\n/)
    assert.match(
      stderr,
      /^concepts\.json +cmp\.results\[0\] +There is no analyte named glucosse\.$/m,
    )
    assert.match(stderr, /^orderables\/crl\.json +tests\[1\]\.provider_id +The same as in/m)
    assert.match(stderr, /^loincs\.csv +line 2 code +625-5 is not a LOINC code/m)
  })

  it('says which file is not JSON, and what is not there', async () => {
    const restore = edit('labs.json', (text) => text.slice(0, -3))
    const broken = await catalogImport(folder)
    restore()
    assert.match(broken.stderr, /^salus: labs\.json is not JSON: /)
    const missing = join(folder, 'nothing')
    assert.equal((await catalogImport(missing)).stderr, `salus: ${missing} does not exist.\n`)
    const empty = join(folder, 'orderables')
    const expected = `salus: ${empty} contains no catalog: there is no labs.json.\n`
    assert.equal((await catalogImport(empty)).stderr, expected)
  })

  it('loads one file, and reports what it removed', async () => {
    const labs = JSON.parse(readFileSync(join(folder, 'labs.json'), 'utf8'))
    const crl = labs.find(({ slug }: { slug: string }) => slug === 'crl')
    const path = join(folder, 'whole.txt')
    writeFileSync(path, JSON.stringify({ labs: [{ ...crl, is_enabled: false }] }))
    const tried = await catalogImport(path, '--dry-run', '--json')
    assert.equal(JSON.parse(tried.stdout).deactivated, 15)
    const { code, stdout } = await catalogImport(path)
    assert.equal(code, 0)
    assert.match(stdout, /^The catalog is loaded\.\n/)
    assert.match(stdout, /^Laboratories +· +1 +·$/m)
    assert.match(stdout, /^15 markers are no longer offered\.$/m)
    const again = await catalogImport(folder)
    assert.match(again.stdout, /^Markers +· +15 +1,\d{3}$/m)
  })

  it('needs a management key', async () => {
    const environment = { SALUS_URL: server.url, SALUS_DATA_DIR: folder }
    const { code, stderr } = await startSalus(['catalog', 'import', folder], environment).result
    assert.equal(code, 1)
    assert.match(stderr, /^salus: No management key\./)
  })
})

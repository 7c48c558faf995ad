import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { crc32, deflateRawSync } from 'node:zlib'
import { loadStartingDiagnosisCodes } from '@salus/lab/insurance'
import { type HarnessServer, startHarnessServer } from '../../testing/harness-server.ts'
import { startSalus } from '../../testing/salus-command.ts'

const SHIPPED = fileURLToPath(
  new URL('../../../../lab/data/icd10cm/icd10cm-order-2021-01.txt.gz', import.meta.url),
)

let server: HarnessServer
let folder: string

before(async () => {
  server = await startHarnessServer()
  await loadStartingDiagnosisCodes(server.harness.database.db, new Date())
  folder = mkdtempSync(join(tmpdir(), 'salus-cli-icd10-'))
})

after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const icd10Import = (...args: string[]) =>
  startSalus(['icd10', 'import', ...args], {
    SALUS_URL: server.url,
    SALUS_DATA_DIR: server.dataDirectory,
  }).result

const orderFile = (...lines: [code: string, flag: 0 | 1, description: string][]): string =>
  lines
    .map(([code, flag, description], index) => {
      const number = String(index + 1).padStart(5, '0')
      return `${number} ${code.padEnd(7)} ${flag} ${description.padEnd(60)} ${description}\r\n`
    })
    .join('')

const NEXT_YEAR = orderFile(
  ['I10', 1, 'Essential (primary) hypertension'],
  ['N90', 0, 'A heading'],
  ['N9000', 1, 'Ménière under a new code'],
)

const TABULAR = `<list><chapter><name>9</name><desc>Circulation (I00-I99)</desc><diag><name>I10</name>
<excludes1><note>new code (N90.-)</note></excludes1></diag></chapter></list>`

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** A zip of deflated entries (PKWARE APPNOTE 4.3). */
function makeZip(files: Readonly<Record<string, string>>): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const packed = deflateRawSync(content)
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(8, 4)
    shared.writeUInt32LE(crc32(content), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(content.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), shared, tail, Buffer.from(name)]),
    )
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

describe('salus icd10 import', () => {
  it('finds nothing to change in the code set that the server began with', async () => {
    const { code, stdout } = await icd10Import(SHIPPED, '--dry-run')
    assert.equal(code, 0)
    assert.match(stdout, /^The code set is valid\. Loading it would do this:\n/)
    assert.match(stdout, /^New codes +0$/m)
    assert.match(stdout, /^Unchanged +95,358$/m)
    assert.match(stdout, /^Valid for claims +72,621$/m)
  })

  it('lists what is wrong by line, and loads nothing', async () => {
    const path = write('broken.txt', NEXT_YEAR.replace('N90  ', '?    '))
    const { code, stdout, stderr } = await icd10Import(path)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^salus: The code set has 1 problem; nothing was loaded\.\n/)
    assert.match(stderr, /^order_file line 2 +Columns 1 to 13 are not a number and a code\.$/m)
  })

  it('says what is not there, and what contains no order file', async () => {
    const missing = join(folder, 'nothing')
    assert.equal((await icd10Import(missing)).stderr, `salus: There is no file ${missing}.\n`)
    const other = write('other.zip', makeZip({ 'readme.txt': 'nothing here' }))
    const expected = `salus: ${other} contains no order file (icd10cm_order_….txt).\n`
    assert.equal((await icd10Import(other)).stderr, expected)
    const cut = write('cut.zip', makeZip({ 'icd10cm_order_2027.txt': NEXT_YEAR }).subarray(0, 60))
    assert.match((await icd10Import(cut)).stderr, /^salus: .*cut\.zip cannot be unpacked: /)
  })

  it('loads the zip of a year with the tabular list, and reports what was removed', async () => {
    const zip = makeZip({
      'Code Descriptions/icd10cm_order_addenda_2027.pdf': 'not this one',
      'Code Descriptions/icd10cm_order_2027.txt': NEXT_YEAR,
    })
    const tabular = write('icd10cm_tabular_2027.xml', TABULAR)
    const { code, stdout, stderr } = await icd10Import(write('year.zip', zip), '--tabular', tabular)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^The code set is loaded\.\n/)
    assert.match(stdout, /^Removed codes +95,35\d$/m)
    assert.match(stdout, /^Notes: exclude each other +1$/m)
    const headers = {
      'x-service-api-key': server.keys.api_key,
      'content-type': 'application/json',
    }
    const validated = await fetch(`${server.url}/v3/insurance/validate_icd_codes`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ codes: ['I10', 'N90.00', 'E11.9'] }),
    })
    assert.deepEqual(await validated.json(), {
      valid: false,
      errors: ['E11.9 is not a code of ICD-10-CM.'],
      violations: [{ code: 'I10', conflicts_with: 'N90.00', type: 'excludes1' }],
      warnings: [],
    })
    const search = `${server.url}/v3/insurance/search/diagnosis?diagnosis_query=meniere`
    const found = (await (await fetch(search, { headers })).json()) as object[]
    assert.equal(found.length, 1)
  })

  it('needs a management key', async () => {
    const environment = { SALUS_URL: server.url, SALUS_DATA_DIR: folder }
    const { code, stderr } = await startSalus(['icd10', 'import', SHIPPED], environment).result
    assert.equal(code, 1)
    assert.match(stderr, /^salus: No management key\./)
  })
})

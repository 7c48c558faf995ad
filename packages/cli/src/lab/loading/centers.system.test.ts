import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type HarnessServer, startHarnessServer } from '../../testing/harness-server.ts'
import { startSalus } from '../../testing/salus-command.ts'

let server: HarnessServer
let folder: string

before(async () => {
  server = await startHarnessServer()
  folder = mkdtempSync(join(tmpdir(), 'salus-cli-centers-'))
})
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const HEADER = 'lab,site_code,name,first_line,city,state,zip_code'

function importLines(lines: readonly string[], ...options: string[]) {
  const path = join(folder, 'centers.csv')
  writeFileSync(path, [HEADER, ...lines].join('\n'))
  return run(path, ...options)
}

const run = (...args: string[]) =>
  startSalus(['centers', 'import', ...args], {
    SALUS_URL: server.url,
    SALUS_DATA_DIR: server.dataDirectory,
  }).result

describe('salus centers import', () => {
  const first = 'quest,A1,North clinic,1 Main St,Phoenix,AZ,85004'
  const second = 'quest,A2,South clinic,2 Main St,Phoenix,AZ,85004'

  it('loads a list, and reports what changed', async () => {
    const tried = await importLines([first, second], '--dry-run')
    assert.deepEqual([tried.code, tried.stderr], [0, ''])
    assert.match(tried.stdout, /^The list of 1 laboratory is valid\. Loading it would do this:\n/)
    const loaded = await importLines([first, second])
    assert.match(loaded.stdout, /^The list of 1 laboratory is loaded\.\n/)
    assert.match(loaded.stdout, /^New +2$/m)
    const fewer = await importLines([first], '--json')
    assert.deepEqual(JSON.parse(fewer.stdout), {
      dry_run: false,
      labs: 1,
      service_centers: { inserted: 0, updated: 0, unchanged: 1 },
      deactivated: 1,
    })
  })

  it('lists what is wrong by line, and loads nothing', async () => {
    const { code, stdout, stderr } = await importLines([
      first.replace('85004', '00000'),
      second.replace('quest', 'unknown'),
    ])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^salus: The list has 2 problems; nothing was loaded\.\n/)
    assert.match(stderr, /^line 2, zip_code +There is no such ZIP code: give latitude/m)
    assert.match(stderr, /^line 3, lab +No laboratory has this slug\.$/m)
  })

  it('says that a file is not UTF-8, and loads nothing', async () => {
    const path = join(folder, 'latin-1.csv')
    writeFileSync(path, `${HEADER}\n${first.replace('North', 'Peñasco')}`, 'latin1')
    const { code, stderr } = await run(path)
    assert.deepEqual(
      [code, stderr],
      [1, `salus: ${path} is not UTF-8 text: save it as "CSV UTF-8".\n`],
    )
  })

  it('says which file is not there', async () => {
    const missing = join(folder, 'nothing.csv')
    const { code, stderr } = await run(missing)
    assert.deepEqual([code, stderr], [1, `salus: There is no file ${missing}.\n`])
  })
})

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
  folder = mkdtempSync(join(tmpdir(), 'salus-cli-payors-'))
})
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const HEADER = 'payor_code,name,first_line,city,state,zip'
const FIRST = '100,North Health,1 Main St,Phoenix,AZ,85004'
const SECOND = '200,South Health,2 Main St,Phoenix,AZ,85004'

function importLines(lines: readonly string[], ...options: string[]) {
  const path = join(folder, 'payors.csv')
  writeFileSync(path, [HEADER, ...lines].join('\n'))
  return startSalus(['payors', 'import', path, ...options], {
    SALUS_URL: server.url,
    SALUS_DATA_DIR: server.dataDirectory,
  }).result
}

describe('salus payors import', () => {
  it('loads a list, and reports what changed', async () => {
    const tried = await importLines([FIRST, SECOND], '--dry-run')
    assert.deepEqual([tried.code, tried.stderr], [0, ''])
    assert.match(tried.stdout, /^The list is valid\. Loading it would do this:\n/)
    const loaded = await importLines([FIRST, SECOND])
    assert.match(loaded.stdout, /^The list is loaded\.\n/)
    assert.match(loaded.stdout, /^New +2$/m)
    const fewer = await importLines([FIRST], '--json')
    assert.deepEqual(JSON.parse(fewer.stdout), {
      dry_run: false,
      payors: { inserted: 0, updated: 0, unchanged: 1 },
      deactivated: 1,
    })
  })

  it('lists what is wrong by line, and loads nothing', async () => {
    const wrong = [FIRST.replace('85004', '8500'), SECOND.replace('AZ', 'ZZ')]
    const { code, stdout, stderr } = await importLines(wrong)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^salus: The list has 2 problems; nothing was loaded\.\n/)
    assert.match(stderr, /^line 2, zip +8500 is no ZIP code\.$/m)
    assert.match(stderr, /^line 3, state +ZZ is no state\.$/m)
  })
})

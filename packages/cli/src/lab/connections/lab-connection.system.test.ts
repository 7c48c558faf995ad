import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type HarnessServer, startHarnessServer } from '../../testing/harness-server.ts'
import { startSalus } from '../../testing/salus-command.ts'

let server: HarnessServer
let folder: string

const CONFIG = `{
  // The feed of tests; "//" in a text is no comment.
  "connection": "quest-test",
  "lab": "quest",
  "profile": "hl7-2.3-legacy",
  /* Times without an offset
     are of this zone. */
  "time_zone": "America/New_York",
  "enabled": true,
  "orders": { "kind": "http", "url": "https://lab.example/orders",
    "auth": { "kind": "bearer", "token": "secret:token" } }
}`

const RESULT = [
  'MSH|^~\\&|LAB|QUEST|SALUS|1234567890|20260301120000||ORU^R01|R1|T|2.3',
  'PID|1|A17|||MUSTER^PAT||19900412|F',
  'OBR|1|SA00000001|Q1000|482^GLUCOSE^L|||202603010800||||||||||||||20260301115900||CH|F',
  'OBX|1|NM|X1^Glucose^L||101|mg/dL|70-99|H|||F',
].join('\r')

before(async () => {
  server = await startHarnessServer()
  folder = mkdtempSync(join(tmpdir(), 'salus-cli-lab-connection-'))
  writeFileSync(join(folder, 'quest.json'), CONFIG)
  writeFileSync(join(folder, 'token'), 'open sesame\n')
  writeFileSync(join(folder, 'result.hl7'), RESULT)
  writeFileSync(join(folder, 'broken.hl7'), 'no message')
})

after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const salus = (...args: string[]) =>
  startSalus(['lab-connection', ...args], {
    SALUS_URL: server.url,
    SALUS_DATA_DIR: server.dataDirectory,
  }).result

const config = () => join(folder, 'quest.json')
const secret = () => ['--secret', `token=@${join(folder, 'token')}`]

describe('salus lab-connection', () => {
  it('checks a file with comments, and stores nothing in a dry run', async () => {
    const { code, stdout, stderr } = await salus('import', config(), ...secret(), '--dry-run')
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /^quest-test would be created\.\nSettings: .*orders.*secrets\n/)
    const list = await salus('list')
    assert.deepEqual([list.code, list.stderr], [0, 'No connections to laboratories.\n'])
  })

  it('stores a connection with its secret from a file, and never prints the secret', async () => {
    const stored = await salus('import', config(), ...secret())
    assert.deepEqual([stored.code, stored.stderr], [0, ''])
    assert.match(stored.stdout, /^quest-test is created\./)
    const { stdout } = await salus('status', 'quest-test', '--json')
    assert.deepEqual(JSON.parse(stdout).secrets, ['token'])
    assert.doesNotMatch(stdout, /sesame/)
    const again = await salus('import', config())
    assert.match(again.stdout, /^quest-test is unchanged\./)
    assert.match((await salus('list')).stdout, /^quest-test +quest +enabled +0 +0 +– +–$/m)
  })

  it('explains what is wrong in a file, and in a secret', async () => {
    const path = join(folder, 'wrong.json')
    writeFileSync(path, CONFIG.replace('America/New_York', 'Mars'))
    const zone = await salus('import', path)
    assert.equal(zone.code, 1)
    assert.match(zone.stderr, /config\.time_zone/)
    writeFileSync(path, '{ "connection": ')
    assert.match((await salus('import', path)).stderr, /wrong\.json is not JSON with comments\./)
    const given = await salus('import', config(), '--secret', 'token=open')
    assert.match(given.stderr, /--secret must be <name>=@<file>/)
  })

  it('rehearses sample results, and fails when one cannot be read', async () => {
    const good = await salus('rehearse', 'quest-test', join(folder, 'result.hl7'), '--json')
    assert.deepEqual([good.code, good.stderr], [0, ''])
    const [update] = JSON.parse(good.stdout).messages[0].updates
    assert.equal(update.patient.last_name, 'MUSTER')
    assert.deepEqual(update.numbers, ['SA00000001', 'Q1000'])
    const [{ code, value, unit, range, flags, status }] = update.results
    assert.deepEqual(
      [code, value, unit, range, flags, status],
      [...['X1', '101', 'mg/dL', '70-99'], ['H'], 'final'],
    )
    const both = await salus(
      ...['rehearse', 'quest-test', join(folder, 'result.hl7'), join(folder, 'broken.hl7')],
    )
    assert.equal(both.code, 1)
    assert.match(both.stdout, /^broken\.hl7\nPROBLEM {2}not_hl7$/m)
    assert.match(both.stdout, /GLUCOSE|Glucose +101 +mg\/dL +70-99 +H +final/)
  })

  it('holds, releases and shows the state of a connection', async () => {
    assert.match((await salus('hold', 'quest-test')).stdout, /^Orders are held back\. 0 wait\.$/m)
    assert.match((await salus('status', 'quest-test')).stdout, /^State +held$/m)
    await salus('release', 'quest-test')
    assert.match((await salus('status', 'quest-test')).stdout, /^State +enabled$/m)
  })

  it('lists no messages before there are some, and finds no unknown connection', async () => {
    for (const direction of [[], ['--received']]) {
      const list = await salus('messages', 'quest-test', ...direction)
      assert.deepEqual([list.code, list.stderr], [0, 'No messages.\n'])
    }
    assert.equal((await salus('status', 'labcorp-test')).code, 1)
  })
})

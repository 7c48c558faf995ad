import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildZip } from '../../../server/test/imports/build-zip.ts'
import { exportXml, stepRecord } from '../../../server/test/imports/import-client.ts'
import { type RunningCommand, startSalus } from '../testing/salus-command.ts'
import { startTestServer, type TestServer } from '../testing/salus-process.ts'

/** Enough that a command does not end before a test stops it. */
const FILE_BYTES = 192 * 1024 ** 2
const PATIENCE_MS = 60_000

let server: TestServer
let folder: string
let file: string

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'salus-cli-resume-'))
  file = join(folder, 'export.zip')
  // The import compares the checksum of the zip, so a byte at the wrong place fails it.
  const comment = `<!--${randomBytes(FILE_BYTES / 2).toString('hex')}-->`
  const content = Buffer.from(exportXml(stepRecord(0) + comment + stepRecord(1)))
  writeFileSync(file, buildZip([{ name: 'export.xml', content, stored: true }]))
  server = await startTestServer()
})

after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function startImport(clientUserId: string): RunningCommand {
  const environment = {
    ...{ SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory },
    XDG_CACHE_HOME: join(folder, 'cache'),
  }
  const person = ['--client-user-id', clientUserId, '--create', '--json']
  return startSalus(['import', 'apple-health', file, ...person], environment)
}

/** Waits until the command has reported that it sends; it writes its first line at once. */
async function waitUntilSending({ output, child }: RunningCommand): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(5)) {
    if (/^Uploading \d+%/m.test(output.stderr)) return
    assert.equal(child.exitCode, null, output.stderr)
  }
  assert.fail(`It does not send: ${output.stderr}`)
}

function assertImported(stdout: string): void {
  const job = JSON.parse(stdout)
  assert.equal(job.status, 'completed')
  const [steps] = job.progress.types
  assert.deepEqual([steps.type, steps.imported], ['HKQuantityTypeIdentifierStepCount', 2])
}

test('an import whose server is killed and starts again ends in the same command', async () => {
  const running = startImport('restarted')
  await waitUntilSending(running)
  await server.kill()
  await sleep(1000)
  assert.equal(running.child.exitCode, null, running.output.stderr)
  await server.startAgain()
  const { code, stdout, stderr } = await running.result
  assert.equal(code, 0, stderr)
  assertImported(stdout)
})

test('Ctrl-C leaves an upload that the same command continues', async () => {
  const first = startImport('interrupted')
  await waitUntilSending(first)
  // Until a request was answered, nothing can be promised.
  await sleep(500)
  first.child.kill('SIGINT')
  const stopped = await first.result
  assert.equal(stopped.code, 130)
  const words = /^salus: Stopped: the file is not imported\. (\d+)(?:\.\d+)?( MB)? of 201 MB/m
  assert.match(stopped.stderr, words)
  assert.match(stopped.stderr, /run the command again within a day to continue there\.$/m)
  const second = await startImport('interrupted').result
  assert.equal(second.code, 0, second.stderr)
  const [, percent = '0'] = /^Uploading (\d+)%/m.exec(second.stderr) ?? []
  assert.ok(Number(percent) >= 4, second.stderr)
  assertImported(second.stdout)
})

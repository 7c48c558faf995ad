import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type HarnessServer, startHarnessServer } from './testing/harness-server.ts'
import { startSalus } from './testing/salus-command.ts'

const FIXTURES = new URL('../../health/src/imports/formats/apple-health/fixtures/', import.meta.url)
const EXPORT = fileURLToPath(new URL('synthetic-30d-export.zip', FIXTURES))
const NO_EXPORT = fileURLToPath(new URL('NOTICE.md', FIXTURES))
const UUID = /^[0-9a-f-]{36}$/

let server: HarnessServer
let folder: string

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'salus-cli-files-'))
  server = await startHarnessServer()
  await server.harness.startJobs()
})

after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a command against the server, with the keys of its data directory. */
function salus(...args: string[]) {
  const environment = { SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory }
  return startSalus(args, environment).result
}

/** The cells of the line of a table that begins with `name`. */
function lineOf(table: string, name: string): string[] {
  const line = table.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return (line ?? '').split(/ {2,}/)
}

describe('salus import apple-health', () => {
  it('makes the user, imports the file and prints an aligned table', async () => {
    const { code, stdout, stderr } = await salus(
      ...['import', 'apple-health', EXPORT, '--client-user-id', 'alex', '--create'],
    )
    assert.equal(code, 0, stderr)
    assert.match(
      stdout,
      /^Import [0-9a-f-]{36} is complete: 5,201 records of 2\.3 MB in (less than 1|\d+) s\.$/m,
    )
    assert.deepEqual(lineOf(stdout, 'HeartRate').slice(0, 4), [
      'HeartRate',
      'heartrate',
      '2,886',
      '2,886',
    ])
    assert.deepEqual(lineOf(stdout, 'Workout').slice(1, 4), ['workouts', '15', '15'])
    assert.match(stdout, /^Total {2,}5,201 {2,}5,129/m)
    assert.deepEqual(lineOf(stdout, 'activity').slice(0, 2), ['activity', '30'])
    assert.equal(lineOf(stdout, 'sleep')[0], 'sleep')
    assert.match(stdout, /^zone of the record itself {2,}[\d,]+$/m)
    assert.match(stdout, /^offset of the record, which changes within the file {2,}[\d,]+$/m)
    assert.match(stdout, /^SleepAnalysis {2,}end_before_start {2,}1$/m)
    const table = stdout.split('\n\n')[1]?.split('\n') ?? []
    assert.equal(new Set(table.map((line) => line.length)).size, 1, 'all lines are as long')
  })

  it('writes plain lines of progress when it has no terminal', async () => {
    const { stderr } = await salus('import', 'apple-health', EXPORT, '--client-user-id', 'alex')
    assert.match(stderr, /^Uploading \d+% .+ of 123 kB/)
    assert.match(stderr, /^Importing /m)
    assert.ok(!stderr.includes('\u001b') && !stderr.includes('█'), 'no bar and no control codes')
  })

  it('prints the finished job as JSON, and nothing else on stdout', async () => {
    const { code, stdout } = await salus(
      ...['import', 'apple-health', EXPORT, '--client-user-id', 'alex', '--json'],
    )
    const job = JSON.parse(stdout)
    assert.equal(code, 0)
    assert.equal(job.status, 'completed')
    const types: { imported: number; unchanged: number }[] = job.progress.types
    assert.equal(
      types.reduce((sum, type) => sum + type.imported, 0),
      0,
      'a second import adds none',
    )
    assert.equal(
      types.reduce((sum, type) => sum + type.unchanged, 0),
      5129,
    )
    const again = await salus('import', 'follow', job.id, '--client-user-id', 'alex', '--json')
    assert.deepEqual(JSON.parse(again.stdout), job)
  })

  it("ends with 1 and the server's message for a file that is no export", async () => {
    const { code, stderr } = await salus(
      ...['import', 'apple-health', NO_EXPORT, '--client-user-id', 'alex'],
    )
    assert.equal(code, 1)
    assert.equal(
      stderr.trim().split('\n').at(-1),
      'salus: The import failed. The file is neither an Apple Health export.xml nor an export.zip.',
    )
  })

  it('says what is wrong with an empty file, a missing one and a folder', async () => {
    const empty = join(folder, 'empty.zip')
    writeFileSync(empty, '')
    const run = async (path: string) =>
      (await salus('import', 'apple-health', path, '--client-user-id', 'alex')).stderr
    assert.match(await run(empty), /^salus: The file is empty\.$/m)
    assert.match(await run(join(folder, 'none.zip')), /none\.zip does not exist\.$/m)
    assert.match(await run(folder), /is a folder\. Give the file that/)
  })

  it('does not upload for a user that is unknown, named twice or not named', async () => {
    const run = (...args: string[]) => salus('import', 'apple-health', EXPORT, ...args)
    const unknown = await run('--client-user-id', 'unknown')
    assert.equal(unknown.code, 1)
    assert.equal(
      unknown.stderr,
      'salus: No user has the client_user_id unknown. Add --create to create one.\n',
    )
    assert.match((await run('--user', 'alex')).stderr, /^salus: No user has the id alex\./)
    assert.match((await run()).stderr, /either --user ID or --client-user-id ID/)
    assert.match((await run('--user', 'a', '--client-user-id', 'b')).stderr, /either --user/)
  })
})

describe('Ctrl-C while an import is followed', () => {
  it('says that the import goes on and how to look at it', async () => {
    const id = '11111111-1111-4111-8111-111111111111'
    const progress = { bytes_total: 100, bytes_read: 40, records: 7, types: [] }
    const job = { id, user_id: id, status: 'running', attempts: 1, file_bytes: 9, progress }
    // An import that never ends cannot be had from a real server.
    const endless = createServer((_request, response) => response.end(JSON.stringify(job)))
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve))
    const { port } = endless.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const args = ['import', 'follow', id, '--user', id, '--url', url, '--api-key', 'sk_us_test']
    const { child, result } = startSalus(args)
    child.stderr?.once('data', () => child.kill('SIGINT'))
    const { code, stderr } = await result
    endless.close()
    endless.closeAllConnections()
    assert.equal(code, 130)
    assert.match(stderr, /^Importing 40% 40 of 100 B 7 records$/m)
    assert.match(stderr, /The import continues in the server; look at it with:/)
    assert.match(stderr, new RegExp(`salus import follow ${id} --user ${id}`))
  })
})

describe('salus key', () => {
  it('creates, lists, rotates and deletes keys', async () => {
    const created = await salus(
      ...['key', 'create', '--label', 'Backend', '--environment', 'production'],
    )
    assert.equal(created.code, 0, created.stderr)
    assert.match(created.stdout, /^pk_us_\w+\n$/)
    const id = /id ([0-9a-f-]{36})/.exec(created.stderr)?.[1] ?? ''
    const list = await salus('key', 'list')
    assert.match(list.stdout, new RegExp(`^${id} +Backend +production +pk_us_\\*`, 'm'))

    const rotated = await salus('key', 'rotate', id, '--label', 'Backend 2', '--delete-old')
    assert.equal(rotated.code, 0, rotated.stderr)
    const newKey = rotated.stdout.trim()
    assert.equal((await salus('users', 'list', '--api-key', newKey)).code, 0)
    const old = await salus('users', 'list', '--api-key', created.stdout.trim())
    assert.equal(old.code, 1, 'the old key is gone')

    const newId = /id ([0-9a-f-]{36})/.exec(rotated.stderr)?.[1] ?? ''
    const kept = await salus('key', 'rotate', newId, '--label', 'Backend 3')
    assert.match(kept.stderr, /The old key still works/)
    assert.equal((await salus('users', 'list', '--api-key', newKey)).code, 0)
    const deleted = await salus('key', 'delete', newId)
    assert.match(deleted.stdout, /^Deleted the production key "Backend 2" \(pk_us_\*+\w{4}\)\.$/m)
    assert.match((await salus('key', 'delete', newId)).stderr, /No key has the id/)
  })

  it('finds organization and team without keys.json', async () => {
    const { api_key: apiKey, management_key: managementKey } = server.keys
    const { code, stdout, stderr } = await startSalus(
      ['key', 'create', '--label', 'CI', '--json', '--url', server.url],
      { SALUS_API_KEY: apiKey, SALUS_MANAGEMENT_KEY: managementKey },
    ).result
    assert.equal(code, 0, stderr)
    assert.equal(JSON.parse(stdout).team_id, server.keys.team_id)
  })
})

describe('salus users', () => {
  it('creates a user, prints its id, and lists it', async () => {
    const { code, stdout } = await salus('users', 'create', 'sam')
    assert.equal(code, 0)
    const id = stdout.trim()
    assert.match(id, UUID)
    const list = await salus('users', 'list')
    assert.match(list.stdout, new RegExp(`^${id} +sam `, 'm'))
    const again = await salus('users', 'create', 'sam')
    assert.equal(again.code, 1)
    assert.ok(again.stderr.includes(`already belongs to a user. Its user_id is ${id}.`))
  })

  it('says how to see the next page', async () => {
    await salus('users', 'create', 'kim')
    const { stderr } = await salus('users', 'list', '--limit', '1')
    assert.match(stderr, /\d users in all; next: --offset 1/)
    assert.equal((await salus('users', 'list', '--limit', '0')).code, 2)
  })
})

describe('salus doctor', () => {
  it('finds nothing wrong with a healthy server', async () => {
    const { code, stdout } = await salus('doctor')
    assert.equal(code, 0, stdout)
    for (const part of ['Node.js v', 'Disk of ', 'Store postgres', 'Store clickhouse']) {
      assert.match(stdout, new RegExp(`^ok +${part}`, 'm'))
    }
    assert.match(stdout, /^ok +API key from .+keys\.json works: sandbox, \d+ users?$/m)
    assert.match(stdout, /^ok +Management key from .+ works: organization "My organization"$/m)
    assert.match(stdout, /^ok +Server reaches PostgreSQL directly$/m)
  })

  it('ends with 1 and says what to do about a wrong key and about no server', async () => {
    const wrongKey = await salus('doctor', '--api-key', 'sk_us_wrong')
    assert.equal(wrongKey.code, 1)
    assert.match(wrongKey.stdout, /^PROBLEM +API key from --api-key is not accepted/m)
    assert.match(wrongKey.stdout, /→ Use a key of this server/)
    const noServer = await salus('doctor', '--url', await deadUrl())
    assert.equal(noServer.code, 1)
    assert.match(noServer.stdout, /^PROBLEM +No server runs at http/m)
    assert.match(noServer.stdout, /→ Start one with "npm start"/)
  })
})

describe('salus status', () => {
  it('prints the state of the server, its stores and its work', async () => {
    const { code, stdout } = await salus('status')
    assert.equal(code, 0, stdout)
    for (const line of [/^State +ok$/m, /^Salus +\d/m, /^PostgreSQL +\S+ .B; largest table /m]) {
      assert.match(stdout, line)
    }
    assert.match(stdout, /^Jobs +waiting: \d+, running: \d+, retried: 0, given up: 0$/m)
    const { ready, status, delivery, jobs } = JSON.parse((await salus('status', '--json')).stdout)
    assert.deepEqual(ready.stores, { postgres: 'ok', clickhouse: 'ok', files: 'ok' })
    assert.deepEqual(status.clickhouse_servers, [])
    assert.ok(delivery.outbox && Array.isArray(jobs.data))
  })

  it('needs the management key of an operator', async () => {
    const { code, stderr } = await salus('status', '--management-key', 'mg_wrong')
    assert.equal(code, 1)
    assert.match(stderr, /came from --management-key/)
  })
})

describe('every command', () => {
  it('says in one line that a key is wrong, and where it came from', async () => {
    const { code, stdout, stderr } = await salus('users', 'list', '--api-key', 'sk_us_wrong')
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.equal(
      stderr,
      'salus: The API key is missing, unknown, revoked or expired. It came from --api-key.\n',
    )
    const management = await salus('key', 'list', '--management-key', 'mg_wrong')
    assert.match(management.stderr, /^salus: The management key .+ came from --management-key\.\n$/)
  })

  it('says in one line that no server runs', async () => {
    const url = await deadUrl()
    const { code, stderr } = await salus('users', 'list', '--url', url)
    assert.equal(code, 3)
    assert.equal(
      stderr,
      `salus: No server runs at ${url}. ` +
        'Start one with "npm start", or name another with --url or SALUS_URL.\n',
    )
  })

  it('says that a key is missing, an address is none, or a server is not Salus', async () => {
    const bare = await startSalus(['users', 'list', '--url', server.url]).result
    assert.match(bare.stderr, /^salus: No API key\. Give --api-key or SALUS_API_KEY/)
    assert.match(
      (await salus('users', 'list', '--url', 'localhost')).stderr,
      /must start with http/,
    )
    const other = createServer((_request, response) => response.end('<html></html>'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const { stderr } = await salus('users', 'list', '--url', url)
    other.close()
    assert.match(stderr, /is not a Salus server \(HTTP 200\)/)
  })

  it('has a help with the global options', async () => {
    const { code, stdout } = await salus('import', 'apple-health', '--help')
    assert.equal(code, 0)
    assert.match(stdout, /Usage: salus import apple-health \[options\] <file>/)
    assert.match(stdout, /Global Options:[\s\S]+--url <url>[\s\S]+SALUS_URL/)
  })
})

/** An address at which nothing listens: a port that was free a moment ago. */
async function deadUrl(): Promise<string> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise<void>((resolve) => probe.close(() => resolve()))
  return `http://127.0.0.1:${port}`
}

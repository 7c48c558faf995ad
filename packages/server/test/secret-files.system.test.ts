import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { closeSecretFiles } from '@salus/kernel/files/secret-files'
import { API_KEY, startServer } from './server-process.ts'

/** Files with secrets are for their owner alone, however they came into the data directory. */

const SALUS = fileURLToPath(new URL('../../cli/bin/salus.mjs', import.meta.url))
const REPORT = fileURLToPath(
  new URL('../../ops/data/demo-reports/blood-count.pdf', import.meta.url),
)
const folder = mkdtempSync(join(tmpdir(), 'salus-modes-'))
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 }))

/** What a program begins with that is started meanwhile; `start` must start it at once. */
function withOpenUmask<Result>(start: () => Result): Result {
  const before = process.umask(0)
  try {
    return start()
  } finally {
    process.umask(before)
  }
}

async function salus(...values: string[]): Promise<void> {
  const { PATH = '', HOME = '' } = process.env
  const child = withOpenUmask(() =>
    spawn(process.execPath, [SALUS, ...values], { env: { PATH, HOME }, stdio: 'ignore' }),
  )
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, values.join(' '))
}

/**
 * Files that another user of the machine may read or write. Folders that such a user may not enter
 * are left out.
 */
function listOpen(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    const { mode } = statSync(path)
    if (!entry.isDirectory()) return (mode & 0o066) === 0 ? [] : [path]
    return (mode & 0o011) === 0 ? [] : listOpen(path)
  })
}

async function start(data: string, ask: (url: string) => Promise<void> = async () => {}) {
  const server = await withOpenUmask(() => startServer(data, { SALUS_MANAGEMENT_KEY: '' }))
  try {
    await ask(server.baseUrl)
  } finally {
    await server.end('SIGTERM')
  }
  return server.output()
}

async function uploadReport(url: string): Promise<void> {
  const headers = { 'x-service-api-key': API_KEY, 'content-type': 'application/json' }
  const body = JSON.stringify({ client_user_id: 'ada' })
  const { user_id } = (await (
    await fetch(`${url}/v2/user`, { method: 'POST', headers, body })
  ).json()) as { user_id: string }
  const form = new FormData()
  form.set('user_id', user_id)
  form.set('file', new Blob([readFileSync(REPORT)]), 'report.pdf')
  const { status } = await fetch(`${url}/lab_report/v1/parser/job`, {
    method: 'POST',
    headers: { 'x-service-api-key': API_KEY },
    body: form,
  })
  assert.equal(status, 200)
}

test('a first start with a umask of 0, a backup and a restore leave nothing open to other users of the machine', async () => {
  const data = join(folder, 'data')
  const backups = join(folder, 'backups')
  await start(data, async (url) => {
    await uploadReport(url)
    await salus('backup', backups, '--data-dir', data)
    assert.ok(readdirSync(join(data, 'files'), { recursive: true }).length > 1)
    assert.deepEqual(listOpen(data), [])
  })
  assert.deepEqual(listOpen(data), [])
  assert.deepEqual(listOpen(backups), [])
  const restored = join(folder, 'restored')
  mkdirSync(restored, { mode: 0o755 })
  cpSync(join(data, 'secret.key'), join(restored, 'secret.key'))
  await salus('restore', backups, '--data-dir', restored)
  await start(restored)
  assert.deepEqual(listOpen(restored), [])
})

test('a start on a copy that lost its modes closes the files with secrets, and warns of them', async () => {
  const data = join(folder, 'data')
  const names = ['secret.key', 'keys.json', 'files']
  for (const name of names) chmodSync(join(data, name), name === 'files' ? 0o755 : 0o644)
  assert.ok(listOpen(data).includes(join(data, 'secret.key')))
  const output = await start(data)
  assert.deepEqual(listOpen(data), [])
  assert.match(
    output,
    /"mended":\["secret.key","keys.json","files"\],"still_open":\[\].*other users/,
  )
  // The next start has nothing to close.
  assert.deepEqual(closeSecretFiles(data), { mended: [], still_open: [] })
})

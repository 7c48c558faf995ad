import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../errors.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

const IS_ROOT = process.getuid?.() === 0
const OTHER_USER = 65534
const MODULE = new URL('./embedded-postgres.ts', import.meta.url).href

/** A program that starts PostgreSQL, commits a row, prints the process id and waits. */
const CHILD = `
  const { startEmbeddedPostgres } = await import(${JSON.stringify(MODULE)})
  const { default: pg } = await import(${JSON.stringify(import.meta.resolve('pg'))})
  const postgres = await startEmbeddedPostgres({ directory: process.argv[1], log: () => {} })
  const client = new pg.Client({ connectionString: postgres.url })
  client.on('error', () => {})
  await client.connect()
  await client.query('create table if not exists kept (value text)')
  await client.query("insert into kept values ('committed')")
  console.log(postgres.pid)
  process.stdin.on('end', async () => {
    await client.end()
    await postgres.stop()
    process.exit(0)
  }).resume()
`

/** A fresh folder whose mode lets the service account through, unless `mode` says otherwise. */
function makeFolder(t: TestContext, mode = 0o711): string {
  const folder = mkdtempSync(join(tmpdir(), 'salus-postgres-'))
  chmodSync(folder, mode)
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
  return folder
}

async function start(t: TestContext, directory: string): Promise<EmbeddedPostgres> {
  const lines: string[] = []
  const postgres = await startEmbeddedPostgres({ directory, log: (line) => lines.push(line) })
  t.after(() => postgres.stop())
  return postgres
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

function spawnChild(t: TestContext, directory: string, uid?: number): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', CHILD, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

async function readPid(child: ChildProcess): Promise<number> {
  assert.ok(child.stdout)
  const line = once(createInterface({ input: child.stdout }), 'line')
  const [first] = await Promise.race([line, once(child, 'exit').then(() => ['no process id'])])
  assert.match(String(first), /^\d+$/)
  return Number(first)
}

async function until(condition: () => boolean, milliseconds: number, what: string): Promise<void> {
  const deadline = performance.now() + milliseconds
  while (!condition()) {
    assert.ok(performance.now() < deadline, `${what} within ${milliseconds} ms`)
    await sleep(10)
  }
}

/** A process that ended but that no parent has waited for yet does not count. */
function isRunning(pid: number): boolean {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0)
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

function ownerOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

const onlyRoot = { skip: IS_ROOT ? false : 'only root changes users' }

test('the first start makes a cluster, and stop ends the process', async (t) => {
  const directory = join(makeFolder(t), 'postgres')
  const postgres = await start(t, directory)
  const rows = await query(
    postgres.url,
    `select current_database() as name, current_setting('server_encoding') as encoding,
      current_setting('fsync') as fsync, lower('É') as lower`,
  )
  assert.deepEqual(rows, [{ name: 'salus', encoding: 'UTF8', fsync: 'on', lower: 'é' }])
  assert.equal(statSync(join(directory, 'password')).mode & 0o777, 0o600)
  await postgres.stop()
  await postgres.stop()
  assert.equal(isRunning(postgres.pid), false)
})

test('a second start finds the data again, and no client gets in without the password', async (t) => {
  const directory = join(makeFolder(t), 'postgres')
  const first = await start(t, directory)
  await query(first.url, "create table kept as select 'there' as value")
  await first.stop()
  const second = await start(t, directory)
  assert.deepEqual(await query(second.url, 'select value from kept'), [{ value: 'there' }])
  const stranger = new URL(second.url)
  stranger.password = 'wrong'
  await assert.rejects(query(stranger.href, 'select 1'), { code: '28P01' })
})

test('a killed parent leaves no server behind, and committed rows are recovered', async (t) => {
  const directory = join(makeFolder(t), 'postgres')
  const child = spawnChild(t, directory)
  const pid = await readPid(child)
  assert.equal(isRunning(pid), true)
  child.kill('SIGKILL')
  await until(() => !isRunning(pid), 5_000, 'the server ends')
  const postgres = await start(t, directory)
  assert.deepEqual(await query(postgres.url, 'select value from kept'), [{ value: 'committed' }])
})

test('a start right after the parent was killed waits for the earlier server', async (t) => {
  const directory = join(makeFolder(t), 'postgres')
  const child = spawnChild(t, directory)
  const pid = await readPid(child)
  child.kill('SIGKILL')
  const postgres = await start(t, directory)
  assert.notEqual(postgres.pid, pid)
  assert.deepEqual(await query(postgres.url, 'select value from kept'), [{ value: 'committed' }])
})

test('a start right after the server itself was killed recovers', async (t) => {
  const directory = join(makeFolder(t), 'postgres')
  const first = await start(t, directory)
  await query(first.url, "create table kept as select 'there' as value")
  const reason = new Promise((resolve) => first.onUnexpectedExit(resolve))
  process.kill(first.pid, 'SIGKILL')
  assert.equal(await reason, 'The embedded PostgreSQL ended by itself (signal 9).')
  const second = await start(t, directory)
  assert.deepEqual(await query(second.url, 'select value from kept'), [{ value: 'there' }])
})

test('an initialisation that was killed half way starts over', async (t) => {
  const parent = makeFolder(t)
  const directory = join(parent, 'postgres')
  const child = spawnChild(t, directory)
  const hasDraft = () => {
    const draft = readdirSync(parent).find((name) => name.startsWith('postgres.initialising-'))
    return draft !== undefined && existsSync(join(parent, draft, 'cluster', 'base'))
  }
  await until(hasDraft, 30_000, 'initdb is at work')
  child.kill('SIGKILL')
  const postgres = await start(t, directory)
  assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
  assert.deepEqual(readdirSync(parent), ['postgres'])
})

test('a stale process id that now names another process does not stand in the way', async (t) => {
  const directory = join(makeFolder(t), 'postgres')
  const first = await start(t, directory)
  const lockFile = join(directory, 'cluster', 'postmaster.pid')
  const content = readFileSync(lockFile, 'utf8')
  await first.stop()
  writeFileSync(lockFile, content.replace(/^\d+/, String(process.pid)))
  const { url, pid } = await start(t, directory)
  assert.notEqual(pid, process.pid)
  assert.deepEqual(await query(url, 'select 1 as one'), [{ one: 1 }])
})

test('a server that cannot start says why in one line', async (t) => {
  const directory = join(makeFolder(t), 'postgres')
  await (await start(t, directory)).stop()
  writeFileSync(join(directory, 'cluster', 'postgresql.conf'), 'no_such_setting = 1\n')
  await assert.rejects(start(t, directory), (error) => {
    assert.ok(error instanceof StartupError)
    assert.match(
      error.message,
      /^The embedded PostgreSQL does not start: .*FATAL:.*postgresql.conf/,
    )
    return true
  })
})

test('a copy that lost its owner and its modes starts', async (t) => {
  const parent = makeFolder(t)
  const first = await start(t, join(parent, 'postgres'))
  await query(first.url, "create table kept as select 'there' as value")
  await first.stop()
  const copy = join(parent, 'copy')
  execFileSync('cp', ['-r', join(parent, 'postgres'), copy])
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', copy])
  const second = await start(t, copy)
  assert.deepEqual(await query(second.url, 'select value from kept'), [{ value: 'there' }])
  for (const path of [copy, join(copy, 'cluster')]) assert.equal(statSync(path).mode & 0o777, 0o700)
  assert.equal(statSync(join(copy, 'password')).mode & 0o777, 0o600)
})

test("another user's folder is refused with its remedy", onlyRoot, async (t) => {
  const folder = makeFolder(t, 0o755)
  const directory = join(folder, 'postgres')
  await (await start(t, directory)).stop()
  execFileSync('chmod', ['-R', 'go=rX', directory])
  const child = spawn(process.execPath, ['--input-type=module', '-e', CHILD, directory], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
    uid: OTHER_USER,
    gid: OTHER_USER,
  })
  let text = ''
  child.stderr.on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'close')
  if (/Cannot find module|EACCES: permission denied, (open|stat) .*\.ts/.test(text)) {
    return t.skip('another user may not read this folder')
  }
  assert.match(text, /belongs to another user \(EPERM\)\. .*chown -R \d+ /)
})

test('a folder with other files in it is left alone', async (t) => {
  const directory = makeFolder(t)
  writeFileSync(join(directory, 'letter.txt'), 'dear')
  await assert.rejects(start(t, directory), /is not a PostgreSQL folder of Salus/)
  assert.deepEqual(readdirSync(directory), ['letter.txt'])
})

test('as root the server runs as another user', onlyRoot, async (t) => {
  const postgres = await start(t, join(makeFolder(t, 0o711), 'postgres'))
  assert.notEqual(ownerOf(postgres.pid), 0)
})

test('as root it works below a folder that only root may enter', onlyRoot, async (t) => {
  const folder = makeFolder(t, 0o700)
  const directory = join(folder, 'postgres')
  const postgres = await start(t, directory)
  assert.notEqual(ownerOf(postgres.pid), 0)
  await query(postgres.url, 'create table kept as select 1 as one; checkpoint')
  await postgres.stop()
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  await start(t, directory)
})

test('root takes over a folder that an ordinary user made', onlyRoot, async (t) => {
  const directory = join(makeFolder(t), 'postgres')
  await (await start(t, directory)).stop()
  for (const entry of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(directory, entry), OTHER_USER, OTHER_USER)
  }
  chownSync(directory, OTHER_USER, OTHER_USER)
  const postgres = await start(t, directory)
  assert.notEqual(statSync(join(directory, 'cluster')).uid, OTHER_USER)
  assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
})

test('an ordinary user starts and stops it', onlyRoot, async (t) => {
  const readable = spawn(
    process.execPath,
    ['-e', `require('node:fs').readFileSync(${JSON.stringify(import.meta.filename)})`],
    { uid: OTHER_USER, gid: OTHER_USER, cwd: '/', stdio: 'ignore' },
  )
  const [code] = await once(readable, 'exit').catch(() => [1])
  if (code !== 0) return t.skip('another user may not read this folder')
  const folder = makeFolder(t)
  chownSync(folder, OTHER_USER, OTHER_USER)
  const child = spawnChild(t, join(folder, 'postgres'), OTHER_USER)
  const pid = await readPid(child)
  assert.equal(ownerOf(pid), OTHER_USER)
  const exited = once(child, 'exit')
  child.stdin?.end()
  assert.deepEqual(await exited, [0, null])
  assert.equal(isRunning(pid), false)
})

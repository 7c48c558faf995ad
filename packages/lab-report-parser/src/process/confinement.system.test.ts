import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { READER_PROTECTIONS, type ReaderProtection } from '../report.ts'
import {
  attempt,
  type Confinement,
  findConfinement,
  isStronger,
  listConfinements,
  READABLE,
} from './confinement.ts'
import { createLabReportParser } from './pool.ts'

// Attempts run without the permission model of Node.js, as code would that has broken out of an
// engine.

const folder = mkdtempSync(join(tmpdir(), 'salus-confinement-'))
const server = createServer()
const socketServer = createServer()
const socket = join(folder, 'socket')
const addon = join(folder, 'stolen.node')
let port: number

before(async () => {
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'data', 'secret.key'), 'secret', { mode: 0o600 })
  const addons = READABLE.map((path) => join(path, '@napi-rs/canvas-*/*.node'))
  const [first] = globSync(addons)
  assert.ok(first)
  copyFileSync(first, addon)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => socketServer.listen(socket, resolve))
  port = (server.address() as { port: number }).port
})
after(() => {
  server.close()
  socketServer.close()
  rmSync(folder, { recursive: true, force: true })
})

const tryAll = (confinement: Confinement, reader?: number) => {
  const others = [process.pid, ...(reader === undefined ? [] : [reader])]
  const looks = ['environ', 'cmdline', 'maps', 'mem', 'root']
  return attempt(confinement, {
    read: [
      ...[join(folder, 'data', 'secret.key'), folder, '/etc/shadow', '/etc/passwd', '/'],
      ...others.flatMap((pid) => looks.map((name) => `/proc/${pid}/${name}`)),
    ],
    write: [folder, tmpdir()],
    tcp: [{ host: '127.0.0.1', port }],
    udp: [{ host: '127.0.0.1', port: 53 }],
    sockets: [socket],
    programs: [process.execPath, '/bin/true'],
    addons: [addon],
    signal: others,
  })
}

/** What fails when a protection holds. */
const KEPT_FROM: Record<ReaderProtection, RegExp> = {
  files: /^read .*(secret\.key|\/etc\/shadow)$/,
  writing: /^write /,
  network: /^(tcp|udp) /,
  local_sockets: /^socket /,
  programs: /^program /,
  server: /^signal |^read \/proc\/\d+\/(environ|maps|mem)$/,
}

interface Offers {
  landlock: number
  hasFilter: boolean
  hasNamespaces: boolean
  hasOwnUser: boolean
}

/** Numbers of system calls, without which a kernel seems to lack a means. */
const CALLS =
  process.arch === 'x64'
    ? { landlock: '444', filter: '317', namespaces: '272' }
    : { landlock: '444', filter: '277', namespaces: '97' }
const WITHOUT_CALLS = fileURLToPath(new URL('../../test/without-calls.pl', import.meta.url))
const OTHER_USER = 65_534

/**
 * Runs a program on a kernel that seems to lack some calls.
 * @returns what it prints, or nothing where it fails
 */
function runWithout(calls: string[], uid: number | undefined, command: string[]): string {
  const before = calls.length > 0 ? ['perl', WITHOUT_CALLS, ...calls, '--'] : []
  const [program = '', ...values] = [...before, ...command]
  const user = uid === undefined ? {} : { uid, gid: uid }
  // The folder of temporary files of a run of tests is for its own user alone.
  const env = { ...process.env, TMPDIR: '/tmp' }
  const options = { ...user, env, cwd: '/', encoding: 'utf8' } as const
  const { status, stdout } = spawnSync(program, values, options)
  return status === 0 ? stdout : ''
}

/** Asks the kernel itself, by other ways than the confinements. */
function findOffers(calls: string[] = [], uid?: number): Offers {
  const run = (...command: string[]) => runWithout(calls, uid, command)
  const asks = `my $kill = pack('L', 0x80000000);
    printf '%d %d', syscall(444, 0, 0, 1), syscall(${CALLS.filter}, 2, 0, $kill)`
  const [landlock, filter] = run('perl', '-e', asks).split(' ').map(Number)
  const lists = `require('node:fs').readdirSync(${JSON.stringify(READABLE[0])})`
  const canRead = (user: number) => {
    const options = { uid: user, gid: user, cwd: '/' }
    return spawnSync(process.execPath, ['-e', lists], options).status === 0
  }
  return {
    landlock: Math.max(0, landlock ?? 0),
    hasFilter: filter === 0,
    hasNamespaces: run('unshare', '--user', '--net', '--ipc', '--', 'echo', 'yes') !== '',
    hasOwnUser: uid === undefined && process.getuid?.() === 0 && canRead(OTHER_USER),
  }
}

/** What a reader is kept from by one means or another. */
function listOffered({ landlock, hasFilter, hasNamespaces, hasOwnUser }: Offers) {
  const isOffered: Record<ReaderProtection, boolean> = {
    files: landlock > 0 || hasOwnUser,
    writing: landlock > 0,
    network: hasFilter || hasNamespaces,
    local_sockets: hasFilter,
    programs: hasFilter,
    server:
      (landlock > 0 || hasOwnUser || hasNamespaces) && (hasFilter || landlock >= 6 || hasOwnUser),
  }
  return READER_PROTECTIONS.filter((name) => isOffered[name])
}

test('without any confinement everything is reached, so the attempts are real', async () => {
  const none = listConfinements().at(-1)
  assert.ok(none)
  const successes = await tryAll(none)
  for (const sign of ['secret.key', 'write ', 'tcp ', 'udp ', 'socket ', 'program ', 'signal ']) {
    assert.ok(
      successes.some((success) => success.includes(sign)),
      sign,
    )
  }
  assert.ok(successes.includes(`addon ${addon}`))
})

test('a reader that was taken over is kept from all that the kernel can keep it from', async (context) => {
  const offers = findOffers()
  const offered = listOffered(offers)
  const found = await findConfinement()
  context.diagnostic(JSON.stringify({ ...offers, by: found.name, holds: found.protections }))
  assert.deepEqual(
    offered.filter((name) => !found.protections.includes(name)),
    [],
  )
  const engine = new URL('../../test/hostile-engine.ts', import.meta.url).href
  const limits = { processes: 1, memoryMb: 400, timeoutMs: 60_000, idleMs: 60_000 }
  const parser = createLabReportParser({ ...limits, engine })
  try {
    const outcome = await parser.parse([new TextEncoder().encode('')])
    assert.ok(outcome.status === 'failed')
    const successes = await tryAll(found, Number(outcome.detail))
    for (const name of offered) {
      assert.deepEqual(
        successes.filter((success) => KEPT_FROM[name].test(success)),
        [],
        name,
      )
    }
    if (offered.length === READER_PROTECTIONS.length) assert.deepEqual(successes, [])
  } finally {
    await parser.close()
  }
})

test('where the kernel lacks a means, a reader is kept from what the others can keep it from', async (context) => {
  if (!findOffers().hasFilter)
    return context.skip('without a filter of calls none can be taken away')
  const { landlock, filter, namespaces } = CALLS
  const all = [landlock, filter, namespaces]
  for (const calls of [[landlock], [filter], all]) checkWithout(context, calls, undefined)
  if (!findOffers().hasOwnUser) return
  for (const calls of [[landlock], [landlock, filter], all])
    checkWithout(context, calls, OTHER_USER)
})

function checkWithout(context: TestContext, calls: string[], uid: number | undefined): void {
  const offered = listOffered(findOffers(calls, uid))
  const module = JSON.stringify(new URL('./confinement.ts', import.meta.url).href)
  const script = `import(${module}).then(async (all) => console.log(JSON.stringify(await all.findConfinement())))`
  const printed = runWithout(calls, uid, [process.execPath, '-e', script])
  assert.notEqual(printed, '')
  const { name, protections } = JSON.parse(printed)
  const setting = `without ${calls.join(' and ')}, user ${uid ?? 'as here'}`
  context.diagnostic(`${setting}: ${name} holds ${protections.join(', ') || 'nothing'}`)
  assert.ok(offered.length < READER_PROTECTIONS.length, setting)
  assert.deepEqual(
    offered.filter((one) => !protections.includes(one)),
    [],
    setting,
  )
}

test('a folder for temporary files that cannot be written is an error that names it', () => {
  const missing = join(folder, 'missing')
  const module = JSON.stringify(new URL('./confinement.ts', import.meta.url).href)
  const script = `import(${module}).then((all) => all.findConfinement()).catch((error) => console.log(error.message))`
  const { stdout } = spawnSync(process.execPath, ['-e', script], {
    env: { TMPDIR: missing },
    encoding: 'utf8',
  })
  assert.equal(
    stdout.trim(),
    `The folder for temporary files, ${missing}, cannot be written (ENOENT). Set TMPDIR to another folder.`,
  )
})

test('more protections are stronger, and of as many those of the memory and the files of the server', () => {
  assert.ok(isStronger(['network', 'programs'], ['files']))
  assert.ok(!isStronger(['files'], ['network', 'programs']))
  assert.ok(isStronger(['files'], ['network']))
  assert.ok(isStronger(['server', 'writing'], ['files', 'network']))
  assert.ok(!isStronger(['files'], ['files']))
})

test('a user of its own keeps a reader from what only the server may read, where the kernel has no more', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can start programs as another user')
  const own = listConfinements().find(
    (confinement) => confinement.hasOwnUser && confinement.command('node').length === 1,
  )
  assert.ok(own)
  const successes = await tryAll(own)
  const forbidden = ['secret.key', '/etc/shadow', 'environ', 'maps', 'mem', 'signal']
  for (const sign of forbidden) assert.doesNotMatch(successes.join('\n'), new RegExp(sign))
})

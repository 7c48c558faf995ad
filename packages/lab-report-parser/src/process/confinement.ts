import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { READER_PROTECTIONS, type ReaderProtection } from '../report.ts'
import type { Attempts, Successes } from './attempts.ts'

// Confines a reader by the system, beside the permission model of Node.js, which binds JavaScript
// and not code that has broken out of an engine. The protections of a machine are tried once, with
// a program that tries to break out.

/** The way to start a reader. */
export interface Confinement {
  /** For the log. */
  name: string
  /** Returns the program that starts Node.js, with the arguments before those of Node.js. */
  command: (node: string) => [program: string, ...before: string[]]
  /** Whether each process runs as a different user who owns nothing. */
  hasOwnUser: boolean
  /** Descriptor from which it reads its memory, if it may not open the file. */
  memoryDescriptor?: number
}

export interface TriedConfinement extends Confinement {
  /** Protections that held when they were tried. */
  protections: ReaderProtection[]
}

const PACKAGE = realpathSync(fileURLToPath(new URL('../..', import.meta.url)))

/** Code and models: this package and the packages that it may import. */
export const READABLE: readonly string[] = [PACKAGE, ...listModuleFolders(PACKAGE)]

/** System files that Node.js and its libraries load at the start. */
const SYSTEM = [
  ...['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib', '/nix/store'],
  ...['/etc/ld.so.cache', '/dev/null', '/proc/cpuinfo', '/proc/meminfo', '/sys/devices/system/cpu'],
]

/** Ids that distributions leave unused, between users of people and dynamic ones of systemd. */
const [FIRST_UID, LAST_UID] = [60_600, 61_183]
const PROBE_MS = 20_000
/** Above the descriptors with which a process of Node.js starts. */
const MEMORY_DESCRIPTOR = 9

const none: Confinement = { name: 'none', command: (node) => [node], hasOwnUser: false }
const byKernel: Confinement = {
  name: 'confine.pl',
  command: (node) => [
    'perl',
    fileURLToPath(new URL('./confine.pl', import.meta.url)),
    String(MEMORY_DESCRIPTOR),
    ...[...SYSTEM, ...READABLE].filter((path) => existsSync(path)),
    '--',
    node,
    // The OpenSSL settings of the system are not readable for it.
    '--openssl-config=/dev/null',
  ],
  hasOwnUser: false,
  memoryDescriptor: MEMORY_DESCRIPTOR,
}
const NAMESPACES = ['unshare', '--user', '--net', '--ipc', '--'] as const
const byNamespaces: Confinement = {
  name: 'namespaces',
  command: (node) => [...NAMESPACES, node],
  hasOwnUser: false,
}
/**
 * For kernels without everything that `confine.pl` needs: namespaces block the network without a
 * filter of calls.
 */
const byBoth: Confinement = {
  ...byKernel,
  name: 'confine.pl in namespaces',
  command: (node) => [...NAMESPACES, ...byKernel.command(node)],
}

/**
 * The server's memory has all keys, its files some of them. Without a network, data that were read
 * cannot leave.
 */
const HEAVIEST_FIRST: readonly ReaderProtection[] = [
  ...(['server', 'files', 'network', 'programs', 'local_sockets', 'writing'] as const),
]

const PATHS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

let tried: Promise<TriedConfinement> | undefined

/**
 * Returns the strongest confinement with which a reader can run here. They are tried once in the
 * life of a process, and only the first if it holds everything.
 */
export function findConfinement(): Promise<TriedConfinement> {
  tried ??= tryConfinements()
  return tried
}

/** The folder of temporary files cannot be written, so nothing can be tried. */
class TemporaryFolderError extends Error {}

/**
 * Checks that the folder of temporary files can be written, which trying a confinement needs.
 * @throws Error that names the folder
 */
export function checkTemporaryFolder(): void {
  rmSync(makeTemporaryFolder(), { recursive: true })
}

function makeTemporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'salus-reader-'))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new TemporaryFolderError(
      `The folder for temporary files, ${tmpdir()}, cannot be written (${code}). Set TMPDIR to another folder.`,
      { cause },
    )
  }
}

/**
 * Returns the confinements of this system, the strongest first by expectation; the last one
 * confines nothing.
 */
export function listConfinements(): Confinement[] {
  const isLinux = process.platform === 'linux'
  const ways = isLinux ? [byKernel, byBoth, byNamespaces, none] : [none]
  const isRoot = process.getuid?.() === 0
  return ways.flatMap((way) => (isRoot ? [{ ...way, hasOwnUser: true }, way] : [way]))
}

/** Returns options for `fork` and `execFile` that confine a program: an empty environment. */
export function toSpawnOptions({ hasOwnUser }: Confinement): {
  env: Record<string, string>
  cwd: string
  uid?: number
  gid?: number
} {
  const uid = randomInt(FIRST_UID, LAST_UID + 1)
  return { env: {}, cwd: '/', ...(hasOwnUser && { uid, gid: uid }) }
}

/** @throws when nothing can be started like that */
export async function attempt(
  confinement: Confinement,
  attempts: Omit<Attempts, 'code'>,
): Promise<Successes> {
  const script = fileURLToPath(new URL('./attempts.ts', import.meta.url))
  const [program, ...before] = resolveCommand(confinement)
  const given: Attempts = { code: [...READABLE], ...attempts }
  const { stdout } = await promisify(execFile)(
    program,
    [...before, script, JSON.stringify(given)],
    { ...toSpawnOptions(confinement), timeout: PROBE_MS },
  )
  return JSON.parse(stdout) as Successes
}

/** Returns the program by its path, since there is no environment to look it up with. */
export function resolveCommand({ command }: Confinement): [program: string, ...before: string[]] {
  const [program, ...before] = command(process.execPath)
  const paths = program.includes('/') ? [program] : PATHS.map((folder) => join(folder, program))
  const path = paths.find((path) => existsSync(path))
  if (path === undefined) throw new Error(`There is no ${program}`)
  return [path, ...before]
}

async function tryConfinements(): Promise<TriedConfinement> {
  let strongest: TriedConfinement = { ...none, protections: [] }
  for (const confinement of listConfinements()) {
    // It fails where the system lacks it, or this user may not have it, or may not read the code
    // then.
    const protections = await listProtections(confinement).catch((error: unknown) => {
      if (error instanceof TemporaryFolderError) throw error
      return []
    })
    if (isStronger(protections, strongest.protections)) strongest = { ...confinement, protections }
    if (protections.length === READER_PROTECTIONS.length) break
  }
  return strongest
}

/**
 * Returns whether a set of protections is stronger: by number, then by the heaviest that the other
 * lacks.
 */
export function isStronger(
  these: readonly ReaderProtection[],
  those: readonly ReaderProtection[],
): boolean {
  if (these.length !== those.length) return these.length > those.length
  const first = HEAVIEST_FIRST.find((name) => these.includes(name) !== those.includes(name))
  return first !== undefined && these.includes(first)
}

/**
 * Tries to read a file and the memory of this process, to reach the network, and the other named
 * protections.
 */
async function listProtections(confinement: Confinement): Promise<ReaderProtection[]> {
  const folder = makeTemporaryFolder()
  try {
    chmodSync(folder, 0o777)
    const secret = join(folder, 'secret')
    writeFileSync(secret, '', { mode: 0o600 })
    const successes = await attempt(confinement, {
      read: [secret, ...['environ', 'maps', 'mem'].map((name) => `/proc/${process.pid}/${name}`)],
      write: [folder],
      tcp: [{ host: '127.0.0.1', port: 1 }],
      udp: [{ host: '127.0.0.1', port: 9 }],
      sockets: [join(folder, 'socket')],
      programs: [process.execPath],
      signal: [process.pid],
    })
    const signs: Record<ReaderProtection, string[]> = {
      files: [`read ${folder}`],
      writing: ['write '],
      network: ['tcp ', 'udp '],
      local_sockets: ['socket '],
      programs: ['program '],
      server: ['read /proc/', 'signal '],
    }
    return READER_PROTECTIONS.filter(
      (name) => !successes.some((success) => signs[name].some((sign) => success.startsWith(sign))),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns every `node_modules` in which Node.js looks up imports. */
function listModuleFolders(folder: string): string[] {
  const own = join(folder, 'node_modules')
  const above = dirname(folder) === folder ? [] : listModuleFolders(dirname(folder))
  return existsSync(own) ? [realpathSync(own), ...above] : above
}

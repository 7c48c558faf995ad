import { execFileSync, spawnSync } from 'node:child_process'
import { lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../errors.ts'
import type { Launcher } from './supervised-process.ts'

export interface Account {
  uid: number
  gid: number
}

const ACCOUNT_NAME = 'salus'
const ELSE = 'Start Salus as an ordinary user, or set DATABASE_URL to your own PostgreSQL.'

/** Bits of the effective capability set in /proc/self/status, the lesser privilege first. */
const SEARCH_CAPABILITIES = [
  { bit: 2n, name: 'dac_read_search' },
  { bit: 1n, name: 'dac_override' },
] as const

/**
 * Finds the system user that runs PostgreSQL. PostgreSQL refuses to run as root, so root runs it as
 * the user `salus`, which is created when it is missing; `notice` is called then.
 * @returns undefined when this process is not root: PostgreSQL then runs as the same user
 */
export async function findServiceAccount(
  notice: (line: string) => void,
  name = ACCOUNT_NAME,
): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  let reason = ''
  // Two processes that start together compete for the lock on /etc/passwd.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const account = lookUpAccount(name)
    if (account) return account
    reason = createAccount(name)
    if (reason === '') notice(`Made the system user ${name}: PostgreSQL does not run as root.`)
    else await sleep(200)
  }
  throw new StartupError(
    `PostgreSQL does not run as root, and the system user ${name} cannot be made ` +
      `(${reason}). ${ELSE}`,
  )
}

function lookUpAccount(name: string): Account | undefined {
  try {
    const [uid, gid] = ['-u', '-g'].map((option) =>
      Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: 'pipe' })),
    )
    return uid && gid ? { uid, gid } : undefined
  } catch {
    return undefined
  }
}

/** Creates the account. Returns the reason for a failure, or an empty text. */
function createAccount(name: string): string {
  const options = ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name]
  const result = spawnSync('useradd', options, { encoding: 'utf8' })
  if (result.error) return result.error.message
  return result.status === 0 ? '' : result.stderr.trim().split('\n').at(-1) || 'useradd failed'
}

/**
 * Decides how to start a program that must reach `paths`. A folder on the way that others may not
 * enter (a clone under /root) is passed with one capability, which does not change its mode.
 */
export function chooseLauncher(account: Account | undefined, paths: string[]): Launcher {
  if (!account) return { prefix: [] }
  const closed = paths.map((path) => findClosedFolder(path, account.uid)).find(Boolean)
  if (closed === undefined) return { prefix: [], ...account }
  const capability = findSearchCapability()
  if (!capability || spawnSync('setpriv', ['--version']).status !== 0) {
    throw new StartupError(
      `PostgreSQL runs as the user ${ACCOUNT_NAME}, which may not pass through ${closed}. Run ` +
        `chmod o+x ${closed}, or install setpriv (package util-linux). Otherwise: ${ELSE}`,
    )
  }
  const { uid, gid } = account
  return {
    prefix: [
      'setpriv',
      // access(2), by which PostgreSQL checks its own binaries, respects the capability only with
      // this.
      '--securebits=+no_setuid_fixup',
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
    ],
  }
}

function findClosedFolder(path: string, uid: number): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid: owner } = statSync(folder)
    if ((mode & (owner === uid ? 0o100 : 0o001)) === 0) return folder
    if (folder === dirname(folder)) return undefined
  }
}

/** Returns the capability to use: containers usually drop dac_read_search and keep dac_override. */
function findSearchCapability(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))
  const bits = BigInt(`0x${effective?.[1] ?? '0'}`)
  return SEARCH_CAPABILITIES.find(({ bit }) => (bits >> bit) & 1n)?.name
}

/**
 * Changes the owner of a folder and its content to the account. A PostgreSQL whose parent was
 * killed may still be ending, so files may vanish meanwhile.
 */
export function chownFolder(folder: string, account: Account): void {
  for (const entry of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const path = join(folder, entry)
    const uid = lstatSync(path, { throwIfNoEntry: false })?.uid
    if (uid !== undefined && uid !== account.uid) lchownSync(path, account.uid, account.gid)
  }
}

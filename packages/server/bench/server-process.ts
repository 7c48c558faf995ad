import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const THIS_CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))

/** A real server process on embedded stores, as `npm start` runs it. */
export interface ServerProcess {
  url: string
  apiKey: string
  keys: { managementKey: string; organizationId: string; teamId: string }
  directory: string
  /** From the start of the process until /health/ready answers. */
  readySeconds: number
  /** Process ids of the server and of all that it started. */
  processIds(): number[]
  stop(): Promise<void>
}

/** A port of this machine that no program listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'salus-bench-'))
export const removeDirectory = (path: string): void =>
  rmSync(path, { recursive: true, force: true })

/**
 * Starts a server on the folder and waits until it is ready: of this checkout, or of another one.
 */
export async function startServer(
  directory: string,
  settings = {},
  checkout = THIS_CHECKOUT,
): Promise<ServerProcess> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const child = spawn(process.execPath, [join(checkout, 'packages/server/bin/start.mjs')], {
    env: {
      ...process.env,
      PORT: String(port),
      SALUS_HEALTH_PORT: String(port),
      SALUS_DATA_DIR: directory,
      SALUS_LOG_LEVEL: 'warn',
      UV_THREADPOOL_SIZE: '12',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await waitUntilReady(child, `${url}/health/ready`)
  const readySeconds = (performance.now() - startedAt) / 1000
  const keys = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'))
  return {
    url,
    apiKey: keys.api_key,
    keys: {
      managementKey: keys.management_key,
      organizationId: keys.organization_id,
      teamId: keys.team_id,
    },
    directory,
    readySeconds,
    processIds: () => withDescendants(child.pid ?? 0),
    stop: () => stopProcess(child),
  }
}

/** Waits for the first success of a URL of the started program. */
export async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  while (!(await isReady(url))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`${child.spawnfile} did not start`)
    }
    await delay(20)
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

/** Ends a started program and waits until it has ended. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** A process and all that it started; one that has ended has none. */
export function withDescendants(pid: number): number[] {
  let children: string
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  } catch {
    return [pid]
  }
  const ids = children === '' ? [] : children.split(' ').map(Number)
  return [pid, ...ids.flatMap(withDescendants)]
}

/** Memory of a server process, in MB. */
export interface Memory {
  /** All that it holds in memory, with the pages of files that the system may take back. */
  rss: number
  /** What no file holds: its own data. */
  own: number
  /** RSS with shared pages divided among their users. */
  pss: number
  /** PSS of all that it started: the processes of PostgreSQL. */
  children: number
}

/** Reads the memory of a server and of its children; the server comes first. */
export function readMemory([server = 0, ...children]: number[]): Memory {
  return {
    rss: readMegabytes(server, 'Rss'),
    own: readMegabytes(server, 'Anonymous'),
    pss: readMegabytes(server, 'Pss'),
    children: memoryMegabytes(children),
  }
}

/** RSS of one process in MB, from a counter: the look into its pages holds it up. */
export const rssMegabytes = (pid: number): number =>
  (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 2 ** 20

/** Memory that belongs to the processes, shared pages divided among their users, in MB. */
export const memoryMegabytes = (processIds: number[]): number =>
  processIds.reduce((sum, pid) => sum + readMegabytes(pid, 'Pss'), 0)

function readMegabytes(pid: number, name: string): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) / 1024
  } catch {
    // A database connection's process may have ended meanwhile.
    return 0
  }
}

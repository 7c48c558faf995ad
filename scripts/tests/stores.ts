import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { findScratchFolder } from './scratch-folder.ts'

/** `npm ci` removes it, and git ignores it. */
const KEPT = resolve('node_modules', '.cache', 'salus-tests')

interface Closable {
  stop(): Promise<void>
}

/** Stores for the processes of a run. */
export interface TestStores {
  /** Folder of this run, removed with it. */
  directory: string
  /** Returns the environment variables of the processes that run one after the other in a slot. */
  environmentOf(slot: number): Record<string, string>
  close(): Promise<void>
}

export interface TestStoresOptions {
  /** Whether databases of the run before are reused, and kept for the next one. */
  isKept: boolean
  /** Whether ClickHouse has two shards. */
  isSharded: boolean
  /** Folder of kept stores. */
  keptFolder?: string
}

/**
 * Creates the stores of a run. PostgreSQL starts when the first test file needs it, and files
 * without a database never wait for it. Kept stores are for one run at a time: a second one has
 * stores of its own.
 */
export async function openTestStores({
  isKept,
  isSharded,
  keptFolder = KEPT,
}: TestStoresOptions): Promise<TestStores> {
  const directory = mkdtempSync(join(findScratchFolder(), 'salus-test-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  // Databases run as another user, who must be able to enter the folder.
  chmodSync(directory, 0o711)
  const kept = isKept ? lockKeptStores(keptFolder) : undefined
  const started: Closable[] = []
  const start = async <Started extends Closable>(starting: Promise<Started>): Promise<Started> => {
    const running = await starting
    started.push(running)
    return running
  }
  let postgres: Promise<string> | undefined
  const startPostgres = async () => {
    const { startEmbeddedPostgres } = await import(
      '../../packages/kernel/src/postgres/embedded-postgres.ts'
    )
    const cluster = { directory: join(kept?.folder ?? directory, 'postgres'), isDurable: false }
    return (await start(startEmbeddedPostgres({ ...cluster, log: () => {} }))).url
  }
  const answering = await answerWith(() => {
    postgres ??= startPostgres()
    return postgres
  })
  const environment: Record<string, string> = {
    TMPDIR: directory,
    SALUS_TEST_STORES: answering.url,
    SALUS_TEST_PAGES: join(directory, 'pages'),
    // Nearly every process loads the whole server; a compile cache saves a third of that.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(keptFolder, 'compiled'),
  }
  if (isSharded) {
    const { startTestCluster } = await import('../../packages/server/test/clickhouse-cluster.ts')
    environment.SALUS_TEST_CLICKHOUSE_URLS = (await start(startTestCluster(2))).urls.join(',')
  }
  return {
    directory,
    environmentOf(slot) {
      if (kept === undefined) return environment
      return { ...environment, SALUS_TEST_CLICKHOUSE_FOLDER: join(kept.folder, `engine-${slot}`) }
    },
    async close() {
      answering.close()
      for (const store of started) await store.stop()
      kept?.release()
    },
  }
}

/** Serves the address of PostgreSQL on this machine, or the error that keeps it from starting. */
async function answerWith(findUrl: () => Promise<string>): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => {
    findUrl().then(
      (url) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, close: () => server.close() }
}

/**
 * Locks the kept stores for this process; returns undefined when another process has them. Stores
 * that a process left without closing may be damaged, because nothing is synced to disk, and are
 * recreated.
 */
function lockKeptStores(parent: string): { folder: string; release(): void } | undefined {
  const folder = join(parent, 'stores')
  const lockFile = join(parent, 'taken-by')
  try {
    mkdirSync(parent, { recursive: true })
    const owner = readOwner(lockFile)
    if (owner !== undefined && isRunning(owner)) return undefined
    if (owner !== undefined) {
      rmSync(folder, { recursive: true, force: true })
      rmSync(lockFile)
    }
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o711)
    return { folder, release: () => rmSync(lockFile, { force: true }) }
  } catch {
    // Another process was faster, or the folder cannot be written.
    return undefined
  }
}

function readOwner(lockFile: string): number | undefined {
  try {
    return Number(readFileSync(lockFile, 'utf8'))
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

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

/** Where the processes of a run store. */
export interface TestStores {
  /** Of the run alone; it goes with it. */
  directory: string
  /** Environment variables of the processes that run one after the other in a slot. */
  environmentOf(slot: number): Record<string, string>
  close(): Promise<void>
}

export interface TestStoresOptions {
  /** Whether databases may be those of the run before, and stay for the next one. */
  isKept: boolean
  /** Whether ClickHouse is two shards. */
  isSharded: boolean
  /** Of what is kept. */
  keptFolder?: string
}

/**
 * Makes the stores of a run. PostgreSQL starts when the first test file needs it, and files without
 * a database never wait for it. Kept stores are for one run at a time: a second one has stores of
 * its own.
 */
export async function openTestStores({
  isKept,
  isSharded,
  keptFolder = KEPT,
}: TestStoresOptions): Promise<TestStores> {
  const directory = mkdtempSync(join(findScratchFolder(), 'salus-test-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  // Databases run as another user, who passes through.
  chmodSync(directory, 0o711)
  const kept = isKept ? takeKept(keptFolder) : undefined
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
    // Nearly every process loads the whole server; compiled once, that takes a third less.
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

/** Answers on this machine with the address of PostgreSQL, or with what keeps it from starting. */
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
 * Takes the kept stores for this process, or undefined when another process has them. Those that a
 * process left without closing may be broken, because nothing waits for the disk, and are made
 * anew.
 */
function takeKept(parent: string): { folder: string; release(): void } | undefined {
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

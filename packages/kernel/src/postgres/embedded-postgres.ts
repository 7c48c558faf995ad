import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../errors.ts'
import {
  clusterPath,
  initialiseCluster,
  readPassword,
  restoreModes,
  SUPERUSER,
} from './initialise-cluster.ts'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { mayHaveSocket, removeSockets, withSocket } from './postgres-sockets.ts'
import { readPort, waitForPreviousPostmaster } from './previous-postmaster.ts'
import { type Account, chooseLauncher, chownFolder, findServiceAccount } from './service-account.ts'
import { findReason } from './startup-reason.ts'
import { type Launcher, type SupervisedProcess, startSupervised } from './supervised-process.ts'

export interface EmbeddedPostgresOptions {
  /** Absolute path of a folder that only Salus uses; created when missing. */
  directory: string
  /** Receives each line that PostgreSQL writes; none contains SQL or values. */
  log: (line: string) => void
  /** Receives messages for the operator about changes of this machine. */
  notice?: (line: string) => void
  /**
   * False for data that may be lost in a power cut, as those of tests: then nothing waits for the
   * disk.
   */
  isDurable?: boolean
}

export interface EmbeddedPostgres {
  /** Connection URL with the password: never log it. */
  url: string
  /** Process id of the postmaster. */
  pid: number
  /** Fast shutdown: open transactions are rolled back. Resolves when the process has ended. */
  stop(): Promise<void>
  /** Called once, with one line that says how it ended, when PostgreSQL ends without stop(). */
  onUnexpectedExit(listener: (reason: string) => void): void
}

const DATABASE = 'salus'
const ATTEMPTS = 10
const STOP_PATIENCE_MS = 10_000

/** The port was taken meanwhile, or backends briefly outlive a postmaster. */
const PASSING_TROUBLE = /Address already in use|pre-existing shared memory block|lock file/

/** Some shared folders of virtual machines cannot hold sockets. */
const NO_SOCKET = /Unix-domain socket|\.s\.PGSQL\./

const SETTINGS = {
  // For programs that are given an address, and where the path of the socket is too long.
  listen_addresses: '127.0.0.1',
  // The folder of the data is closed too. The password is needed all the same.
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  // Parallel plans need more of /dev/shm than a container gives, and our queries are short.
  max_parallel_workers_per_gather: '0',
  // Plans that are kept are bad ones until a table was analyzed: of a new installation's tables,
  // whose indexes all look alike to the planner, soon after their first rows.
  autovacuum_naptime: '10s',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_checkpoints: 'off',
  lc_messages: 'C',
  // Errors go to the caller. In the log they and their details could quote personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/**
 * Starts the PostgreSQL that npm installed on a free local port, after creating its cluster on
 * first use. It ends with this process, even on `kill -9`, and does not keep this process alive.
 * @throws StartupError with one line that says why it cannot start
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { directory, log, notice = log, isDurable = true } = options
  const settings = isDurable ? SETTINGS : { ...SETTINGS, ...NOT_DURABLE }
  const binaries = findPostgresBinaries()
  const account = await findServiceAccount(notice)
  try {
    const cluster = clusterPath(directory)
    await initialiseCluster(directory, binaries, account)
    if (account) chownFolder(directory, account)
    restoreModes(directory)
    await waitForPreviousPostmaster(cluster, log)
    removeSockets(directory)
    const parts = { directory, settings, log, hasSocket: mayHaveSocket(directory) }
    return await startServer(parts, readPassword(directory), binaries, account)
  } catch (error) {
    throw explain(error, directory)
  }
}

function explain(error: unknown, directory: string): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof StartupError || typeof code !== 'string') return error
  if (code === 'EACCES' || code === 'EPERM') {
    return new StartupError(
      `The PostgreSQL folder ${directory} belongs to another user (${code}). ` +
        'Start Salus as the user who started it first, or give the folder to this one ' +
        `(chown -R ${process.getuid?.()} ${directory}).`,
      { cause: error },
    )
  }
  return new StartupError(`PostgreSQL cannot use ${directory} (${code}).`, { cause: error })
}

/** Parts that a server is started with. */
interface ServerParts {
  directory: string
  settings: Readonly<Record<string, string>>
  hasSocket: boolean
  log: (line: string) => void
}

async function startServer(
  parts: ServerParts,
  password: string,
  binaries: PostgresBinaries,
  account: Account | undefined,
): Promise<EmbeddedPostgres> {
  const server = { ...parts }
  const launcher = chooseLauncher(account, [binaries.root, clusterPath(server.directory)])
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort()
    const started = await tryStart(launcher, binaries.postgres, server, port)
    if ('process' in started) {
      const urls = connectionUrls(server.directory, password, port)
      return await finishStart(started.process, started.pid, urls)
    }
    const isUnable = server.hasSocket && started.lines.some((line) => NO_SOCKET.test(line))
    if (isUnable) server.hasSocket = false
    else if (attempt === ATTEMPTS || !started.lines.some((line) => PASSING_TROUBLE.test(line))) {
      const reason = findReason(started.lines, started.ended)
      throw new StartupError(`The embedded PostgreSQL does not start: ${reason}`)
    }
    await sleep(attempt * 200)
  }
}

type StartResult = { process: SupervisedProcess; pid: number } | { lines: string[]; ended: string }

/** Waits for readiness without a limit: recovery after a crash may take minutes. */
async function tryStart(
  launcher: Launcher,
  program: string,
  { directory, settings, hasSocket, log }: ServerParts,
  port: number,
): Promise<StartResult> {
  const lines: string[] = []
  const ready = Promise.withResolvers<'ready'>()
  const sockets = hasSocket ? `"${directory}"` : ''
  const own = { port: String(port), unix_socket_directories: sockets }
  const given = Object.entries({ ...settings, ...own })
  const command = [
    program,
    '-D',
    clusterPath(directory),
    ...given.flatMap(([k, v]) => ['-c', `${k}=${v}`]),
  ]
  let isStarting = true
  const process = startSupervised(launcher, command, (line) => {
    log(line)
    if (!isStarting) return
    lines.push(line)
    if (/is ready to accept (read-only )?connections/.test(line)) ready.resolve('ready')
  })
  const ended = await Promise.race([ready.promise, process.exited])
  isStarting = false
  const pid = await process.pid
  if (ended === 'ready' && pid !== undefined) return { process, pid }
  return { lines, ended }
}

/** Creates the database on first use and checks that the server answers. */
async function finishStart(
  server: SupervisedProcess,
  pid: number,
  urls: readonly string[],
): Promise<EmbeddedPostgres> {
  const stop = () => stopServer(server, pid)
  let url: string
  try {
    url = await ensureDatabase(urls)
  } catch (cause) {
    await stop()
    throw new StartupError(
      `The embedded PostgreSQL does not answer (${(cause as NodeJS.ErrnoException).code}).`,
      { cause },
    )
  }
  server.setKeepsAlive(false)
  let stopping: Promise<void> | undefined
  return {
    url,
    pid,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
    onUnexpectedExit: (listener) => {
      void server.exited.then((ended) => {
        if (!stopping) listener(`The embedded PostgreSQL ended by itself (${ended}).`)
      })
    },
  }
}

async function stopServer(server: SupervisedProcess, pid: number): Promise<void> {
  server.setKeepsAlive(true)
  server.end()
  const timer = setTimeout(() => {
    try {
      process.kill(pid, 'SIGQUIT')
    } catch {
      // It ended at this moment.
    }
  }, STOP_PATIENCE_MS)
  await server.exited
  clearTimeout(timer)
}

/**
 * Returns the URL of a server that another process runs in this folder, or undefined when none
 * answers.
 */
export async function findRunningPostgres(directory: string): Promise<string | undefined> {
  const port = readPort(clusterPath(directory))
  if (port === undefined) return undefined
  for (const url of connectionUrls(directory, readPassword(directory), port)) {
    // The file was left by a crash; another server refuses the password.
    if (await connectsTo(url).catch(() => false)) return url
  }
  return undefined
}

async function connectsTo(url: string): Promise<true> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } finally {
    await client.end().catch(() => {})
  }
}

const connectionUrls = (directory: string, password: string, port: number): string[] =>
  withSocket(`postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`, directory, port)

/** @returns the first address that answers */
async function ensureDatabase(urls: readonly string[]): Promise<string> {
  const [url = '', ...others] = urls
  try {
    await createDatabase(url)
    return url
  } catch (error) {
    // Some shared folders hold sockets to which nothing can connect.
    if (others.length === 0) throw error
    return ensureDatabase(others)
  }
}

async function createDatabase(url: string): Promise<void> {
  const maintenance = new URL(url)
  maintenance.pathname = '/postgres'
  const client = new pg.Client({ connectionString: maintenance.href })
  client.on('error', () => {})
  try {
    await client.connect()
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end().catch(() => {})
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

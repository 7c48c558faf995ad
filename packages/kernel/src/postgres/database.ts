import { Kysely, type LogEvent } from 'kysely'
import pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import { StartupError } from '../errors.ts'
import type { StatementObserver } from '../telemetry/statement-observer.ts'
import { PreparingDialect } from './prepared-statements.ts'
import { useForSessions } from './session.ts'

/**
 * Every table of the PostgreSQL store. A domain adds its own beside its repository:
 * `declare module './database.ts' { interface Database { users: UsersTable } }`
 */
// biome-ignore lint/suspicious/noEmptyInterface: the domains fill it by module augmentation
export interface Database {}

/**
 * The parameter of a repository: the database or, because Kysely derives it, an open transaction.
 */
export type Db = Kysely<Database>

export interface DatabaseOptions {
  url: string
  /** Address that keeps sessions, where the other one leads to a pooler of transactions. */
  directUrl?: string | undefined
  /** Maximum number of connections at a time, besides the one of sessions. */
  poolSize: number
  /** Called for connections that break while idle; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void
  /** Sees all statements but those of the job queue. */
  statements?: StatementObserver | undefined
}

export interface OpenDatabase {
  db: Db
  pool: pg.Pool
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>
}

const LEAST_VERSION = 15
const CONNECT_TIMEOUT_MS = 10_000
/** Type number of bigint[], which pg's list of names leaves out. */
const INT8_ARRAY = 1016

/** Opens a pool; nothing is sent before the first query. Use checkDatabase to try it. */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  let isClosing = false
  // For connections that are being closed, the end of the server need not be reported.
  const report = (error: Error): void => {
    if (!isClosing) options.onIdleError?.(error)
  }
  const { url, directUrl = url, poolSize, statements } = options
  const pool = openPool(url, poolSize, report)
  const sessionPool = openPool(directUrl, 1, report)
  useForSessions(pool, sessionPool)
  const db = openQueries(pool, statements)
  const close = async (): Promise<void> => {
    isClosing = true
    await Promise.all([pool.end(), sessionPool.end()])
  }
  return { db, pool, close }
}

/** Returns the query builder over a pool. */
export function openQueries(pool: pg.Pool, statements?: StatementObserver): Db {
  return new Kysely<Database>({
    dialect: new PreparingDialect(pool),
    ...(statements && { log: (event) => observe(statements, event) }),
  })
}

/** Opens a pool whose connections read values as the rest of Salus expects them. */
export function openPool(
  url: string,
  size: number,
  onError: (error: Error) => void,
  more: pg.PoolConfig = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A host that vanishes must not keep its locks.
    keepAlive: true,
    application_name: 'salus',
    types: { getTypeParser },
    ...more,
  })
  // Without a listener the event would end the process.
  pool.on('error', onError)
  // So would the same event of a connection that someone has checked out.
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

function observe(statements: StatementObserver, event: LogEvent): void {
  const { sql } = event.query
  if (sql === 'begin') return
  const error = event.level === 'error' ? event.error : undefined
  statements.observe({ store: 'postgres', sql, milliseconds: event.queryDurationMillis, error })
}

/**
 * A calendar date has no zone, so it stays text. Counts and ids fit into a number, and one that
 * does not is an error rather than a wrong number. timestamptz becomes a Date by default.
 */
const TYPE_PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.DATE, (text) => text],
  [pg.types.builtins.INT8, readSafeInteger],
  [INT8_ARRAY, readInt8Array],
])

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  const own = format === 'binary' ? undefined : TYPE_PARSERS.get(oid)
  return own ?? pg.types.getTypeParser(oid, format)
}

function readSafeInteger(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new RangeError('A bigint of the database does not fit a JavaScript number.')
}

function readInt8Array(text: string): unknown[] {
  const items: (string | null)[] = pg.types.getTypeParser(INT8_ARRAY as number)(text)
  return items.map((item) => (item === null ? null : readSafeInteger(item)))
}

/**
 * Checks that the database answers and is recent enough.
 * @param setting Setting whose address it is.
 * @throws StartupError with one line that names host and port and never the password
 */
export async function checkDatabase(pool: pg.Pool, setting = 'DATABASE_URL'): Promise<void> {
  let version: number
  try {
    const { rows } = await pool.query<{ version: string }>(
      "select current_setting('server_version_num') as version",
    )
    version = Math.floor(Number(rows[0]?.version) / 10_000)
  } catch (cause) {
    const failure = describeFailure(cause as Error & { code?: string }, pool)
    throw new StartupError(`${failure} Check ${setting}.`, { cause })
  }
  if (version < LEAST_VERSION) {
    throw new StartupError(
      `PostgreSQL at ${describeAddress(pool)} is version ${version}; Salus needs ` +
        `${LEAST_VERSION} or newer.`,
    )
  }
}

function describeFailure(error: Error & { code?: string }, pool: pg.Pool): string {
  const address = describeAddress(pool)
  const refusals: Record<string, string> = {
    '28P01': 'refuses the user name or password',
    '28000': 'refuses the user',
    '3D000': 'has no database of that name',
    '53300': 'has no connection left',
    '57P03': 'is starting or stopping',
  }
  const code = error.code ?? (/timeout/i.test(error.message) ? 'timeout' : error.name)
  const refusal = refusals[code]
  if (refusal) return `PostgreSQL at ${address} ${refusal} (${code}).`
  return `Cannot reach PostgreSQL at ${address} (${code}).`
}

/**
 * Returns host and port of a pool. A client that never connects reads the URL exactly as the pool
 * does.
 */
export function describeAddress(pool: pg.Pool): string {
  const { host, port } = new pg.Client(pool.options)
  return `${host}:${port}`
}

/** Registers the number of connections of the process, and of statements that wait for one. */
export function registerPoolMetric(registry: Registry, pool: pg.Pool): void {
  new Gauge({
    name: 'salus_postgres_connections',
    help: 'Connections of this process to PostgreSQL: busy, idle; and waiting for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
}

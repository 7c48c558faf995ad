import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { StartupError } from '../errors.ts'
import { sessionPoolOf } from './session.ts'

/** How a process reaches PostgreSQL. */
export interface Pooling {
  /** What shares connections between clients on the way to PostgreSQL: none is a direct address. */
  mode: 'none' | 'session' | 'transaction'
  /** Whether statements keep their names: see `prepared`. */
  preparesStatements: boolean
}

const poolings = new WeakMap<pg.Pool, Pooling>()

/** Returns how a pool reaches PostgreSQL: directly, unless checkPooling found another way. */
export function poolingOf(pool: pg.Pool): Pooling {
  const known = poolings.get(pool) ?? { mode: 'none', preparesStatements: true }
  poolings.set(pool, known)
  return known
}

/** Time in which a notification comes to a session; several are sent. */
const PATIENCE_MS = 5_000
const BETWEEN_MS = 250

/**
 * Finds how the pool reaches PostgreSQL, and records it for `poolingOf`.
 * @param hasDirectUrl Whether sessions have an address of their own, which is then checked.
 * @throws StartupError that names the setting, when an address cannot serve its purpose
 */
export async function checkPooling(pool: pg.Pool, hasDirectUrl: boolean): Promise<void> {
  if (hasDirectUrl) await requireSameDatabase(pool)
  await requireTransactions(pool)
  const isPooled = await hasPooler(pool)
  const sessionsArePooled = hasDirectUrl ? await hasPooler(sessionPoolOf(pool)) : isPooled
  if (sessionsArePooled && !(await keepsSessions(sessionPoolOf(pool), pool))) {
    throw new StartupError(hasDirectUrl ? DIRECT_IS_POOLED : IS_POOLED)
  }
  if (!isPooled) return
  const pooling = poolingOf(pool)
  pooling.mode = hasDirectUrl ? 'transaction' : 'session'
  if (hasDirectUrl) pooling.preparesStatements = await renamesStatements(pool)
}

const IS_POOLED =
  'DATABASE_URL leads to a pooler of transactions, which keeps no locks and no notifications. ' +
  'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or pool sessions.'
const DIRECT_IS_POOLED =
  'DATABASE_DIRECT_URL leads to a pooler of transactions, which keeps no locks and no ' +
  'notifications. Set it to the address of PostgreSQL itself.'
const OTHER_DATABASE = 'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.'
const NO_TRANSACTIONS =
  'DATABASE_URL leads to a pooler of statements, which has no transactions. Pool transactions ' +
  'or sessions (PgBouncer: pool_mode).'

/** Finds whether statements keep their names on the way to a read replica, for `poolingOf`. */
export async function findPoolingOfReplica(pool: pg.Pool): Promise<void> {
  const isPooled = await hasPooler(pool)
  const pooling = poolingOf(pool)
  pooling.mode = isPooled ? 'transaction' : 'none'
  pooling.preparesStatements = !isPooled || (await renamesStatements(pool))
}

/**
 * A pooler answers a client's start itself, with an id of its own; without one it is the id of the
 * backend.
 */
async function hasPooler(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return rows[0]?.pid !== (client as pg.PoolClient & { processID: number }).processID
  } finally {
    client.release()
  }
}

/**
 * Returns whether a notification comes to a connection at rest. Between transactions a pooler of
 * transactions ties no connection of PostgreSQL to a client, so nothing can come.
 */
async function keepsSessions(sessions: pg.Pool, pool: pg.Pool): Promise<boolean> {
  const channel = `salus_${randomUUID().replaceAll('-', '')}`
  const client = await sessions.connect()
  const heard = Promise.withResolvers<true>()
  client.on('notification', (message) => message.channel === channel && heard.resolve(true))
  try {
    await client.query(`listen ${channel}`)
    const endsAt = performance.now() + PATIENCE_MS
    while (performance.now() < endsAt) {
      // Another client, because one that notifies itself gets the notification with the answer.
      await pool.query('select pg_notify($1, $2)', [channel, ''])
      const pause = new Promise<false>((resolve) => setTimeout(resolve, BETWEEN_MS, false))
      if (await Promise.race([heard.promise, pause])) return true
    }
    return false
  } finally {
    // Behind the pooler it would listen for the next client.
    await client.query(`unlisten ${channel}`).catch(() => undefined)
    client.release(true)
  }
}

/** A lock belongs to a database: the pool cannot have one that the direct address holds. */
async function requireSameDatabase(pool: pg.Pool): Promise<void> {
  const key = randomUUID()
  const client = await sessionPoolOf(pool).connect()
  const take = 'select pg_try_advisory_xact_lock(hashtextextended($1, 9)) as is_mine'
  try {
    await client.query('begin')
    await client.query(take, [key])
    const { rows } = await pool.query<{ is_mine: boolean }>(take, [key])
    if (rows[0]?.is_mine !== false) throw new StartupError(OTHER_DATABASE)
  } finally {
    client.release(true)
  }
}

async function requireTransactions(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('commit')
    client.release()
  } catch (cause) {
    client.release(true)
    const isOfPooler = /statement pooling/.test((cause as Error).message)
    throw isOfPooler ? new StartupError(NO_TRANSACTIONS, { cause }) : cause
  }
}

/**
 * Returns whether the pooler gives prepared statements names of its own, as PgBouncer does from
 * 1.21 on with `max_prepared_statements`. Without that, the statements of its clients collide.
 */
async function renamesStatements(pool: pg.Pool): Promise<boolean> {
  const name = `salus_${randomUUID().replaceAll('-', '')}`
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query({ name, text: 'select 1' })
    const seen = 'select exists (select from pg_prepared_statements where name = $1) as is_own'
    const { rows } = await client.query<{ is_own: boolean }>(seen, [name])
    const isOwn = rows[0]?.is_own ?? true
    if (isOwn) await client.query(`deallocate ${name}`)
    await client.query('commit')
    return !isOwn
  } finally {
    client.release(true)
  }
}

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { createSecretBox } from '@salus/kernel/crypto/secret-box'
import { openDatabase } from '@salus/kernel/postgres/database'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import type pg from 'pg'
import { type Row, thousands, times } from './measure.ts'
import { seedConnections } from './poll-seed.ts'
import { readMemory, type ServerProcess, startServer, withDescendants } from './server-process.ts'
import { processorSeconds, startVendors, type VendorProcess } from './vendor-process.ts'

/** Interval of the polls of each user, in minutes. */
const EVERY_MINUTES = 15
const LOOK_MS = 10_000
/** Until all tasks have a new time. */
const SPREADING_MS = 45_000
/** Until the vendor begins to answer. */
const LATENCY_MS = 200

export interface PollOptions {
  connections: number
  /** Teams with an app of their own. */
  apps: number
  /** How long polls are watched, in real time. */
  minutes: number
  /** Prints the statements that cost PostgreSQL most. */
  isProfiled: boolean
}

/** What was used up during a part of the run. */
interface Usage {
  polls: number
  requests: number
  statements: number
  seconds: number
  /** Processor time, seconds. */
  server: number
  postgres: number
  vendors: number
}

interface Watched {
  pool: pg.Pool
  postgresPid: number
  server: ServerProcess
  vendors: VendorProcess
  isProfiled: boolean
}

/**
 * Polls of many connections whose history is held: first those of the share that comes first, as
 * fast as it goes, for the first time and again; then all of them by and by, in real time.
 */
export async function benchPolls(directory: string, options: PollOptions): Promise<Row[]> {
  const { connections, apps, minutes, isProfiled } = options
  const key = randomBytes(32)
  const postgres = await startWatchedPostgres(join(directory, 'poll-pg'))
  const { db, pool, close } = openDatabase({ url: postgres.url, poolSize: 8 })
  const vendors = await startVendors(LATENCY_MS)
  const server = await startServer(join(directory, 'polling'), {
    ...vendors.settings,
    DATABASE_URL: postgres.url,
    SALUS_SECRET_KEY: key.toString('base64'),
  })
  try {
    await pool.query('create extension pg_stat_statements')
    const stores = { db, pool, secrets: createSecretBox([key]) }
    const watched: Watched = { pool, postgresPid: postgres.pid, server, vendors, isProfiled }
    const few = Math.round((connections * minutes) / EVERY_MINUTES)
    await seedConnections(stores, vendors, { connections: few, apps })
    const part = Math.round(few / 4)
    const small = [await pollAll(watched, few), await pollAll(watched, part)]
    await seedConnections(stores, vendors, { connections: connections - few, apps })
    const again = await pollAll(watched, part)
    const steady = await pollSteadily(watched, few, minutes)
    return rowsOf(
      options,
      small as [Usage, Usage],
      again,
      steady,
      readMemory(server.processIds()).rss,
    )
  } finally {
    await server.stop()
    await vendors.stop()
    await close()
    await postgres.stop()
  }
}

/** A PostgreSQL that counts statements, which takes a start of its own. */
async function startWatchedPostgres(directory: string) {
  const first = await startEmbeddedPostgres({ directory, log: () => {} })
  const { pool, close } = openDatabase({ url: first.url, poolSize: 1 })
  await pool.query("alter system set shared_preload_libraries = 'pg_stat_statements'")
  await close()
  await first.stop()
  return await startEmbeddedPostgres({ directory, log: () => {} })
}

/** The tasks of the connections that were made first. */
const FIRST = `(environment_id, user_id) in (
  select environment_id, user_id from connections order by created_at, id limit $1)`

async function measure(watched: Watched, work: () => Promise<number>): Promise<Usage> {
  const { pool, postgresPid, server, vendors } = watched
  await pool.query('select pg_stat_statements_reset()')
  const read = async () => ({
    requests: await vendors.countRequests(),
    server: processorSeconds(server.processIds()),
    postgres: processorSeconds(withDescendants(postgresPid)),
    vendors: processorSeconds([vendors.pid]),
    at: performance.now() / 1000,
  })
  const before = await read()
  const polls = await work()
  const after = await read()
  // Of the server and not of the bench, which looks at the queue.
  const { rows } = await pool.query<{ calls: number }>(
    `select sum(calls)::float8 as calls from pg_stat_statements where query not like '%bench%'`,
  )
  if (watched.isProfiled) await printStatements(pool)
  return {
    polls,
    statements: rows[0]?.calls ?? 0,
    requests: after.requests - before.requests,
    seconds: after.at - before.at,
    server: after.server - before.server,
    postgres: after.postgres - before.postgres,
    vendors: after.vendors - before.vendors,
  }
}

async function printStatements(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    `select calls, round(total_exec_time) as ms, round(mean_exec_time::numeric, 3) as mean,
      rows, left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as query
    from pg_stat_statements order by total_exec_time desc limit 14`,
  )
  console.table(rows)
}

/** Makes all polls of the first connections due at once, and waits for them. */
function pollAll(watched: Watched, connections: number): Promise<Usage> {
  const { pool } = watched
  return measure(watched, async () => {
    const { rows } = await pool.query<{ at: Date }>('select now() as at /* bench */')
    await pool.query(
      `update pull_tasks set poll_at = now(), due_at = now() where ${FIRST} /* bench */`,
      [connections],
    )
    await pool.query("select pg_notify('salus_pulls', '') /* bench */")
    return await waitUntilPolled(pool, connections, rows[0]?.at ?? new Date())
  })
}

async function waitUntilPolled(pool: pg.Pool, connections: number, since: Date): Promise<number> {
  for (;;) {
    const { rows } = await pool.query<{ polled: number; failed: number; total: number }>(
      `select count(*) filter (where attempted_at >= $2 and lease is null)::int as polled,
        count(reason)::int as failed, count(*)::int as total
      from pull_tasks where ${FIRST} /* bench */`,
      [connections, since],
    )
    const [found] = rows
    if (found === undefined || found.failed > 0) throw new Error(JSON.stringify(found))
    if (found.polled === found.total) return found.total
    await delay(250)
  }
}

/** How the queue stood, second by second of the run. */
interface Look {
  depth: number
  oldestSeconds: number
}

/** Polls of everybody, evenly over a quarter of an hour, of which so many minutes are watched. */
async function pollSteadily(
  watched: Watched,
  connections: number,
  minutes: number,
): Promise<Usage & { looks: Look[] }> {
  const { pool } = watched
  const looks: Look[] = []
  const begin = new Date(Date.now() + SPREADING_MS)
  await pool.query(
    `with spread as (
        select environment_id, user_id, collection, $4::timestamptz + case when ${FIRST}
          then random() * $2 else $2 + random() * ($3 - $2) end * interval '1 minute' as at
        from pull_tasks
      )
      update pull_tasks as task set poll_at = at, due_at = at from spread
      where task.environment_id = spread.environment_id and task.user_id = spread.user_id
        and task.collection = spread.collection /* bench */`,
    [connections, minutes, EVERY_MINUTES, begin],
  )
  await delay(begin.getTime() - Date.now())
  const usage = await measure(watched, async () => {
    const until = performance.now() + minutes * MINUTE_MS
    while (performance.now() < until) {
      await delay(Math.min(LOOK_MS, until - performance.now()))
      const { rows } = await pool.query<{ depth: number; oldest: number }>(
        `select count(*)::int as depth,
          coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as oldest
        from pull_tasks where kind = 'poll' and due_at <= now() /* bench */`,
      )
      looks.push({ depth: rows[0]?.depth ?? 0, oldestSeconds: rows[0]?.oldest ?? 0 })
    }
    const { rows } = await pool.query<{ polled: number }>(
      'select count(*)::int as polled from pull_tasks where attempted_at >= $1 /* bench */',
      [begin],
    )
    return rows[0]?.polled ?? 0
  })
  console.error(`polls, depth and seconds of the oldest: ${JSON.stringify(looks)}`)
  return { ...usage, looks }
}

const millisecondsOf = (usage: Usage, part: 'server' | 'postgres' | 'vendors'): number =>
  (usage[part] / usage.polls) * 1000

function describe(usage: Usage): string {
  const parts = (['server', 'postgres'] as const).map(
    (part) => `${part} ${millisecondsOf(usage, part).toFixed(1)} ms`,
  )
  return `${thousands(usage.polls / usage.seconds)}/s, ${parts.join(', ')}`
}

function rowsOf(
  { connections, minutes }: PollOptions,
  [first, second]: [Usage, Usage],
  again: Usage,
  steady: Usage & { looks: Look[] },
  rss: number,
): Row[] {
  for (const usage of [first, second, again, steady]) console.error(JSON.stringify(usage))
  const others = { comparedWith: '', other: '', ratio: '', goal: '', isMet: null }
  const wanted = (connections * 9) / (EVERY_MINUTES * 60)
  const oldest = Math.max(...steady.looks.map(({ oldestSeconds }) => oldestSeconds))
  const shareOf = (part: 'server' | 'postgres' | 'vendors') =>
    `${part} ${(steady[part] / steady.seconds).toFixed(2)}`
  const perPoll = (part: 'statements' | 'requests') => (steady[part] / steady.polls).toFixed(1)
  return [
    {
      ...others,
      job: 'polls with new data, as fast as it goes',
      salus: describe(first),
    },
    {
      job: 'polls without news, as fast as it goes',
      salus: describe(second),
      comparedWith: `wanted for ${thousands(connections)} connections`,
      other: `${wanted.toFixed(0)}/s`,
      ratio: times(second.polls / second.seconds / wanted),
      goal: '≥ 1',
      isMet: second.polls / second.seconds >= wanted,
    },
    {
      ...others,
      job: `the same among ${thousands(connections)} connections`,
      salus: describe(again),
      comparedWith: 'processor time a poll, server and PostgreSQL',
      ratio: times(
        (again.server + again.postgres) /
          again.polls /
          ((second.server + second.postgres) / second.polls),
      ),
    },
    {
      ...others,
      job: `${thousands(connections)} connections every ${EVERY_MINUTES} minutes, ${minutes} watched`,
      salus: describe(steady),
      comparedWith: `oldest that was due, queue at most ${Math.max(...steady.looks.map(({ depth }) => depth))}`,
      other: `${oldest.toFixed(1)} s`,
      goal: '< 15 s',
      isMet: oldest < 15,
    },
    {
      ...others,
      job: 'shares of a core',
      salus: `${shareOf('server')}, ${shareOf('postgres')}`,
      comparedWith: 'emulated vendor',
      other: shareOf('vendors'),
    },
    {
      ...others,
      job: 'of a poll',
      salus: `${perPoll('statements')} statements, ${perPoll('requests')} requests`,
      comparedWith: 'memory of the server',
      other: `${Math.round(rss)} MB`,
    },
  ]
}

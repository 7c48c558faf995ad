import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A real PgBouncer in front of one database. */
export interface PgBouncer {
  /** The URL of the database by way of it. */
  url: string
  pid: number
  stop(): Promise<void>
}

/** Debian's package installs it here; another one is named by SALUS_TEST_PGBOUNCER. */
const PROGRAM = process.env.SALUS_TEST_PGBOUNCER ?? '/usr/sbin/pgbouncer'

/** Reason for which tests with it are skipped; false where it is installed. */
export const noPgBouncer = !existsSync(PROGRAM) && 'PgBouncer is not installed (apt: pgbouncer)'

/** It refuses to run as root; any other user will do. */
const OTHER_USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** @param pool_mode As PgBouncer's setting. */
export async function startPgBouncer(
  databaseUrl: string,
  settings: { pool_mode: 'transaction' | 'session' | 'statement'; default_pool_size?: number },
  more: Record<string, string | number> = {},
): Promise<PgBouncer> {
  const directory = mkdtempSync(join(tmpdir(), 'salus-pgbouncer-'))
  chmodSync(directory, 0o755)
  const { hostname, port: ownPort, username, password, pathname } = new URL(databaseUrl)
  const target = { host: hostname, port: ownPort, user: username, password }
  const listenPort = Number(more.listen_port ?? (await findPort()))
  const file = join(directory, 'pgbouncer.ini')
  const given = { listen_addr: '127.0.0.1', listen_port: listenPort, auth_type: 'any' }
  const quiet = { logfile: '', unix_socket_dir: '', log_connections: 0, log_disconnections: 0 }
  const lines = (values: object) =>
    Object.entries(values).map(([name, value]) => `${name} = ${value}`)
  const words = (values: object) =>
    Object.entries(values).map(([name, value]) => `${name}=${decodeURIComponent(value)}`)
  const database = `${pathname.slice(1)} = ${words(target).join(' ')}`
  const all = { ...given, ...quiet, max_client_conn: 500, ...settings, ...more }
  writeFileSync(file, ['[databases]', database, '[pgbouncer]', ...lines(all), ''].join('\n'))
  const child = spawn(PROGRAM, ['-q', file], { stdio: 'ignore', ...OTHER_USER })
  await untilListens(child, listenPort)
  const url = new URL(databaseUrl)
  url.search = ''
  url.port = String(listenPort)
  return {
    url: url.href,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'close')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

async function untilListens(child: ChildProcess, port: number): Promise<void> {
  for (let attempt = 0; child.exitCode === null && attempt < 500; attempt += 1) {
    const socket = connect(port, '127.0.0.1')
    const answer = await Promise.race([once(socket, 'connect'), once(socket, 'close')])
      .then((event) => event.length === 0)
      .catch(() => false)
    socket.destroy()
    if (answer) return
    await sleep(20)
  }
  throw new Error(`PgBouncer does not start (exit code ${child.exitCode}).`)
}

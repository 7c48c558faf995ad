import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { libchdbPath } from 'chdb/libchdb'

export interface ClickHouseServer {
  /** Address without a database, as `http://127.0.0.1:port`. */
  url: string
  processId(): number
  /** Kills the server; its data stay. */
  kill(): Promise<void>
  /** Starts a killed server again, on its data. */
  restart(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

export interface PortPair {
  http: number
  tcp: number
}

export interface ClickHouseServerOptions {
  /** 127.0.0.1 by default. */
  host?: string
  ports?: PortPair
  /** Elements of the server's configuration, as XML. */
  settings?: string
}

/** Holds the server open: it listens for as long as this query runs, which is one hour. */
const SERVE_SQL = `SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP;
  SELECT sleepEachRow(3) FROM numbers(1200) SETTINGS max_block_size = 1 FORMAT Null`

/**
 * Starts a real ClickHouse server on a free port of 127.0.0.1, from the library that the embedded
 * engine comes in, so that tests need nothing installed. Linux only.
 */
export async function startClickHouseServer(
  options: ClickHouseServerOptions = {},
): Promise<ClickHouseServer> {
  const directory = await mkdtemp(join(tmpdir(), 'salus-clickhouse-'))
  const [free = { http: 0, tcp: 0 }] = options.ports ? [options.ports] : await freePortPairs(1)
  const { http, tcp } = free
  const config = join(directory, 'config.xml')
  await writeFile(config, `<clickhouse>${options.settings ?? ''}</clickhouse>`)
  const host = options.host ?? '127.0.0.1'
  const url = `http://${host}:${http}`
  let child: ChildProcess | undefined
  async function kill(): Promise<void> {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  async function stop(): Promise<void> {
    await kill()
    await rm(directory, { recursive: true, force: true })
  }
  async function restart(): Promise<void> {
    const engineArguments = ['clickhouse', `--path=${join(directory, 'data')}`]
    engineArguments.push(`--config-file=${config}`, `--http_port=${http}`, `--tcp_port=${tcp}`)
    engineArguments.push(`--listen_host=${host}`, '--query', SERVE_SQL)
    const program = [import.meta.filename, ...engineArguments]
    child = spawn(process.execPath, program, { stdio: 'ignore', cwd: directory })
    for (let attempt = 0; attempt < 300; attempt += 1) {
      if (await answers(url)) return
      if (child.exitCode !== null) break
      await delay(100)
    }
    await stop()
    throw new Error('The ClickHouse server for tests did not start.')
  }
  await restart()
  return { url, processId: () => child?.pid ?? 0, kill, restart, stop }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ping`)).ok
  } catch {
    return false
  }
}

export async function freePortPairs(count: number): Promise<PortPair[]> {
  const servers = Array.from({ length: 2 * count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => {
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  })
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))))
  return Array.from({ length: count }, (_, index) => ({
    http: ports[2 * index] ?? 0,
    tcp: ports[2 * index + 1] ?? 0,
  }))
}

/**
 * Runs the engine's command line in this process. Koffi calls functions on a stack of its own,
 * which the engine takes for an endless recursion, so the C library makes the call instead: it
 * runs what `on_exit` names, with the exit status and one pointer, on the real stack. The status is
 * the number of arguments, and the process stays in its exit for as long as the server is up.
 */
async function runEngine(engineArguments: readonly string[]): Promise<void> {
  const { default: koffi } = await import('koffi')
  const c = koffi.load('libc.so.6')
  // PR_SET_PDEATHSIG with SIGKILL: a killed test run must not leave the server behind.
  c.func('int prctl(int, unsigned long)')(1, 9)
  const allocate = c.func('void *calloc(size_t, size_t)')
  const copyText = c.func('void *strdup(const char *)')
  const argumentList = allocate(engineArguments.length + 1, 8)
  for (const [index, argument] of engineArguments.entries()) {
    koffi.encode(argumentList, index * 8, 'void *', copyText(argument))
  }
  const engineMain = koffi.load(libchdbPath()).symbol('chdb_query_cmdline', 'void')
  c.func('int on_exit(void *, void *)')(engineMain, argumentList)
  process.exit(engineArguments.length)
}

if (import.meta.main) await runEngine(process.argv.slice(2))

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { libchdbPath } from 'chdb/libchdb'

export interface ClickHouseServer {
  /** Address without a database, as `http://127.0.0.1:port`. */
  url: string
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

/** Holds the server open: it listens for as long as this query runs, which is one hour. */
const SERVE_SQL = `SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP;
  SELECT sleepEachRow(3) FROM numbers(1200) SETTINGS max_block_size = 1 FORMAT Null`

/**
 * Starts a real ClickHouse server on a free port of 127.0.0.1, from the library that the embedded
 * engine comes in, so that tests need nothing installed. Linux only.
 */
export async function startClickHouseServer(): Promise<ClickHouseServer> {
  const directory = await mkdtemp(join(tmpdir(), 'salus-clickhouse-'))
  const [httpPort, tcpPort] = await freePorts(2)
  const engineArguments = [
    'clickhouse',
    `--path=${directory}`,
    `--http_port=${httpPort}`,
    `--tcp_port=${tcpPort}`,
    '--listen_host=127.0.0.1',
    '--query',
    SERVE_SQL,
  ]
  const child = spawn(process.execPath, [import.meta.filename, ...engineArguments], {
    stdio: 'ignore',
    cwd: directory,
  })
  const url = `http://127.0.0.1:${httpPort}`
  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await rm(directory, { recursive: true, force: true })
  }
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (await answers(url)) return { url, stop }
    if (child.exitCode !== null) break
    await delay(100)
  }
  await stop()
  throw new Error('The ClickHouse server for tests did not start.')
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ping`)).ok
  } catch {
    return false
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => {
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  })
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))))
  return ports
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

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CommandServer, ENVIRONMENT } from './salus-command.ts'

const SERVER = fileURLToPath(new URL('../../../server/bin/start.mjs', import.meta.url))
const START_LIMIT_MS = 60_000

/** A server in a process of its own. */
export interface TestServer extends CommandServer {
  pid(): number
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Starts it again after `kill`, at the same address and in the same folder. */
  startAgain(): Promise<void>
}

/** A real server on embedded stores, in a folder of its own and on a free port. */
export async function startTestServer(settings: object = {}): Promise<TestServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'salus-cli-test-'))
  const start = (port: string): ChildProcess =>
    spawn(process.execPath, [SERVER], {
      env: {
        ...ENVIRONMENT,
        PORT: port,
        SALUS_DATA_DIR: dataDirectory,
        SALUS_LOG_LEVEL: 'error',
        UV_THREADPOOL_SIZE: '12',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  let child = start('0')
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  const url = await addressOf(child)
  return {
    url,
    dataDirectory,
    keys: JSON.parse(readFileSync(join(dataDirectory, 'keys.json'), 'utf8')),
    pid: () => child.pid ?? 0,
    kill: () => end('SIGKILL'),
    async startAgain() {
      child = start(new URL(url).port)
      await addressOf(child)
    },
    async stop() {
      await end('SIGTERM')
      rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}

/** Waits for the line in which the server announces where it listens. */
function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  const fail = (reason: string) => reject(new Error(`The server ${reason}:\n${output}`))
  const timer = setTimeout(() => fail('takes too long to start'), START_LIMIT_MS)
  const read = (chunk: Buffer) => {
    output += chunk
    const address = /API {3}(http\S+)/.exec(output)?.[1]
    if (address !== undefined) resolve(address)
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  child.once('exit', (code) => fail(`ended with ${code}`))
  return promise.finally(() => clearTimeout(timer))
}

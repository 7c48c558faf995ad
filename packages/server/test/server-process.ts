import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const START = fileURLToPath(new URL('../bin/start.mjs', import.meta.url))
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const READY_PATIENCE_MS = 60_000

export const API_KEY = 'sk_us_0123456789abcdefghij'

/** A Salus process of its own, as an operator would start it. */
export interface ServerProcess {
  child: ChildProcess
  baseUrl: string
  /** Everything it wrote. */
  output(): string
  /** How it ended: the exit code, or the signal. */
  ended: Promise<number | string>
  /** Sends a signal and waits for the end; the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string>
}

type Spawned = Pick<ServerProcess, 'child' | 'output' | 'ended'>

/** Starts a server on a free port and does not wait for it. */
export function spawnServer(dataDirectory: string, settings: Record<string, string> = {}): Spawned {
  const environment = environmentOf(dataDirectory, settings)
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  return follow(spawn(process.execPath, [START], { env: environment, stdio: [...stdio] }))
}

/** Starts a server as the README says, in a process group of its own, as a terminal does. */
export function spawnNpmStart(dataDirectory: string): Spawned {
  return follow(
    spawn('npm', ['start'], {
      cwd: ROOT,
      env: environmentOf(dataDirectory, {}),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  )
}

function environmentOf(dataDirectory: string, settings: Record<string, string>) {
  // Servers that are killed keep no compiled code for the next one.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env
  const compiled = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
  const given = { SALUS_DATA_DIR: dataDirectory, PORT: '0', SALUS_API_KEY: API_KEY, ...settings }
  return { PATH, HOME, ...compiled, UV_THREADPOOL_SIZE: '12', SALUS_LOG_LEVEL: 'warn', ...given }
}

function follow(child: ChildProcess): Spawned {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? code ?? -1))
  })
  return { child, output: () => text, ended }
}

/** Starts a server on a free port and waits until it serves. */
export async function startServer(
  dataDirectory: string,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const spawned = spawnServer(dataDirectory, settings)
  const { child, output, ended } = spawned
  const baseUrl = await readAddress(spawned)
  return {
    child,
    baseUrl,
    output,
    ended,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Waits until it serves, and where. */
export async function readAddress({ child, output, ended }: Spawned): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const timer = setTimeout(() => reject(new Error(`not ready: ${output()}`)), READY_PATIENCE_MS)
  child.stdout?.on('data', () => {
    const address = /(?:API {3}|Probes )(http:\/\/[^\s/]+)/.exec(output())?.[1]
    if (address !== undefined) resolve(address)
  })
  void ended.then((code) => reject(new Error(`ended with ${code}: ${output()}`)))
  return promise.finally(() => clearTimeout(timer))
}

/** Starts a server that is expected to end by itself; how it ended and what it said. */
export async function runServer(
  dataDirectory: string,
  settings: Record<string, string> = {},
): Promise<{ code: number | string; output: string }> {
  const { output, ended } = spawnServer(dataDirectory, settings)
  return { code: await ended, output: output() }
}

/** A call of the API with the key that startServer gives. */
export async function request(
  baseUrl: string,
  method: string,
  path: string,
  body?: object | Buffer,
): Promise<{ status: number; body: never }> {
  const isFile = Buffer.isBuffer(body)
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      'x-service-api-key': API_KEY,
      ...(body && { 'content-type': isFile ? 'application/zip' : 'application/json' }),
    },
    ...(body && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: (text && JSON.parse(text)) as never }
}

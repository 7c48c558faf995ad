import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const START = fileURLToPath(new URL('../bin/start.mjs', import.meta.url))
const READY_PATIENCE_MS = 60_000

export const API_KEY = 'sk_us_0123456789abcdefghij'

/** A Salus process of its own, as an operator would start it. */
export interface ServerProcess {
  child: ChildProcess
  baseUrl: string
  /** Everything it wrote. */
  output(): string
  /** Sends a signal and waits for the end; the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string>
}

interface Spawned {
  child: ChildProcess
  output: () => string
  ended: Promise<number | string>
}

function launch(settings: Record<string, string>): Spawned {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, UV_THREADPOOL_SIZE: '12', SALUS_LOG_LEVEL: 'warn', ...settings }
  const child = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'pipe'] })
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
  const given = { SALUS_DATA_DIR: dataDirectory, PORT: '0', SALUS_API_KEY: API_KEY, ...settings }
  const { child, output, ended } = launch(given)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const timer = setTimeout(() => reject(new Error(`not ready: ${output()}`)), READY_PATIENCE_MS)
  child.stdout?.on('data', () => {
    const address = /API {3}(http:\S+)/.exec(output())?.[1]
    if (address !== undefined) resolve(address)
  })
  void ended.then((code) => reject(new Error(`ended with ${code}: ${output()}`)))
  const baseUrl = await promise.finally(() => clearTimeout(timer))
  return {
    child,
    baseUrl,
    output,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts a server that is expected to end by itself; how it ended and what it said. */
export async function runServer(
  dataDirectory: string,
  settings: Record<string, string> = {},
): Promise<{ code: number | string; output: string }> {
  const given = { SALUS_DATA_DIR: dataDirectory, PORT: '0', SALUS_API_KEY: API_KEY, ...settings }
  const { output, ended } = launch(given)
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

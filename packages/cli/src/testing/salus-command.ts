import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const CLI = fileURLToPath(new URL('../../bin/salus.mjs', import.meta.url))

/** Only what the processes need: a key in the environment of the tests must not decide them. */
export const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  XDG_CACHE_HOME: join(tmpdir(), `salus-cli-cache-${process.pid}`),
  NO_COLOR: '1',
}

/** Where the command line finds a server, and with which keys. */
export interface CommandServer {
  url: string
  /** Holds keys.json. */
  dataDirectory: string
  keys: { api_key: string; management_key: string; organization_id: string; team_id: string }
  stop(): Promise<void>
}

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunningCommand {
  child: ChildProcess
  /** What it wrote so far. */
  output: { readonly stdout: string; readonly stderr: string }
  result: Promise<CommandResult>
}

/**
 * Starts the real binary, with something on stdin or nothing; neither of its outputs is a terminal.
 */
export function startSalus(
  args: string[],
  environment: object = {},
  input?: string | Buffer,
): RunningCommand {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...ENVIRONMENT, ...environment },
    cwd: tmpdir(),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk
  })
  const result = once(child, 'close').then(([code]) => ({ code, ...output }))
  return { child, output, result }
}

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, startServer } from './server-process.ts'

/** A data directory whose server is killed and starts again. */
export interface KilledServer {
  directory: string
  /** The server that runs now, or the last one that did. */
  current(): ServerProcess
  start(): Promise<ServerProcess>
  /** Ends the server as a power cut would, and starts it again on the same data. */
  killAndStart(): Promise<ServerProcess>
  /** Ends what runs, and removes the directory. */
  close(): Promise<void>
}

/** Makes a directory for a server; `start` starts it. */
export function createKilledServer(): KilledServer {
  const directory = mkdtempSync(join(tmpdir(), 'salus-killed-'))
  const starts: Promise<ServerProcess>[] = []
  let last: ServerProcess | undefined
  const current = (): ServerProcess => last ?? assert.fail('No server was started.')
  const start = async () => {
    const starting = startServer(directory)
    starts.push(starting)
    last = await starting
    return last
  }
  return {
    directory,
    current,
    start,
    async killAndStart() {
      assert.equal(await current().end('SIGKILL'), 'SIGKILL')
      return start()
    },
    async close() {
      // Also of a start that goes on, as when no test is run.
      await Promise.allSettled(starts.map(async (server) => (await server).end('SIGKILL')))
      await waitForPostgresToEnd(directory)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Lists the database processes of a data directory that still live. */
export function listPostgresProcesses(directory: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(directory)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Waits until no database process of a data directory lives; returns how long, in milliseconds. */
export async function waitForPostgresToEnd(directory: string): Promise<number> {
  const startedAt = performance.now()
  while (listPostgresProcesses(directory).length > 0 && performance.now() - startedAt < 15_000) {
    await sleep(50)
  }
  assert.deepEqual(listPostgresProcesses(directory), [])
  return performance.now() - startedAt
}

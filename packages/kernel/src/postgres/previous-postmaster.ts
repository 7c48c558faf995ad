import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../errors.ts'

const PATIENCE_MS = 10_000

/**
 * Waits for the end of a postmaster whose parent was killed, which shuts itself down. One that
 * takes too long is killed; its acknowledged data are on disk either way.
 */
export async function waitForPreviousPostmaster(
  cluster: string,
  log: (line: string) => void,
): Promise<void> {
  const pid = readPid(cluster)
  if (pid === undefined) return
  if (!isPostmasterOf(pid, cluster)) {
    // After a restart of the machine the number may belong to any process, even one of ours, and
    // PostgreSQL would refuse to start.
    if (pid !== process.pid && !isAlive(pid)) return
    rmSync(join(cluster, 'postmaster.pid'), { force: true })
    return
  }
  if (await endsWithin(pid, cluster, PATIENCE_MS)) return
  log(`The earlier PostgreSQL (process ${pid}) does not end by itself and is stopped.`)
  process.kill(pid, 'SIGQUIT')
  if (await endsWithin(pid, cluster, PATIENCE_MS)) return
  throw new StartupError(
    `An earlier PostgreSQL (process ${pid}) still uses ${cluster} and does not stop. End it first.`,
  )
}

async function endsWithin(pid: number, cluster: string, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds
  while (isPostmasterOf(pid, cluster)) {
    if (performance.now() > deadline) return false
    await sleep(50)
  }
  return true
}

const readPid = (cluster: string): number | undefined => readNumber(cluster, 1)

/** Returns the port of the postmaster that last ran here. */
export const readPort = (cluster: string): number | undefined => readNumber(cluster, 4)

/** Reads a number of postmaster.pid, which has its values in a fixed order, one on each line. */
function readNumber(cluster: string, line: number): number | undefined {
  const path = join(cluster, 'postmaster.pid')
  if (!statSync(path, { throwIfNoEntry: false })) return undefined
  const number = Number.parseInt(readFileSync(path, 'utf8').split('\n')[line - 1] ?? '', 10)
  return number > 0 ? number : undefined
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Whether the process is a postmaster of the cluster: its working directory is the cluster, from
 * before it writes its process id.
 */
function isPostmasterOf(pid: number, cluster: string): boolean {
  try {
    if (process.platform === 'linux') {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
    }
    const command = execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
    return command.includes(`-D ${cluster}`)
  } catch {
    return false
  }
}

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Duplex } from 'node:stream'
import { StartupError } from '../errors.ts'

/** Way to start a process as the right user; see service-account.ts. */
export interface Launcher {
  /** Words before the command, such as `setpriv` and its options. */
  prefix: string[]
  /** Set when the process itself changes user on spawning. */
  uid?: number
  gid?: number
}

/** A command that ends when this process ends, however that happens. */
export interface SupervisedProcess {
  /** Process id of the command itself; undefined when it could not be started. */
  pid: Promise<number | undefined>
  /** Resolves after the command ended, with words such as "exit code 1". */
  exited: Promise<string>
  /** Requests an orderly end: SIGINT, which PostgreSQL takes as a fast shutdown. */
  end(): void
  /** Whether this process waits for the command before it exits by itself. */
  setKeepsAlive(keepsAlive: boolean): void
}

/**
 * Only a living parent holds the other end of descriptor 3, so its closing also reveals `kill -9`.
 * The signal repeats because a shell starts background commands with SIGINT ignored: one that
 * arrives before the command has set its own handler would be lost.
 */
const WRAPPER = `
trap '' HUP INT TERM PIPE
"$@" 3<&- &
pid=$!
(read -r _ <&3; exec 3<&-; while kill -INT "$pid" && sleep 1; do :; done) >/dev/null 2>&1 &
watcher=$!
echo "$pid" >&3
wait "$pid"
status=$?
kill -KILL "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
exit "$status"
`

/** None of our environment is passed on: it contains keys, and PG… variables would interfere. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/**
 * Starts `command` in a session of its own, so that Ctrl-C in a terminal reaches only this process,
 * and passes each line of its standard error to `onLine`.
 */
export function startSupervised(
  launcher: Launcher,
  command: string[],
  onLine: (line: string) => void,
): SupervisedProcess {
  const [file = '', ...args] = [...launcher.prefix, '/bin/sh', '-c', WRAPPER, 'sh', ...command]
  const child = spawnOrExplain(file, args, {
    cwd: '/',
    detached: true,
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    ...(launcher.uid === undefined ? {} : { uid: launcher.uid, gid: launcher.gid }),
  })
  const lifeline = child.stdio[3]
  if (!child.stderr || !(lifeline instanceof Duplex)) throw new Error('spawn opened no pipes')
  lifeline.on('error', () => {})
  createInterface({ input: child.stderr }).on('line', onLine)
  return {
    pid: readPid(child, lifeline),
    exited: describeExit(child),
    end: () => void lifeline.end(),
    setKeepsAlive: (keepsAlive) => {
      for (const handle of [child, child.stderr, lifeline]) {
        const counted = handle as unknown as { ref(): void; unref(): void }
        if (keepsAlive) counted.ref()
        else counted.unref()
      }
    },
  }
}

/** Some failures (EPERM, EAGAIN) are thrown, others arrive as the event that describeExit reads. */
function spawnOrExplain(file: string, args: string[], options: SpawnOptions): ChildProcess {
  try {
    return spawn(file, args, options)
  } catch (cause) {
    throw new StartupError(`Cannot start PostgreSQL: ${(cause as Error).message}.`, { cause })
  }
}

function readPid(child: ChildProcess, lifeline: Duplex): Promise<number | undefined> {
  return new Promise((resolve) => {
    createInterface({ input: lifeline }).once('line', (line) => resolve(Number(line)))
    child.once('close', () => resolve(undefined))
    child.once('error', () => resolve(undefined))
  })
}

function describeExit(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    // Not 'exit': the last lines of the log, which contain the reason, may come after it.
    child.once('close', (code, signal) => {
      if (signal) resolve(`signal ${signal}`)
      // A shell reports a command that a signal ended as 128 + signal.
      else if (code !== null && code > 128) resolve(`signal ${code - 128}`)
      else resolve(`exit code ${code}`)
    })
  })
}

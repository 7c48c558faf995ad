import { spawn } from 'node:child_process'
import { createLogger, type Logger } from '@salus/kernel/log'

/** What to undo, newest first. */
export type Closers = { name: string; close: (patience: Patience) => Promise<unknown> | unknown }[]

/** How long an end of the process may take, in milliseconds. */
export interface Patience {
  /** For requests in flight; then their connections are cut. */
  requestsMs: number
  /** For everything; then the process ends without the rest. */
  totalMs: number
}

/** How the process ends, for whoever supervises it. */
export const EXIT_CODES = {
  /** After a signal; everything was closed. */
  stopped: 0,
  /** A setting or the machine has to be changed before another start makes sense. */
  cannotStart: 1,
  /** A store was lost, or something did not close in time: start it again. */
  failed: 75,
} as const

/**
 * Container runtimes give ten seconds by default, in which a slow client must not count for much.
 */
const AFTER_SIGNAL: Patience = { requestsMs: 7_000, totalMs: 25_000 }
/** Without its database it can only refuse. */
const AFTER_FAILURE: Patience = { requestsMs: 2_000, totalMs: 7_000 }
/**
 * Ctrl-C under npm arrives from the terminal and from npm; a person who means it again takes
 * longer.
 */
const REPEAT_MS = 1_000
/** From the end of our own patience to that of the watchdog. */
const WATCHDOG_MS = 1_500

/** The process was told to stop while it started; nothing has to be said about that. */
class StopRequested extends Error {}

/** Ends the process in order, once, and in time. */
export class Shutdown {
  /** Whatever is opened is pushed here at once, so that an end half way leaves nothing running. */
  readonly closers: Closers = []
  #starting: Promise<void> = Promise.resolve()
  #stoppedAt: number | undefined
  #drainedAt: number | undefined
  #drainMs = 0
  #log: Logger = createLogger('error')

  get isStopping(): boolean {
    return this.#stoppedAt !== undefined
  }

  /** Told to stop, and still serving those who have not heard of it. */
  get isDraining(): boolean {
    return this.#drainedAt !== undefined
  }

  /** From now on a first signal only says so, and the process goes on for that long. */
  drainFor(milliseconds: number): void {
    this.#drainMs = milliseconds
  }

  /** Called between the steps of the start. @throws when the process is to stop instead */
  readonly checkpoint = (): void => {
    if (this.isStopping) throw new StopRequested()
  }

  /**
   * Runs the start and stops on SIGTERM and SIGINT. A failure of the start is handed to `explain`,
   * unless stopping caused it.
   */
  run(start: () => Promise<void>, explain: (error: unknown) => void): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#heed())
    process.on('uncaughtException', (error) => this.#fail(error))
    this.#starting = start().catch((error: unknown) => {
      if (this.isStopping) return
      explain(error)
      this.stop(EXIT_CODES.cannotStart)
    })
  }

  /** Where parts that do not close cleanly are told of. */
  logTo(log: Logger): void {
    this.#log = log
  }

  /** Closes everything and exits with the code, the first time it is called. */
  stop(code: number): void {
    if (this.isStopping) return
    this.#stoppedAt = performance.now()
    const patience = code === EXIT_CODES.stopped ? AFTER_SIGNAL : AFTER_FAILURE
    process.exitCode = code
    watchOver(patience.totalMs + WATCHDOG_MS)
    setTimeout(() => {
      this.#log.error(
        { parts: this.closers.map(({ name }) => name) },
        'parts did not close in time',
      )
      endAtOnce(EXIT_CODES.failed)
    }, patience.totalMs)
    void this.#closeAll(patience).then(() => process.exit(code))
  }

  #heed(): void {
    const drainedAt = this.#drainedAt
    if (this.#stoppedAt === undefined && drainedAt === undefined && this.#drainMs > 0) {
      this.#drain()
    } else if (this.#stoppedAt === undefined) {
      if (drainedAt !== undefined && performance.now() - drainedAt <= REPEAT_MS) return
      this.#log.info('stopping after the requests and jobs in flight')
      this.stop(EXIT_CODES.stopped)
    } else if (performance.now() - this.#stoppedAt > REPEAT_MS) {
      endAtOnce(EXIT_CODES.failed)
    }
  }

  #drain(): void {
    this.#drainedAt = performance.now()
    this.#log.info(
      'readiness answers 503 from now on; requests are still served until load balancers know',
    )
    setTimeout(() => {
      this.#log.info('stopping after the requests and jobs in flight')
      this.stop(EXIT_CODES.stopped)
    }, this.#drainMs)
  }

  /**
   * What nobody caught: the state of that part is unknown, and its message may quote a person's
   * data.
   */
  #fail(error: Error): void {
    this.#log.fatal({ err: error }, 'an uncaught error')
    this.stop(EXIT_CODES.failed)
  }

  async #closeAll(patience: Patience): Promise<void> {
    // A start under way ends at its next checkpoint; closed under its feet it would fail in odd
    // ways.
    await this.#starting
    for (let next = this.closers.pop(); next !== undefined; next = this.closers.pop()) {
      try {
        await next.close(patience)
      } catch (error) {
        this.#log.error({ err: error, part: next.name }, 'a part did not close cleanly')
      }
    }
  }
}

/**
 * Ends without the handlers that libraries run at exit: those of the embedded ClickHouse take the
 * ground from under statements that still run, and the process would end with a segmentation fault
 * or not at all.
 */
function endAtOnce(code: number): void {
  try {
    process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {})
  } catch {
    // There is no shell, or no such call.
  }
  process.kill(process.pid, 'SIGKILL')
}

/**
 * Kills this process when it is still there after so long, whatever it hangs in. The watchdog ends
 * with this process, because its input ends then.
 */
function watchOver(milliseconds: number): void {
  const kill = `(sleep ${milliseconds / 1000}; kill -KILL ${process.pid})`
  const watchdog = spawn('/bin/sh', ['-c', `${kill} & read -r _; kill -KILL 0`], {
    cwd: '/',
    // A group of its own: Ctrl-C does not reach it, and it ends as a whole.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without it our own patience still counts.
  watchdog.on('error', () => undefined)
  watchdog.stdin.on('error', () => undefined)
  watchdog.unref()
}

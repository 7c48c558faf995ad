import { spawn } from 'node:child_process'
import { createLogger, type Logger } from '@salus/kernel/log'

/** Functions that close what was opened, the newest last. */
export type Closers = { name: string; close: (patience: Patience) => Promise<unknown> | unknown }[]

/** Time limits of the shutdown, in milliseconds. */
export interface Patience {
  /** For requests in flight; then their connections are cut. */
  requestsMs: number
  /** For everything; then the process exits without the rest. */
  totalMs: number
}

/** Exit codes of the process, for its supervisor. */
export const EXIT_CODES = {
  /** After a signal; everything was closed. */
  stopped: 0,
  /** A setting or the machine has to be changed before another start makes sense. */
  cannotStart: 1,
  /** A store was lost, or a part did not close in time: start the process again. */
  failed: 75,
} as const

/** Container runtimes allow ten seconds by default, of which a slow client must not use much. */
const AFTER_SIGNAL: Patience = { requestsMs: 7_000, totalMs: 25_000 }
/** Without its database the process can only refuse requests. */
const AFTER_FAILURE: Patience = { requestsMs: 2_000, totalMs: 7_000 }
/**
 * Ctrl-C under npm arrives from the terminal and from npm; a person who presses it again takes
 * longer.
 */
const REPEAT_MS = 1_000
/** Time from our own time limit to that of the watchdog. */
const WATCHDOG_MS = 1_500

/** The process was stopped while it started; this needs no message. */
class StopRequested extends Error {}

/** Ends the process in order, once, and in time. */
export class Shutdown {
  /**
   * Everything that is opened is pushed here at once, so that a partial start leaves nothing
   * running.
   */
  readonly closers: Closers = []
  #starting: Promise<void> = Promise.resolve()
  #stoppedAt: number | undefined
  #drainedAt: number | undefined
  #drainMs = 0
  #log: Logger = createLogger('error')

  get isStopping(): boolean {
    return this.#stoppedAt !== undefined
  }

  /** Whether the process got a signal and still serves clients that have not noticed. */
  get isDraining(): boolean {
    return this.#drainedAt !== undefined
  }

  /** Makes the first signal only start a drain, and keeps the process running for that long. */
  drainFor(milliseconds: number): void {
    this.#drainMs = milliseconds
  }

  /** Called between the steps of the start. @throws when the process has to stop instead */
  readonly checkpoint = (): void => {
    if (this.isStopping) throw new StopRequested()
  }

  /**
   * Runs the start and stops on SIGTERM and SIGINT. A failure of the start is passed to `explain`,
   * unless stopping caused it.
   */
  run(start: () => Promise<void>, explain: (error: unknown) => void): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => this.#handleSignal())
    process.on('uncaughtException', (error) => this.#fail(error))
    this.#starting = start().catch((error: unknown) => {
      if (this.isStopping) return
      explain(error)
      this.stop(EXIT_CODES.cannotStart)
    })
  }

  /** Sets the log for parts that do not close cleanly. */
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

  #handleSignal(): void {
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
   * Handles an uncaught error: the state of that part is unknown, and its message may quote
   * personal data.
   */
  #fail(error: Error): void {
    this.#log.fatal({ err: error }, 'an uncaught error')
    this.stop(EXIT_CODES.failed)
  }

  async #closeAll(patience: Patience): Promise<void> {
    // A running start ends at its next checkpoint; if its parts were closed earlier, it would fail
    // in odd ways.
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
 * Exits without the handlers that libraries run at exit: those of the embedded ClickHouse free what
 * running statements still use, and the process would end with a segmentation fault or not at all.
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
 * Kills this process when it still runs after this time, whatever it hangs in. The watchdog ends
 * with this process, because its input ends then.
 */
function watchOver(milliseconds: number): void {
  const kill = `(sleep ${milliseconds / 1000}; kill -KILL ${process.pid})`
  const watchdog = spawn('/bin/sh', ['-c', `${kill} & read -r _; kill -KILL 0`], {
    cwd: '/',
    // It has its own group: Ctrl-C does not reach it, and it ends as a whole.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without it our own time limit still applies.
  watchdog.on('error', () => undefined)
  watchdog.stdin.on('error', () => undefined)
  watchdog.unref()
}

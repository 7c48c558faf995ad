import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from './cli-error.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Ctrl-C was pressed; the message explains the state of the work. */
export class InterruptedError extends CliError {
  constructor(message: string) {
    super(message)
    this.name = 'InterruptedError'
  }
}

/**
 * Runs work that Ctrl-C ends in order: `signal` fires with an InterruptedError whose message
 * `describe` returns. A second Ctrl-C ends the process at once.
 */
export async function untilInterrupted<T>(
  describe: () => string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const interrupt = () => {
    release()
    controller.abort(new InterruptedError(describe()))
  }
  const release = () => {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  try {
    return await work(controller.signal)
  } finally {
    release()
  }
}

/** Waits. @throws the reason of the signal when that fires */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted())
}

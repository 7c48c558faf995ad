import { Logger as WorkerLogger } from 'graphile-worker'
import type { Logger } from '../log.ts'

/** Logs the queue's own messages, without the payloads and errors that it would add. */
export function quietLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error') log.error({ queue: withoutDetails(message) }, 'job queue')
    else if (level === 'warning') log.warn({ queue: withoutDetails(message) }, 'job queue')
    else log.debug({ queue: withoutDetails(message) }, 'job queue')
  })
}

/**
 * The first words say what happened; text after a colon, a brace or a quote may be personal data.
 */
function withoutDetails(message: string): string {
  return message.split(/[{\n:'"]/, 1)[0]?.slice(0, 120) ?? ''
}

/**
 * Keeps the queue from tracing the error of a worker to the console with its message. The log has
 * what happened, and nothing else here traces.
 */
export function silenceTraces(): void {
  console.trace = () => undefined
}

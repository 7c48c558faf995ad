import { Logger as WorkerLogger } from 'graphile-worker'
import type { Logger } from '../log.ts'

/** The queue's own messages, without the payloads and errors that it would attach. */
export function quietLogger(log: Logger): WorkerLogger {
  return new WorkerLogger(() => (level, message) => {
    if (level === 'error') log.error({ queue: withoutDetails(message) }, 'job queue')
    else if (level === 'warning') log.warn({ queue: withoutDetails(message) }, 'job queue')
    else log.debug({ queue: withoutDetails(message) }, 'job queue')
  })
}

/**
 * The first words say what happened; what follows a colon, a brace or a quote may be a person's
 * data.
 */
function withoutDetails(message: string): string {
  return message.split(/[{\n:'"]/, 1)[0]?.slice(0, 120) ?? ''
}

/**
 * When one of its workers ends with an error the queue also traces it to the console, message and
 * all. What happened is in the log; nothing else here traces.
 */
export function silenceTraces(): void {
  console.trace = () => undefined
}

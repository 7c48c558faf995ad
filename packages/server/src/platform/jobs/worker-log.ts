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

/** The first words say what happened; what follows a colon or a brace may quote a job. */
function withoutDetails(message: string): string {
  return message.split(/[{\n:]/, 1)[0]?.slice(0, 120) ?? ''
}

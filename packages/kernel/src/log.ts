import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'

import { currentTraceIds } from './telemetry/tracing.ts'

export type { Logger }

/**
 * Creates structured logs, on standard output by default. No line may hold personal or health data:
 * requests are logged by route pattern, never by address or body, and these paths are removed as a
 * second line of defence.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: ['*.password', '*.key', '*.token', 'req.headers', 'body'], remove: true },
    serializers: { err: describeError },
    mixin: () => currentTraceIds() ?? {},
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/**
 * Opens the destination of the log: undefined is standard output as JSON, one object for each line.
 */
export async function openLogDestination(
  format: 'auto' | 'json' | 'pretty',
): Promise<DestinationStream | undefined> {
  if (format === 'json' || (format === 'auto' && !process.stdout.isTTY)) return undefined
  const { default: pretty } = await import('pino-pretty')
  const colorize = process.stdout.hasColors?.() ?? false
  // Synchronous, so that the last lines of a process are written too.
  return pretty({ sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss.l', colorize })
}

/**
 * Returns an error as the log shows it: class, code and stack. Database drivers put the offending
 * row into `detail` and the statement into other fields; none of those are kept. The message is
 * dropped too unless it is one of ours, because a driver's message can quote a value.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: 'NonError' }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const code = 'code' in error ? error.code : undefined
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { name: error.name, code, stack: frames.slice(0, 12).join('\n'), cause }
}

/**
 * The part of a log that code needs to report something: the log of the process, or of one request.
 */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

import { readFileSync } from 'node:fs'
import type { EventData } from 'node:test'
import { inspect } from 'node:util'

/** Reports of a test process to the runner, a line each. */
export type TestLine =
  | { type: 'start'; file: string }
  | { type: 'passed'; file: string; name: string }
  /** A test, or a suite with all its tests; the reason is empty where the test gives none. */
  | { type: 'skipped'; file: string; name: string; reason: string }
  | { type: 'failed'; file: string; name: string; failure: string }
  | { type: 'note'; text: string }
  /**
   * Processor time since the file before ended, of the process and of all that it started and that
   * has ended.
   */
  | { type: 'end'; file: string; cpuMs: number; wallMs: number }

/** Prefix of lines for the runner: tests may write to the same output. */
export const LINE_MARK = '\u0001'

type ReportedEvent =
  | { type: 'test:start'; data: EventData.TestStart }
  | { type: 'test:pass'; data: EventData.TestPass }
  | { type: 'test:fail'; data: EventData.TestFail }
  | { type: 'test:diagnostic'; data: EventData.TestDiagnostic }

/** Clock ticks of a second in /proc, on every Linux. */
const TICKS = 100

/**
 * Returns the processor time of this process in milliseconds, and on Linux that of the processes
 * that it started and that have ended, with theirs.
 */
export function readProcessorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + readChildrenMs()
}

function readChildrenMs(): number {
  if (process.platform !== 'linux') return 0
  // The name of the program, in brackets, may hold spaces. See proc_pid_stat(5): cutime, cstime.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return ((Number(fields[13]) + Number(fields[14])) * 1000) / TICKS
}

/** A reporter of node:test for processes in which each test file is a suite under its path. */
export default async function* report(events: AsyncIterable<ReportedEvent>) {
  const names: string[] = []
  let spentMs = readProcessorMs()
  for await (const event of events) {
    for (const line of linesOf(event, names)) {
      if (line.type === 'end') {
        const nowMs = readProcessorMs()
        line.cpuMs = nowMs - spentMs
        spentMs = nowMs
      }
      yield `${LINE_MARK}${JSON.stringify(line)}\n`
    }
  }
}

/** @param names Names of the suites around the running test, and of itself; kept up to date. */
function* linesOf({ type, data }: ReportedEvent, names: string[]): Generator<TestLine> {
  const { nesting } = data
  const [file = ''] = names
  if (type === 'test:start') {
    names.splice(nesting, names.length, data.name)
    if (nesting === 0) yield { type: 'start', file: data.name }
  } else if (type === 'test:diagnostic') {
    // Outside of a file these are the totals, which the runner counts itself.
    if (nesting > 0) yield { type: 'note', text: data.message }
  } else if (type === 'test:pass' || type === 'test:fail') {
    const isSuite = data.details.type === 'suite'
    const name = [...names.slice(1, nesting), data.name].join(' › ')
    const failure = type === 'test:fail' ? failureOf(data) : undefined
    const reason = data.skip ?? data.todo ?? false
    if (failure !== undefined) yield { type: 'failed', file, name, failure }
    else if (type === 'test:pass' && reason !== false)
      yield { type: 'skipped', file, name, reason: reason === true ? '' : reason }
    else if (type === 'test:pass' && !isSuite) yield { type: 'passed', file, name }
    if (nesting === 0) yield { type: 'end', file, cpuMs: 0, wallMs: data.details.duration_ms }
  }
}

/** Returns the failure, or undefined when tests inside report it. */
function failureOf({ details: { error } }: EventData.TestFail): string | undefined {
  if ((error as { failureType?: string }).failureType === 'subtestsFailed') return undefined
  return inspect(error.cause ?? error, { depth: 6, maxStringLength: 4000 })
}

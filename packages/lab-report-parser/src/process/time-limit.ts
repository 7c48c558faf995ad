import { readdirSync, readFileSync } from 'node:fs'
import { type End, WATCHDOG_NAME } from './protocol.ts'

// Decides whether a file or the machine is at fault when a task does not end: a file that keeps a
// processor busy or its engine hanging, or a machine without processor time. Only a file at fault
// is refused.

export interface TimeLimits {
  /** Time by the clock before the first check. */
  timeoutMs: number
  /** Processor time. A task that used this much after that time has run out of it. */
  processorMs: number
  /** Time by the clock for a task that the machine delays. */
  patienceMs: number
}

const CHECK_EVERY_MS = 250
/**
 * Number of consecutive checks in which a process must be asleep. A process that waits for its turn
 * is not.
 */
const ASLEEP_CHECKS = 4

/** Watches the time of a process for one task, and reports the end when it is too long. */
export class TimeLimit {
  readonly #pid: number | undefined
  readonly #limits: TimeLimits
  readonly #startedAt = performance.now()
  readonly #end: (end: End) => void
  #timer: NodeJS.Timeout
  /** Processor time of the process when it began the task. */
  #usedBefore: number | undefined
  #hasBegun = false
  #asleep = 0

  constructor(pid: number | undefined, limits: TimeLimits, end: (end: End) => void) {
    this.#pid = pid
    this.#limits = limits
    this.#end = end
    // An answer that has arrived by now is read before the first check.
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS)
    }, limits.timeoutMs)
  }

  /** The process has the task: its time counts for the file from here on. */
  begin(): void {
    this.#hasBegun = true
    this.#usedBefore = readProcessorMs(this.#pid)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #check(): void {
    if (this.#hasBegun && this.#isOwnFault()) this.#end('out of time')
    else if (performance.now() - this.#startedAt >= this.#limits.patienceMs) this.#end('held up')
  }

  #isOwnFault(): boolean {
    const used = readProcessorMs(this.#pid)
    // If the system does not report processor time, the clock decides.
    if (used === undefined || this.#usedBefore === undefined) return true
    if (used - this.#usedBefore >= this.#limits.processorMs) return true
    this.#asleep = isAsleep(this.#pid) ? this.#asleep + 1 : 0
    return this.#asleep >= ASLEEP_CHECKS
  }
}

/** The unit of /proc is the same on every Linux that Node.js supports. */
const MS_PER_TICK = 10
const [USER_TICKS, SYSTEM_TICKS] = [11, 12]

/**
 * Returns the processor time of all threads of a process so far; undefined if the system does not
 * report it.
 */
function readProcessorMs(pid: number | undefined): number | undefined {
  try {
    const { fields } = readStat(`/proc/${pid}/stat`)
    return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK
  } catch {
    return undefined
  }
}

/**
 * Returns whether a process needs no processor: no thread runs, waits for its turn or for a disk,
 * or is stopped.
 */
function isAsleep(pid: number | undefined): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((id) =>
      readStat(`/proc/${pid}/task/${id}/stat`),
    )
    return threads.every(({ name, fields }) => name === WATCHDOG_NAME || fields[0] === 'S')
  } catch {
    // A thread has just ended.
    return false
  }
}

/**
 * Reads a stat file. The name of a program stands in brackets, and may contain brackets and spaces.
 */
function readStat(path: string): { name: string; fields: string[] } {
  const text = readFileSync(path, 'latin1')
  const end = text.lastIndexOf(') ')
  return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') }
}

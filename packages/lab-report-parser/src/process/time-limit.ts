import { readdirSync, readFileSync } from 'node:fs'
import { type End, WATCHDOG_NAME } from './protocol.ts'

// Whose fault it is that a task does not come to an end: that of its file, which keeps a processor
// busy or its engine hanging, or that of a machine that has no processor for it. Only a file at
// fault is refused.

export interface TimeLimits {
  /** By the clock. So long nothing is asked. */
  timeoutMs: number
  /** Of processors. A task that had so much after that time has run out of it. */
  processorMs: number
  /** By the clock. So long a task is waited for that the machine holds up. */
  patienceMs: number
}

const CHECK_EVERY_MS = 250
/**
 * So often in a row a process must be found asleep. One that waits for its turn is not, and nor is
 * one on its way.
 */
const ASLEEP_CHECKS = 4

/**
 * Watches how long a process takes for one task, and says how the task has ended when that is too
 * long.
 */
export class TimeLimit {
  readonly #pid: number | undefined
  readonly #limits: TimeLimits
  readonly #startedAt = performance.now()
  readonly #end: (end: End) => void
  #timer: NodeJS.Timeout
  /** What the process had had of processors when it began the task. */
  #usedBefore: number | undefined
  #hasBegun = false
  #asleep = 0

  constructor(pid: number | undefined, limits: TimeLimits, end: (end: End) => void) {
    this.#pid = pid
    this.#limits = limits
    this.#end = end
    // An answer that is there by now is read between this and the first check.
    this.#timer = setTimeout(() => {
      this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS)
    }, limits.timeoutMs)
  }

  /** The process has the task: what it takes from here on is taken for the file. */
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
    // Where the system does not tell, the clock decides.
    if (used === undefined || this.#usedBefore === undefined) return true
    if (used - this.#usedBefore >= this.#limits.processorMs) return true
    this.#asleep = isAsleep(this.#pid) ? this.#asleep + 1 : 0
    return this.#asleep >= ASLEEP_CHECKS
  }
}

/** What /proc counts in is the same on every Linux that Node.js runs on. */
const MS_PER_TICK = 10
const [USER_TICKS, SYSTEM_TICKS] = [11, 12]

/**
 * What all threads of a process have had of processors so far; undefined where the system does not
 * tell.
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
 * Whether a process wants no processor: no thread runs, waits for its turn or for a disk, or has
 * been stopped.
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

/** The name of a program stands in brackets, and may hold brackets and spaces itself. */
function readStat(path: string): { name: string; fields: string[] } {
  const text = readFileSync(path, 'latin1')
  const end = text.lastIndexOf(') ')
  return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') }
}

import {
  EngineProblem,
  FileProblem,
  type Inspection,
  type LabReportParser,
  type PagePicture,
  type ParseOutcome,
} from '../report.ts'
import type { Answer, End, Task } from './protocol.ts'
import { ReaderProcess, type RunOptions } from './reader-process.ts'
import type { TimeLimits } from './time-limit.ts'

export interface LabReportParserOptions {
  /**
   * Reports that are parsed at once; others wait. One more process inspects new files, one renders
   * pages.
   */
  processes: number
  /** Memory of one process, in total. A process that exceeds it is killed. */
  memoryMb: number
  /** Time for one report. */
  timeoutMs: number
  /** Processes that are idle for this long are ended, with the models. */
  idleMs: number
  /** Module with `parseLabReport`: for tests. */
  engine?: string
}

/**
 * An inspection and a picture of a page take a part of a second, and a request waits for them. The
 * longest is shorter than keys of repeated uploads are held.
 */
const LOOK = { timeoutMs: 15_000, processorShare: 0.2, patience: 3 }
/** No request waits, and an interrupted parse starts again. */
const READ = { processorShare: 0.5, patience: 4 }
/** Niceness with and without a waiting request. */
const [LOOK_NICENESS, READ_NICENESS] = [5, 10]

/** Creates a parser that works in processes, which are started on demand. */
export function createLabReportParser(options: LabReportParserOptions): LabReportParser {
  const engine = options.engine ?? new URL('../parse.ts', import.meta.url).href
  const settings = { memoryMb: options.memoryMb, engine }
  const start = (niceness: number) => async () => {
    try {
      return await ReaderProcess.start(settings, niceness)
    } catch {
      throw new EngineProblem('process')
    }
  }
  const parsers = new ProcessQueue(options.processes, options.idleMs, start(READ_NICENESS))
  const inspectors = new ProcessQueue(1, options.idleMs, start(LOOK_NICENESS))
  const looking = toLimits(LOOK.timeoutMs, LOOK)
  const rendering = toLimits(Math.min(LOOK.timeoutMs, options.timeoutMs), LOOK)
  const reading = toLimits(options.timeoutMs, READ)
  // Separate, so that renderings do not delay uploads.
  const renderers = new ProcessQueue(1, options.idleMs, start(LOOK_NICENESS))
  return {
    async inspect(files) {
      const task: Task = { kind: 'inspect', files: [...files] }
      return toInspection(await runTwice(() => inspectors.run(task, looking)))
    },
    async renderPage(file, page, width) {
      const task: Task = { kind: 'render', file, page, width }
      return toPicture(await runTwice(() => renderers.run(task, rendering)))
    },
    async parse(files, { signal, onProgress } = {}) {
      const task: Task = { kind: 'parse', files: [...files] }
      return toOutcome(await parsers.run(task, { ...reading, signal, onProgress }))
    },
    async close() {
      inspectors.close()
      renderers.close()
      parsers.close()
    },
  }
}

function toLimits(timeoutMs: number, of: { processorShare: number; patience: number }): TimeLimits {
  const { processorShare, patience } = of
  return { timeoutMs, processorMs: processorShare * timeoutMs, patienceMs: patience * timeoutMs }
}

/** Another cause may have ended the process: a file ends it twice. */
async function runTwice(run: () => Promise<Answer | End>): Promise<Answer | End> {
  const first = await run()
  return first === 'died' || first === 'not begun' ? run() : first
}

function toInspection(answer: Answer | End): Inspection {
  if (typeof answer === 'object' && answer.kind === 'inspected') return answer.inspection
  throw problemOf(answer)
}

function toPicture(answer: Answer | End): PagePicture {
  if (typeof answer === 'object' && answer.kind === 'rendered') return answer.picture
  throw problemOf(answer)
}

function problemOf(answer: Answer | End): Error {
  if (answer === 'not begun' || answer === 'held up') return new EngineProblem('process')
  // A file that ends or breaks its inspection is unreadable.
  if (typeof answer === 'string') return new FileProblem('unreadable_file')
  if (answer.kind === 'engine_problem') return new EngineProblem(answer.part)
  return new FileProblem(answer.kind === 'file_problem' ? answer.code : 'unreadable_file')
}

const ENDS: Readonly<Record<End, string>> = {
  'not begun': 'no process could be started',
  died: 'the process died',
  'out of time': 'the process ran out of time',
  'held up': 'the machine was too busy',
}

function toOutcome(answer: Answer | End): ParseOutcome {
  const fail = (detail: string): ParseOutcome => {
    return { status: 'failed', reason: 'processing_error', detail }
  }
  if (typeof answer === 'string') return fail(ENDS[answer])
  if (answer.kind === 'parsed') return answer.outcome
  if (answer.kind === 'engine_problem') return fail(`${answer.part} cannot be started`)
  if (answer.kind !== 'file_problem') return fail('the engine broke')
  const reason = answer.code === 'too_many_pages' ? 'too_many_pages' : 'invalid_input'
  return { status: 'failed', reason, detail: answer.code }
}

/** Runs tasks in order, each in a process that does nothing else meanwhile. */
class ProcessQueue {
  readonly #size: number
  readonly #idleMs: number
  readonly #start: () => Promise<ReaderProcess>
  readonly #closing = new AbortController()
  readonly #idle: { process: ReaderProcess; timer: NodeJS.Timeout }[] = []
  readonly #waiting: (() => void)[] = []
  #busy = 0

  constructor(size: number, idleMs: number, start: () => Promise<ReaderProcess>) {
    this.#size = size
    this.#idleMs = idleMs
    this.#start = start
  }

  async run(task: Task, options: RunOptions): Promise<Answer | End> {
    const signal = AbortSignal.any([
      this.#closing.signal,
      ...(options.signal ? [options.signal] : []),
    ])
    await this.#waitForTurn(signal)
    try {
      signal.throwIfAborted()
      const process = this.#takeIdle() ?? (await this.#start())
      if (signal.aborted) process.kill()
      signal.throwIfAborted()
      const answer = await process.run(task, { ...options, signal })
      if (process.isAlive) this.#keep(process)
      return answer
    } finally {
      this.#busy--
      this.#waiting.shift()?.()
    }
  }

  close(): void {
    this.#closing.abort(new Error('The parser of laboratory reports is closed'))
    for (const { process, timer } of this.#idle.splice(0)) {
      clearTimeout(timer)
      process.kill()
    }
  }

  async #waitForTurn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    while (this.#busy >= this.#size) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const onAbort = () => reject(signal.reason)
      this.#waiting.push(resolve)
      signal.addEventListener('abort', onAbort)
      await promise.finally(() => {
        signal.removeEventListener('abort', onAbort)
        const index = this.#waiting.indexOf(resolve)
        if (index >= 0) this.#waiting.splice(index, 1)
      })
    }
    this.#busy++
  }

  #takeIdle(): ReaderProcess | undefined {
    for (let kept = this.#idle.pop(); kept; kept = this.#idle.pop()) {
      clearTimeout(kept.timer)
      if (kept.process.isAlive) return kept.process
    }
    return undefined
  }

  #keep(process: ReaderProcess): void {
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((kept) => kept.process === process),
        1,
      )
      process.kill()
    }, this.#idleMs)
    timer.unref()
    this.#idle.push({ process, timer })
  }
}

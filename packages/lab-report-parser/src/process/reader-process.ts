import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { ParseProgress } from '../report.ts'
import type { Answer, End, ProcessSettings, Reply, Task } from './protocol.ts'

/** What is left to code in JavaScript, of which most memory is not. */
const HEAP_SHARE = 0.6
/** Leaves the processor to the server when both want it. */
const NICENESS = 10
/** A task that is out of time and got less of a processor was kept waiting by the machine, not by its file. */
const OWN_FAULT_SHARE = 0.25

export interface RunOptions {
  timeoutMs: number
  signal?: AbortSignal | undefined
  onProgress?: ((progress: ParseProgress) => void) | undefined
}

/**
 * A process that reads files, with nothing of the server in it: no settings, no secrets, no output, and no right to
 * write files or to start programs.
 */
export class ReaderProcess {
  readonly #child: ChildProcess
  #isAlive = true

  constructor(settings: ProcessSettings) {
    this.#child = fork(
      fileURLToPath(new URL('./reader.ts', import.meta.url)),
      [JSON.stringify(settings)],
      {
        env: {},
        execArgv: [
          `--max-old-space-size=${Math.floor(settings.memoryMb * HEAP_SHARE)}`,
          ...['--permission', '--allow-fs-read=*', '--allow-addons', '--allow-worker'],
        ],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    )
    this.#child.once('exit', () => this.#die())
    this.#child.once('error', () => this.#die())
    if (this.#child.pid) lowerPriority(this.#child.pid)
    this.rest()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Lets the server end although this process waits for work. */
  rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  /** Ends the process at once. */
  kill(): void {
    this.#die()
    this.#child.kill('SIGKILL')
  }

  /** Has one task done, or tells how it ended without an answer. @throws what `signal` says */
  run(task: Task, { timeoutMs, signal, onProgress }: RunOptions): Promise<Answer | End> {
    const child = this.#child
    child.ref()
    child.channel?.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Answer | End>()
    let begun: { at: number; cpuMs: number } | undefined
    const onMessage = (reply: Reply) => {
      if (reply.kind === 'begun') {
        begun = { at: performance.now(), cpuMs: readCpuMs(child.pid) }
        return
      }
      if (reply.kind === 'progress') return onProgress?.(reply.progress)
      resolve(reply.answer)
      if (reply.isWorn) this.kill()
    }
    const onEnd = () => resolve(begun ? 'died' : 'not begun')
    const onTimeout = () => {
      if (begun === undefined) return resolve('not begun')
      const share = (readCpuMs(child.pid) - begun.cpuMs) / (performance.now() - begun.at)
      resolve(share < OWN_FAULT_SHARE ? 'held up' : 'out of time')
    }
    const onAbort = () => reject(signal?.reason)
    const timer = setTimeout(onTimeout, timeoutMs)
    child.on('message', onMessage).once('exit', onEnd).once('error', onEnd)
    signal?.addEventListener('abort', onAbort)
    child.send(task, (error) => error && onEnd())
    return promise
      .then((answer) => {
        if (typeof answer === 'string') this.kill()
        return answer
      })
      .catch((error) => {
        this.kill()
        throw error
      })
      .finally(() => {
        clearTimeout(timer)
        child.off('message', onMessage).off('exit', onEnd).off('error', onEnd)
        signal?.removeEventListener('abort', onAbort)
        this.rest()
      })
  }

  #die(): void {
    this.#isAlive = false
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS)
  } catch {
    // It died already, or the system does not have it.
  }
}

const TICKS_A_SECOND = 100

/** What a process has had of processors so far; infinite where the system does not tell. */
function readCpuMs(pid = 0): number {
  try {
    // The name of the program, in brackets, may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

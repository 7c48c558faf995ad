import { type ChildProcess, fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { ParseProgress } from '../report.ts'
import {
  type Confinement,
  findConfinement,
  READABLE,
  resolveCommand,
  toSpawnOptions,
} from './confinement.ts'
import type { Answer, End, ProcessSettings, Reply, Task } from './protocol.ts'
import { TimeLimit, type TimeLimits } from './time-limit.ts'

/** Share of the memory for JavaScript, which needs the smaller part. */
const HEAP_SHARE = 0.6

export type ReaderSettings = Omit<ProcessSettings, 'memoryDescriptor'>

export interface RunOptions extends TimeLimits {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: ParseProgress) => void) | undefined
}

/**
 * A process that reads files, without anything of the server: no settings, no secrets, no output,
 * no right to read files but its code and models, to write files, or to start programs; and
 * confined by the means of the system.
 */
export class ReaderProcess {
  readonly #child: ChildProcess
  #isAlive = true

  /** @param niceness leaves the processor to the server when both need it */
  static async start(settings: ReaderSettings, niceness: number): Promise<ReaderProcess> {
    return new ReaderProcess(settings, niceness, await findConfinement())
  }

  private constructor(settings: ReaderSettings, niceness: number, confinement: Confinement) {
    const [execPath, ...before] = resolveCommand(confinement)
    const { memoryDescriptor } = confinement
    const given: ProcessSettings = { ...settings, memoryDescriptor }
    this.#child = fork(
      fileURLToPath(new URL('./reader.ts', import.meta.url)),
      [JSON.stringify(given)],
      {
        ...toSpawnOptions(confinement),
        execPath,
        execArgv: [
          ...before,
          `--max-old-space-size=${Math.floor(settings.memoryMb * HEAP_SHARE)}`,
          ...['--permission', '--allow-addons', '--allow-worker'],
          ...READABLE.map((path) => `--allow-fs-read=${path}`),
        ],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    )
    this.#child.once('exit', () => this.#die())
    this.#child.once('error', () => this.#die())
    if (this.#child.pid) lowerPriority(this.#child.pid, niceness)
    this.rest()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Lets the server end while this process waits for work. */
  rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  /** Ends the process at once. */
  kill(): void {
    this.#die()
    this.#child.kill('SIGKILL')
  }

  /** Runs one task, or returns how it ended without an answer. @throws the reason of `signal` */
  run(task: Task, { signal, onProgress, ...limits }: RunOptions): Promise<Answer | End> {
    const child = this.#child
    child.ref()
    child.channel?.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Answer | End>()
    let hasBegun = false
    const onMessage = (reply: Reply) => {
      if (reply.kind === 'begun') {
        hasBegun = true
        limit.begin()
        return
      }
      if (reply.kind === 'progress') return onProgress?.(reply.progress)
      resolve(reply.answer)
      if (reply.isWorn) this.kill()
    }
    const onEnd = () => resolve(hasBegun ? 'died' : 'not begun')
    const onAbort = () => reject(signal?.reason)
    const limit = new TimeLimit(child.pid, limits, resolve)
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
        limit.stop()
        child.off('message', onMessage).off('exit', onEnd).off('error', onEnd)
        signal?.removeEventListener('abort', onAbort)
        this.rest()
      })
  }

  #die(): void {
    this.#isAlive = false
  }
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness)
  } catch {
    // The process has died already, or signals are not available.
  }
}

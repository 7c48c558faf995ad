import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { bundleProgram } from '../../../../web/test/bundle-program.ts'
import type { WiredLaboratory } from '../wired-laboratory.ts'
import type { Death } from './death.ts'

/** A process of Salus or of the laboratory. */
export interface Actor {
  pid: number
  /** Where it died, as `before order is stored`; undefined when something else ended it. */
  died: string | undefined
  isGone: boolean
  /** Resolves when the process is gone. */
  gone: Promise<unknown>
  /** Resolves when it said so. */
  loaded: Promise<unknown>
  ready: Promise<unknown>
  start(name: string): void
  /** Has it die at a place, in place of the one before. */
  arm(death: Death): void
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<unknown>
}

const SALUS = fileURLToPath(new URL('wire-process.ts', import.meta.url))
const LABORATORY = fileURLToPath(new URL('laboratory-process.ts', import.meta.url))

/** Prepares the start of processes: their programs are bundled, because they start often. */
export async function openActors(wired: WiredLaboratory): Promise<Actors> {
  const folder = join(wired.harness.config.dataDirectory, 'program')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const native = ['ssh2-sftp-client']
  const [salus, laboratory] = [
    await bundleProgram(SALUS, folder, native),
    await bundleProgram(LABORATORY, folder, []),
  ]
  return new Actors(wired, { salus, laboratory })
}

/** Paths of the bundled programs. */
interface Programs {
  salus: string
  laboratory: string
}

/** Starts processes, and ends all of them at the end of the tests. */
export class Actors {
  readonly #wired: WiredLaboratory
  readonly #programs: Programs
  readonly #children = new Set<ChildProcess>()
  /** A process of Salus that is loaded and does nothing yet, so that no start is waited for. */
  #spare: Actor | undefined
  /** What the processes logged as errors. */
  logged = ''

  constructor(wired: WiredLaboratory, programs: Programs) {
    this.#wired = wired
    this.#programs = programs
  }

  /**
   * Starts a process of Salus; the next one loads meanwhile.
   * @param name the name of its sessions at the database
   */
  async startSalus(name = 'salus'): Promise<Actor> {
    const actor = this.#spare ?? this.#loadSalus()
    this.#spare = this.#loadSalus()
    await actor.loaded
    actor.start(name)
    await actor.ready
    return actor
  }

  #loadSalus(): Actor {
    const { database, config } = this.#wired.harness
    return this.#spawn(this.#programs.salus, [database.url, config.dataDirectory])
  }

  /** Starts the laboratory on a port with its journal. */
  async startLaboratory(port: number, journal: string): Promise<Actor> {
    const { resultsPort } = this.#wired
    const args = [port, resultsPort].map(String)
    const actor = this.#spawn(this.#programs.laboratory, [...args, journal])
    await actor.ready
    return actor
  }

  #spawn(path: string, args: readonly string[]): Actor {
    const cache = join(this.#wired.harness.config.dataDirectory, 'compiled')
    const child = spawn(process.execPath, [path, ...args], {
      env: { NODE_COMPILE_CACHE: cache, ...process.env },
    })
    this.#children.add(child)
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.logged += text
    })
    // An order may be written to a process that has just died.
    child.stdin.on('error', () => {})
    const [loaded, ready] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const gone = once(child, 'close').then(() => {
      this.#children.delete(child)
      actor.isGone = true
    })
    const write = (order: object) => child.stdin.write(`${JSON.stringify(order)}\n`)
    const actor: Actor = {
      pid: child.pid as number,
      died: undefined,
      isGone: false,
      gone,
      loaded: loaded.promise,
      ready: Promise.race([ready.promise, gone]),
      start: (name) => write({ start: name }),
      arm: (death) => write({ death }),
      end(signal) {
        child.kill(signal)
        return gone
      },
    }
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { is, died } = JSON.parse(line)
      if (is === 'loaded') loaded.resolve()
      if (is === 'ready') ready.resolve()
      if (died !== undefined) actor.died = died
    })
    return actor
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#children].map((child) => {
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        return gone
      }),
    )
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const START = join('packages', 'server', 'bin', 'start.mjs')

/** An open request may delay the end of a server longer. Its stores survive a kill. */
const END_PATIENCE_MS = 1_000

/** Runs the server in a process of its own, which can be restarted. */
export class ApiServer {
  readonly #program: string
  #environment: NodeJS.ProcessEnv = {}
  readonly #print: (text: string) => void
  #child: ChildProcess | undefined
  #address = Promise.withResolvers<string>()
  #restarting: Promise<void> | undefined
  #isOutdated = false
  #isClosed = false

  /** @param program - Program to start; the server by default */
  constructor(print: (text: string) => void, program = START) {
    this.#print = print
    this.#program = program
  }

  /** Resolves with its address when it is ready; rejects when it ended before. */
  get address(): Promise<string> {
    return this.#address.promise
  }

  /** Starts it with settings, which a restart uses again. */
  start(environment: NodeJS.ProcessEnv): void {
    this.#environment = environment
    this.#spawn()
  }

  #spawn(): void {
    if (this.#isClosed) return
    const startedAt = performance.now()
    const child = spawn(process.execPath, [this.#program], {
      env: { ...process.env, ...this.#environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#child = child
    const { resolve, reject, promise } = this.#address
    // The rejection is handled: requests wait for it.
    promise.catch(() => {})
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const address = /API {3}(http:\/\/[^\s/]+)/.exec(output)?.[1]
      this.#print(text)
      if (address === undefined) return
      output = ''
      resolve(address)
      console.log(`  Ready in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
    })
    child.once('close', (code, signal) => {
      reject(
        new Error(`The server ended with ${signal ?? code}. It starts again when a file changes.`),
      )
    })
  }

  /** Restarts it with the current files. Requests wait for the new process. */
  restart(): Promise<void> {
    this.#isOutdated = true
    this.#restarting ??= this.#startAnew().finally(() => {
      this.#restarting = undefined
    })
    return this.#restarting
  }

  async #startAnew(): Promise<void> {
    while (this.#isOutdated) {
      this.#isOutdated = false
      const before = this.#address
      this.#address = Promise.withResolvers()
      // Requests that wait for the old process wait for the new one.
      before.resolve(this.#address.promise)
      await this.#end()
      this.#spawn()
    }
  }

  /** Ends it, in order if possible. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end()
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'close')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), END_PATIENCE_MS)
    await ended
    clearTimeout(timer)
  }
}

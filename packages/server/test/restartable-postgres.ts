import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@salus/kernel/postgres/embedded-postgres'

/** An address that stays while the database behind it goes and comes back at another port. */
export class Gate {
  readonly #server = createServer((socket) => this.#forward(socket))
  readonly #sockets = new Set<Socket>()
  /** null: connections are cut off at once. */
  target: URL | null = null

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** The URL of the database, by way of the gate. */
  get url(): string {
    const url = new URL(this.target ?? '')
    // Its socket leads past the gate.
    url.search = ''
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  shut(): void {
    this.target = null
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.shut()
    this.#server.close()
  }

  #forward(socket: Socket): void {
    if (this.target === null) return void socket.destroy()
    const other = connect(Number(this.target.port), this.target.hostname)
    socket.pipe(other).pipe(socket)
    const ends: [Socket, Socket][] = [
      [socket, other],
      [other, socket],
    ]
    for (const [one, another] of ends) {
      this.#sockets.add(one)
      one.on('error', () => undefined)
      one.once('close', () => {
        this.#sockets.delete(one)
        another.destroy()
      })
    }
  }
}

/** A PostgreSQL as an operator would run it for Salus, which can be restarted under one address. */
export interface RestartablePostgres {
  /** Stays the same. */
  url: string
  /** Past the gate: answers whenever the server runs. */
  directUrl(): string
  /**
   * An orderly restart (the server says good-bye to its clients), or one that just cuts them off.
   */
  restart(options?: { isOrderly?: boolean; downMs?: number }): Promise<void>
  /** Kills the postmaster; its processes end with it. */
  kill(): Promise<void>
  /** Starts a killed server again, on its data. */
  start(): Promise<void>
  /** Ends it for good, with its data. */
  close(): Promise<void>
}

export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'salus-restartable-postgres-'))
  const gate = new Gate()
  await gate.open()
  let postgres: EmbeddedPostgres
  const start = async (): Promise<void> => {
    postgres = await startEmbeddedPostgres({ directory, log: () => {} })
    gate.target = new URL(postgres.url)
  }
  await start()
  return {
    url: gate.url,
    directUrl: () => postgres.url,
    async restart({ isOrderly = true, downMs = 300 } = {}) {
      if (!isOrderly) gate.shut()
      await postgres.stop()
      gate.shut()
      await sleep(downMs)
      await start()
    },
    async kill() {
      const gone = Promise.withResolvers<void>()
      postgres.onUnexpectedExit(() => gone.resolve())
      process.kill(postgres.pid, 'SIGKILL')
      await gone.promise
      gate.shut()
    },
    start,
    async close() {
      gate.close()
      await postgres.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

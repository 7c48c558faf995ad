import { Rounds } from '@salus/kernel/batching/rounds'
import { EVENTS_CHANNEL } from '@salus/kernel/events/outbox'
import { ListeningLoop } from '@salus/kernel/postgres/listening-loop'
import { notifyAtCommit } from '@salus/kernel/postgres/notifications'
import type { Stores } from '@salus/kernel/scope'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import { AttemptRecorder, type EnvironmentFinder } from './attempt-recorder.ts'
import type { EndpointKey } from './delivery.global.repository.ts'
import * as repository from './delivery.global.repository.ts'
import { DeliveryMetrics } from './delivery-metrics.ts'
import { ALL_SHARES, ShareTurns } from './dispatch-shares.global.repository.ts'
import type { EndpointTarget } from './endpoint-target.ts'
import type { EndpointWorker } from './endpoint-worker.ts'

export interface DispatcherOptions extends Stores {
  pool: pg.Pool
  registry: Registry
  allowPrivate: boolean
  timeoutMs?: number
  findEnvironment: EnvironmentFinder
  findTarget: (key: EndpointKey) => Promise<EndpointTarget | undefined>
  /**
   * Interval of the search for deliveries without a notification: retries that became due,
   * notifications that got lost.
   */
  pollMs?: number
}

export interface Dispatcher {
  /** Checks for due deliveries at once. */
  poll(): Promise<void>
  /** Waits for attempts in progress, and stores their outcomes. */
  stop(): Promise<void>
}

const DEFAULT_TIMEOUT_MS = 15_000
const POLL_MS = 1_000
const EVENTS_AT_ONCE = 500

/**
 * Turns events into deliveries, and delivers them. Any number of processes may run one: a single
 * one at a time takes the events of an environment from the outbox, and a single one at a time
 * sends to an endpoint.
 */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  return new RunningDispatcher(options)
}

class RunningDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions
  readonly #recorder: AttemptRecorder
  readonly #metrics: DeliveryMetrics
  readonly #workers = new Map<string, EndpointWorker>()
  /** Notifications that arrive during a round start a further one. */
  readonly #dispatching = new Rounds(() => this.#dispatch())
  readonly #loop: ListeningLoop
  readonly #turns = new ShareTurns(Math.random())
  #isStopped = false

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#metrics = new DeliveryMetrics(options.registry)
    this.#recorder = new AttemptRecorder({ ...options, metrics: this.#metrics })
    this.#loop = new ListeningLoop({
      pool: options.pool,
      channels: [EVENTS_CHANNEL, repository.DELIVERIES_CHANNEL, repository.ENDPOINTS_CHANNEL],
      onNotification: (channel, payload) => this.#hear(channel, payload),
      onLost: () => {
        for (const worker of this.#workers.values()) worker.loseLock()
      },
      poll: () => this.#poll(),
      pollMs: options.pollMs ?? POLL_MS,
      onError: (error) => options.log.warn({ err: error }, 'webhooks cannot be dispatched'),
    })
  }

  poll(): Promise<void> {
    return this.#loop.poll()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#loop.stop()
    await this.#dispatching.stop()
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()))
    await this.#recorder.stop()
    await this.#loop.close()
  }

  async #poll(): Promise<void> {
    const { db, clock } = this.#options
    await this.#dispatching.request()
    for (const key of await repository.listDueEndpoints(db, clock.now())) await this.#wake(key)
    for (const [id, worker] of this.#workers) if (worker.isIdle) this.#drop(id, worker)
  }

  #drop(id: string, worker: EndpointWorker): void {
    this.#workers.delete(id)
    void worker.stop()
  }

  #hear(channel: string, payload: string): void {
    if (channel === EVENTS_CHANNEL) void this.#dispatching.request().catch(() => undefined)
    else if (channel === repository.ENDPOINTS_CHANNEL) this.#workers.get(payload)?.change()
    else void this.#handleDeliveries(payload).catch(() => undefined)
  }

  async #handleDeliveries(payload: string): Promise<void> {
    if (payload === '') return this.poll()
    if (payload === '-') return
    const unknown: string[] = []
    for (const id of payload.split(',')) {
      const worker = this.#workers.get(id)
      if (worker === undefined) unknown.push(id)
      else worker.wake()
    }
    if (unknown.length === 0) return
    const keys = await repository.findEndpointKeys(this.#options.db, unknown)
    for (const key of keys) await this.#wake(key)
  }

  async #wake(key: EndpointKey): Promise<void> {
    // Loaded with the first message, because the code that sends takes 10 MB.
    const module = await import('./endpoint-worker.ts')
    if (this.#isStopped) return
    let worker = this.#workers.get(key.endpointId)
    if (worker === undefined) {
      worker = this.#makeWorker(module, key)
      this.#workers.set(key.endpointId, worker)
    }
    worker.wake()
  }

  #makeWorker(
    { EndpointWorker }: typeof import('./endpoint-worker.ts'),
    key: EndpointKey,
  ): EndpointWorker {
    const {
      db,
      clock,
      log,
      allowPrivate,
      findTarget,
      timeoutMs = DEFAULT_TIMEOUT_MS,
    } = this.#options
    return new EndpointWorker(key, {
      db,
      clock,
      log,
      allowPrivate,
      timeoutMs,
      findTarget,
      recorder: this.#recorder,
      tryLock: (name) => this.#loop.tryLock(name),
      unlock: (name) => this.#loop.unlock(name),
    })
  }

  async #dispatch(): Promise<void> {
    const { db, clock } = this.#options
    const shares = this.#turns.next()
    const now = clock.now()
    const dispatched = await repository.dispatchEvents(db, now, EVENTS_AT_ONCE, shares)
    this.#metrics.countDispatched(dispatched?.events ?? 0)
    const isFull = dispatched?.events === EVENTS_AT_ONCE
    if (this.#turns.end(shares, isFull)) void this.#dispatching.request()
    // Others that found all shares taken come back, now that this process leaves them some.
    if (isFull && shares === ALL_SHARES) await notifyAtCommit(db, EVENTS_CHANNEL)
  }
}

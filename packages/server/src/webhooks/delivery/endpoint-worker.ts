import { unpackBody } from '@salus/kernel/events/event-body'
import type { Log } from '@salus/kernel/log'
import { createOutboundAgent, type OutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { type PostOutcome, post } from '@salus/kernel/outbound/post'
import type { Db } from '@salus/kernel/postgres/database'
import { rowScope } from '@salus/kernel/scope'
import { currentTraceParent } from '@salus/kernel/telemetry/tracing'
import type { Clock } from '@salus/kernel/time/clock'
import { VERSION } from '@salus/kernel/version'
import { evaluateAttempt, isSuccess, traceAttempt } from './attempt-outcome.ts'
import type { AttemptRecorder } from './attempt-recorder.ts'
import type { EndpointKey } from './delivery.global.repository.ts'
import { type DueDelivery, findDueDeliveries } from './delivery.repository.ts'
import { DeliveryBuffer } from './delivery-buffer.ts'
import type { EndpointTarget } from './endpoint-target.ts'
import { signatureHeaders } from './signature.ts'
import { TokenBucket } from './token-bucket.ts'

export interface EndpointWorkerOptions {
  db: Db
  clock: Clock
  log: Log
  recorder: AttemptRecorder
  allowPrivate: boolean
  /** Time limit of an attempt. */
  timeoutMs: number
  /** Returns undefined when the endpoint no longer accepts messages. */
  findTarget: (key: EndpointKey) => Promise<EndpointTarget | undefined>
  /** Only one process at a time sends to an endpoint, which keeps the order. */
  tryLock: (name: string) => Promise<boolean>
  unlock: (name: string) => Promise<void>
}

/** Simultaneous attempts to one endpoint: they grow with successes and halve with failures. */
const FIRST_WINDOW = 16
const LARGEST_WINDOW = 64
const READ_AT_ONCE = 512
const READ_BELOW = 384
/** Attempts whose outcome is not stored yet would be made again after a crash. */
const MOST_UNSTORED = 512
/** Time for which an idle worker keeps its lock. */
const LINGER_MS = 2_000
const RETRY_MS = 1_000
const STOP_PATIENCE_MS = 3_000

const NOT_SENT: PostOutcome = {
  status: null,
  durationMs: 0,
  responseBody: '',
  error: 'connection',
}

/** Sends to one endpoint only: workers share nothing that one of them could exhaust. */
export class EndpointWorker {
  readonly #key: EndpointKey
  readonly #options: EndpointWorkerOptions
  readonly #lockName: string
  readonly #buffer = new DeliveryBuffer()
  readonly #agent: OutboundAgent
  /** For receivers that the deployment emulates. */
  readonly #ownAgent = createOutboundAgent({ allowPrivate: true })
  #target: EndpointTarget | undefined
  /** Counts changes of the endpoint, so that a change during a look-up is noticed. */
  #changes = 0
  #bucket: TokenBucket | undefined
  #window = FIRST_WINDOW
  #inFlight = 0
  #mayHaveMore = false
  #isOwner = false
  #isStopped = false
  #running: Promise<void> | undefined
  #wakeUp = Promise.withResolvers<void>()
  #lingering: NodeJS.Timeout | undefined
  #rateTimer: NodeJS.Timeout | undefined

  constructor(key: EndpointKey, options: EndpointWorkerOptions) {
    this.#key = key
    this.#options = options
    this.#lockName = `salus:endpoint:${key.endpointId}`
    const { allowPrivate } = options
    this.#agent = createOutboundAgent({ allowPrivate, connectionsPerOrigin: LARGEST_WINDOW })
  }

  /** True when it has no work in progress, and may be dropped. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#buffer.known.size === 0 && !this.#isOwner
  }

  /** Called when there may be messages to send. */
  wake(): void {
    if (this.#isStopped) return
    this.#mayHaveMore = true
    clearTimeout(this.#lingering)
    this.#wakeLoop()
    this.#running ??= this.#run()
  }

  /** Called when the endpoint was changed: unsent messages use its new settings. */
  change(): void {
    this.#forgetTarget()
    this.#buffer.clear()
    this.wake()
  }

  #forgetTarget(): void {
    this.#changes += 1
    this.#target = undefined
    this.#bucket = undefined
  }

  /** Called when the lock is lost, and another process may have it by now. */
  loseLock(): void {
    this.#isOwner = false
    // Changes were not noticed meanwhile.
    this.#forgetTarget()
    this.#buffer.clear()
    this.#wakeLoop()
  }

  /** Starts no more attempts, and waits for those in progress; its lock ends with the session. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#buffer.clear()
    clearTimeout(this.#lingering)
    clearTimeout(this.#rateTimer)
    this.#wakeLoop()
    // Attempts that take longer are broken off, and sent again by the next process.
    const patience = setTimeout(() => void this.#agent.destroy(), STOP_PATIENCE_MS)
    await this.#running
    clearTimeout(patience)
    await Promise.all([this.#agent.destroy(), this.#ownAgent.destroy()])
  }

  #wakeLoop(): void {
    this.#wakeUp.resolve()
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#wakeUp = Promise.withResolvers<void>()
      await this.#advance().catch((error: unknown) => this.#pause(error))
      const isIdle = this.#buffer.known.size === 0 && !this.#mayHaveMore
      if (this.#inFlight === 0 && (this.#isStopped || isIdle)) break
      await this.#wakeUp.promise
    }
    this.#running = undefined
    if (!this.#isStopped) this.#lingering = setTimeout(() => this.#linger(), LINGER_MS)
  }

  /** Takes the lock, reads due deliveries and starts those that may start. */
  async #advance(): Promise<void> {
    if (this.#isStopped) return
    if (!this.#isOwner) this.#isOwner = await this.#options.tryLock(this.#lockName)
    if (!this.#isOwner) {
      // The process with the lock gets the same notification.
      this.#mayHaveMore = false
      return
    }
    const hasRoom = this.#buffer.waiting < READ_BELOW && this.#unstored < MOST_UNSTORED
    if (this.#mayHaveMore && hasRoom) await this.#read()
    this.#startAttempts()
  }

  async #pause(error: unknown): Promise<void> {
    this.#options.log.warn({ err: error }, 'webhook deliveries cannot be read')
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
    this.#wakeLoop()
  }

  async #read(): Promise<void> {
    const { db, clock, findTarget } = this.#options
    const { environmentId, endpointId } = this.#key
    // Notifications during the read are about deliveries that it may not see.
    this.#mayHaveMore = false
    try {
      const changes = this.#changes
      const target = this.#target ?? (await findTarget(this.#key))
      if (target === undefined || changes !== this.#changes) return
      this.#target = target
      if (target.rateLimit !== null) this.#bucket ??= new TokenBucket(target.rateLimit)
      const due = await findDueDeliveries(rowScope(db, environmentId), endpointId, {
        now: clock.now(),
        known: [...this.#buffer.known],
        limit: READ_AT_ONCE,
      })
      if (!this.#isOwner || changes !== this.#changes) return
      this.#buffer.add(due)
      if (due.length > 0) this.#mayHaveMore = true
    } catch (error) {
      this.#mayHaveMore = true
      throw error
    }
  }

  /** Number of attempts that are over and whose outcomes are not stored. */
  get #unstored(): number {
    return this.#buffer.known.size - this.#buffer.waiting - this.#inFlight
  }

  #startAttempts(): void {
    const target = this.#target
    if (target === undefined || !this.#isOwner || this.#isStopped) return
    while (
      this.#inFlight < this.#window &&
      this.#unstored < MOST_UNSTORED &&
      this.#buffer.hasReady
    ) {
      const waitMs = this.#bucket?.takeToken() ?? 'taken'
      if (waitMs !== 'taken') {
        clearTimeout(this.#rateTimer)
        this.#rateTimer = setTimeout(() => this.#wakeLoop(), waitMs)
        return
      }
      const delivery = this.#buffer.takeNext()
      if (delivery === undefined) return
      this.#inFlight += 1
      void this.#attempt(delivery, target)
    }
  }

  async #attempt(delivery: DueDelivery, target: EndpointTarget): Promise<void> {
    const attemptedAt = this.#options.clock.now()
    try {
      const post = () => this.#post(delivery, target, attemptedAt)
      this.#finish(delivery, target, attemptedAt, await traceAttempt(delivery, post))
    } catch (error) {
      // Only our own errors are thrown; after a stop the message is as unsent as before.
      if (this.#isStopped) this.#giveBack(delivery)
      else {
        this.#options.log.error({ err: error }, 'a webhook message cannot be sent')
        this.#finish(delivery, target, attemptedAt, NOT_SENT)
      }
    }
  }

  #post(delivery: DueDelivery, target: EndpointTarget, at: Date): Promise<PostOutcome> {
    const body = unpackBody(delivery.body)
    const traceparent = currentTraceParent()
    const keys = target.keys
      .filter(({ until }) => until === null || until > at)
      .map(({ key }) => key)
    return post(target.isPlayed ? this.#ownAgent : this.#agent, {
      url: target.url,
      headers: {
        'user-agent': `Salus-Webhooks/${VERSION}`,
        ...target.headers,
        'content-type': 'application/json',
        ...(traceparent !== undefined && { traceparent }),
        ...signatureHeaders(delivery.event_id, at, body, keys),
      },
      body,
      timeoutMs: this.#options.timeoutMs,
    })
  }

  #giveBack(delivery: DueDelivery): void {
    this.#inFlight -= 1
    this.#buffer.free(delivery)
    this.#buffer.forget(delivery.event_id)
    this.#wakeLoop()
  }

  #finish(
    delivery: DueDelivery,
    target: EndpointTarget,
    attemptedAt: Date,
    answer: PostOutcome,
  ): void {
    this.#inFlight -= 1
    this.#buffer.free(delivery)
    this.#window = isSuccess(answer)
      ? Math.min(LARGEST_WINDOW, this.#window + 1)
      : Math.max(1, Math.floor(this.#window / 2))
    const finishedAt = this.#options.clock.now()
    const attempt = { delivery, target, attemptedAt, finishedAt, answer }
    const outcome = evaluateAttempt(this.#key, attempt, target === this.#target)
    target.health = outcome.health ?? target.health
    this.#options.recorder.record(outcome, () => {
      this.#buffer.forget(delivery.event_id)
      this.#wakeLoop()
    })
    // Not started by the loop, which may be reading.
    this.#startAttempts()
    this.#wakeLoop()
  }

  #linger(): void {
    if (this.#running === undefined) void this.#release()
  }

  async #release(): Promise<void> {
    if (!this.#isOwner) return
    this.#isOwner = false
    // The endpoint may have changed before the next process has the lock.
    this.#target = undefined
    await this.#options.unlock(this.#lockName).catch(() => undefined)
  }
}

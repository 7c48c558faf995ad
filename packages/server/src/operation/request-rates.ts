import { MINUTE_MS } from '@salus/contracts/time-units'
import type { FastifyInstance } from 'fastify'

const MINUTES = 60

/** Requests that were answered in one minute. */
export interface RequestMinute {
  /** Epoch milliseconds. */
  at: number
  requests: number
  refused: number
  failed: number
  milliseconds: number
}

/** Requests that this process answered in the last hour, minute by minute. */
export class RequestRates {
  /** Uses the real time of the process, also in tests. */
  readonly #minutes: RequestMinute[] = []

  /** Counts every request of an application. */
  watch(app: FastifyInstance): void {
    app.addHook('onResponse', async (_request, reply) => {
      const minute = this.#current()
      minute.requests += 1
      minute.milliseconds += reply.elapsedTime
      if (reply.statusCode >= 500) minute.failed += 1
      else if (reply.statusCode >= 400) minute.refused += 1
    })
  }

  /** Returns the minutes with requests, the oldest first. */
  list(now: Date): RequestMinute[] {
    const passed = performance.now()
    return this.#minutes
      .filter(({ at }) => at > passed - MINUTES * MINUTE_MS)
      .map((minute) => ({ ...minute, at: now.getTime() - (passed - minute.at) }))
  }

  #current(): RequestMinute {
    const at = Math.floor(performance.now() / MINUTE_MS) * MINUTE_MS
    const latest = this.#minutes.at(-1)
    if (latest?.at === at) return latest
    const minute = { at, requests: 0, refused: 0, failed: 0, milliseconds: 0 }
    this.#minutes.push(minute)
    if (this.#minutes.length > MINUTES) this.#minutes.shift()
    return minute
  }
}

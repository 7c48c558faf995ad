import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { LabPartner } from '@salus/contracts/lab-partners'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { registerGetlabs } from './getlabs.ts'
import { registerNppes } from './nppes.ts'
import { registerStedi } from './stedi.ts'
import { registerUsps } from './usps.ts'

/** What goes wrong at an emulated partner. */
export type PartnerFaultKind =
  /** 401, although the credentials are valid. */
  | 'unauthorized'
  /** 429 with Retry-After. */
  | 'rate_limit'
  /** 503 with the header `maintenance-mode: true`. */
  | 'maintenance'
  /** 500. */
  | 'server_error'
  /** A late answer. */
  | 'slow'
  /** Half of an answer's JSON. */
  | 'malformed'

export interface PartnerFault {
  kind: PartnerFaultKind
  /** Affected requests: those for data by default, or for tokens. */
  on?: 'data' | 'token'
  /** Number of requests, after which it ends; without it, it stays. */
  times?: number
  /** Delay of `slow`, 30 seconds by default, or the time in Retry-After of `rate_limit`, 60 s. */
  milliseconds?: number
}

/** A request that an emulated partner received, for tests. */
export interface PartnerCall {
  partner: LabPartner
  method: string
  /** Path and query below the partner's base. */
  url: string
  body: unknown
}

export interface EmulatorClock {
  now(): Date
}

const MOST_CALLS = 1000
const SLOW_MS = 30_000
const RETRY_MS = 60_000

/** What registers the routes of each partner. */
const PARTNERS: readonly [LabPartner, (app: FastifyInstance, clock: EmulatorClock) => void][] = [
  ['getlabs', registerGetlabs],
  ['nppes', registerNppes],
  ['stedi', registerStedi],
  ['usps', registerUsps],
]

/**
 * The partners around an order, emulated over HTTP: each below a path of its own. State is kept in
 * memory (docs/partners.md#emulators).
 */
export class PartnerEmulator {
  readonly #clock: EmulatorClock
  readonly #faults = new Map<LabPartner, PartnerFault>()
  /** The last requests, once it listens: in a process of the service nothing is kept. */
  readonly calls: PartnerCall[] = []
  #isListening = false
  #app: FastifyInstance | undefined

  constructor({ clock }: { clock: EmulatorClock }) {
    this.#clock = clock
  }

  /** The server that answers for all partners; created when first needed. */
  get app(): FastifyInstance {
    this.#app ??= this.#build()
    return this.#app
  }

  /** Base URL of a partner on a server. */
  static urlOf(partner: LabPartner, base = 'http://partners.invalid'): string {
    return `${base}/${partner}`
  }

  /** Listens on a free port of this machine and returns the base URL of each partner. */
  async listen(): Promise<(partner: LabPartner) => string> {
    this.#isListening = true
    await this.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = this.app.server.address() as AddressInfo
    return (partner) => PartnerEmulator.urlOf(partner, `http://127.0.0.1:${port}`)
  }

  async close(): Promise<void> {
    this.#app?.server.closeAllConnections()
    await this.#app?.close()
  }

  /** Replaces the fault of a partner; null ends it. */
  setFault(partner: LabPartner, fault: PartnerFault | null): void {
    if (fault === null) this.#faults.delete(partner)
    else this.#faults.set(partner, { ...fault })
  }

  #build(): FastifyInstance {
    const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
    for (const [partner, register] of PARTNERS) {
      app.register(
        async (scope) => {
          scope.addHook('preHandler', async (request, reply) => {
            if (this.#isListening) this.#record(partner, request)
            const fault = this.#take(partner, /\/token$/.test(request.routeOptions.url ?? ''))
            if (fault !== undefined) return answerFault(reply, fault)
          })
          register(scope, this.#clock)
        },
        { prefix: `/${partner}` },
      )
    }
    return app
  }

  #record(partner: LabPartner, { method, url, body }: FastifyRequest): void {
    if (this.calls.length >= MOST_CALLS) this.calls.shift()
    this.calls.push({ partner, method, url: url.slice(partner.length + 1), body })
  }

  /** Returns the fault of a request, which counts it. */
  #take(partner: LabPartner, isForToken: boolean): PartnerFault | undefined {
    const fault = this.#faults.get(partner)
    if (fault === undefined || ((fault.on ?? 'data') === 'token') !== isForToken) return undefined
    if (fault.times !== undefined) {
      fault.times--
      if (fault.times <= 0) this.#faults.delete(partner)
    }
    return fault
  }
}

/** Answers as the fault says; a slow answer is only delayed. */
async function answerFault(
  reply: FastifyReply,
  { kind, milliseconds }: PartnerFault,
): Promise<FastifyReply | undefined> {
  switch (kind) {
    case 'slow':
      await wait(milliseconds ?? SLOW_MS, undefined, { ref: false })
      return undefined
    case 'unauthorized':
      return reply.status(401).send({ message: 'Unauthorized' })
    case 'rate_limit':
      return reply
        .status(429)
        .header('retry-after', String(Math.ceil((milliseconds ?? RETRY_MS) / 1000)))
        .send({ message: 'Too many requests' })
    case 'maintenance':
      return reply.status(503).header('maintenance-mode', 'true').send({ message: 'Maintenance' })
    case 'server_error':
      return reply.status(500).send({ message: 'Internal error' })
    case 'malformed':
      return reply.status(200).type('application/json').send('{"result')
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { buildServer, publicRequests, SANDBOX_PATH } from './emulator-server.ts'
import { type Fault, Faults } from './faults.ts'
import { Calendar, type Span } from './people/days.ts'
import { personOf } from './people/person.ts'
import { type Clock, keyOf, State } from './state/state.ts'
import type { StateStore } from './state/state-store.ts'
import { Tokens } from './state/tokens.ts'
import type { TokenAnswer, Vendor, VendorContext } from './vendor.ts'
import { VENDORS } from './vendors.registry.ts'

export interface EmulatorOptions {
  clock: Clock
  store: StateStore
  /**
   * Secret of the app `sandbox`, which also signs messages; `sandbox` by default. A server that
   * others reach sets a random one.
   */
  clientSecret?: () => string
  /** For pushes and their challenges; by default that of the process. */
  fetch?: typeof fetch
  /** Called for unexpected errors. */
  onError?: (error: Error) => void
}

/** After a longer pause, earlier changes are not pushed. */
const LONGEST_PUSH_MS = 24 * HOUR_MS

/** Maximum number of people whose days are cached. */
const MOST_CALENDARS = 300

/** Emulated providers over HTTP (docs/sandbox.md). */
export class ProviderEmulator {
  readonly #options: EmulatorOptions
  readonly #contexts: ReadonlyMap<string, VendorContext>
  readonly #calendars = new Map<string, Calendar>()
  #app: FastifyInstance | undefined
  #server: Server | undefined
  #url: string | undefined

  constructor(options: EmulatorOptions) {
    this.#options = options
    const { clock, store, clientSecret = () => 'sandbox' } = options
    const state = new State(store, clock)
    const tokens = new Tokens(state)
    const contexts = VENDORS.map(({ slug, name }): [string, VendorContext] => [
      slug,
      {
        slug,
        name,
        clock,
        state,
        tokens,
        faults: new Faults(state, clock, slug),
        clientSecret,
        calendarOf: (account) => this.#calendarOf(slug, account),
        fetch: options.fetch ?? ((...request) => fetch(...request)),
      },
    ])
    this.#contexts = new Map(contexts)
  }

  /** The server that answers for all providers; created when first needed. */
  get app(): FastifyInstance {
    this.#app ??= buildServer(this.#contexts, this.#options.onError)
    return this.#app
  }

  /**
   * Listens on a free port of this machine. The code that answers is loaded with the first request.
   */
  async listen(): Promise<void> {
    if (this.#server !== undefined) return
    const server = createServer((request, response) => void this.#answer(request, response))
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    this.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Base URL of the server, without a slash at the end. */
  get url(): string {
    if (this.#url === undefined) throw new Error('The emulated vendors are not listening.')
    return this.#url
  }

  /**
   * Adds the pages of the providers to a server that browsers reach, and only those: only
   * connectors need the rest, and an emulator sends requests to the addresses that it gets for
   * pushes.
   */
  mount(app: FastifyInstance): void {
    app.register(async (scope) => {
      // The server of the emulator reads the body.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      const options = {
        schema: { hide: true } as object,
        config: { produces: ['text/html'] } as object,
        handler: (request: FastifyRequest, reply: FastifyReply) =>
          this.#answerPublic(request, reply),
      }
      scope.route({ ...options, method: 'GET', url: SANDBOX_PATH })
      scope.route({ ...options, method: ['GET', 'POST'], url: `${SANDBOX_PATH}/*` })
    })
  }

  async #answerPublic(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // As at most vendors: a pop-up that comes here stays joined to the page that opened it.
    reply.header('cross-origin-opener-policy', 'unsafe-none')
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    publicRequests.add(request.raw)
    await this.#answer(request.raw, reply.raw)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.app.ready()
      this.app.routing(request, response)
    } catch (error) {
      this.#options.onError?.(error as Error)
      response.destroy()
    }
  }

  async close(): Promise<void> {
    const server = this.#server
    if (server !== undefined) {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    }
    await this.#app?.close()
  }

  /**
   * Returns what a provider serves of an account for a span, by collection, as of now, for
   * comparisons in tests.
   */
  truthOf(slug: string, account: string, span: Span): Record<string, unknown[]> {
    const now = this.#options.clock.now().getTime()
    const truth = vendorOf(slug).truth(this.#calendarOf(slug, account), span, now)
    // In the form after serialization as JSON.
    return JSON.parse(JSON.stringify(truth))
  }

  /** Returns the provider's id of an account. */
  accountIdOf(slug: string, account: string): string {
    return vendorOf(slug).accountIdOf(account)
  }

  /** Replaces the faults of an account or, with null, of the whole provider. */
  setFaults(slug: string, account: string | null, faults: readonly Fault[]): Promise<void> {
    return this.#contextOf(slug).faults.set(account, faults)
  }

  /**
   * Returns tokens as if a user had signed in and allowed an app all of `scopes`; for providers
   * with OAuth.
   */
  async grant(
    slug: string,
    account: string,
    scopes: readonly string[],
    clientId = 'sandbox',
  ): Promise<TokenAnswer> {
    const tokens = await vendorOf(slug).grant?.(this.#contextOf(slug), account, scopes, clientId)
    if (tokens === undefined) throw new Error(`${slug} knows no OAuth.`)
    return tokens
  }

  /** Simulates a user who ends the access of all apps at the provider, or changes the password. */
  revoke(slug: string, account: string): Promise<void> {
    return vendorOf(slug).revoke(this.#contextOf(slug), account)
  }

  /** Expires the access so far, which can be renewed. */
  expire(slug: string, account: string): Promise<void> {
    return vendorOf(slug).expire(this.#contextOf(slug), account)
  }

  /**
   * Sends messages about the data that an account uploaded within a span of time.
   * @returns how many were accepted
   */
  async push(slug: string, account: string, span: Span): Promise<number> {
    return (await vendorOf(slug).push?.send(this.#contextOf(slug), account, span)) ?? 0
  }

  /** Sends messages about all uploads since the last call, of any process. */
  async pushChanges(): Promise<void> {
    for (const { slug, push } of VENDORS) {
      if (push === undefined) continue
      const context = this.#contextOf(slug)
      const to = this.#options.clock.now().getTime()
      let from = to
      await context.state.update<number>(keyOf('pushed', slug), (last = to) => {
        from = Math.max(last, to - LONGEST_PUSH_MS)
        return to
      })
      if (from >= to) continue
      for await (const account of push.accounts(context)) {
        await push.send(context, account, { from, to })
        // Lets other work of the process run.
        await setImmediate()
      }
    }
  }

  #contextOf(slug: string): VendorContext {
    const context = this.#contexts.get(slug)
    if (context === undefined) throw new Error(`No vendor ${slug} is emulated.`)
    return context
  }

  #calendarOf(slug: string, typed: string): Calendar {
    const account = vendorOf(slug).accountOf?.(typed) ?? typed
    const key = `${slug}/${account}`
    const known = this.#calendars.get(key)
    if (known !== undefined) return known
    if (this.#calendars.size >= MOST_CALENDARS) this.#forgetOldest()
    const calendar = new Calendar(personOf(slug, account))
    this.#calendars.set(key, calendar)
    return calendar
  }

  #forgetOldest(): void {
    const [oldest] = this.#calendars.keys()
    if (oldest !== undefined) this.#calendars.delete(oldest)
  }
}

function vendorOf(slug: string): Vendor {
  const vendor = VENDORS.find((one) => one.slug === slug)
  if (vendor === undefined) throw new Error(`No vendor ${slug} is emulated.`)
  return vendor
}

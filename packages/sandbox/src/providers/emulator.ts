import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { type Fault, Faults } from './faults.ts'
import { Grants, type TokenAnswer } from './oauth/grants.ts'
import { html, PAGE, sendPage } from './pages.ts'
import { Calendar, type Span } from './people/days.ts'
import { personOf } from './people/person.ts'
import { type Clock, State } from './state/state.ts'
import type { StateStore } from './state/state-store.ts'
import { Tokens } from './state/tokens.ts'
import type { Vendor, VendorContext } from './vendor.ts'
import { VENDORS } from './vendors.registry.ts'

export interface EmulatorOptions {
  clock: Clock
  store: StateStore
  /** For pushes and their challenges; that of the process unless told. */
  fetch?: typeof fetch
}

/** Where the vendors are, below an address. */
export const SANDBOX_PATH = '/sandbox/providers'

/** Those that came by the server that browsers reach. */
const publicRequests = new WeakSet<IncomingMessage>()

const MOST_BODY_BYTES = 64 * 1024
/** People whose days are remembered. */
const MOST_CALENDARS = 300

/** Emulated vendors over HTTP (docs/sandbox.md). */
export class ProviderEmulator {
  readonly #options: EmulatorOptions
  readonly #contexts: ReadonlyMap<string, VendorContext>
  readonly #calendars = new Map<string, Calendar>()
  #app: FastifyInstance | undefined
  #server: Server | undefined
  #url: string | undefined

  constructor(options: EmulatorOptions) {
    this.#options = options
    const { clock, store } = options
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
        calendarOf: (account) => this.#calendarOf(slug, account),
        fetch: options.fetch ?? ((...request) => fetch(...request)),
      },
    ])
    this.#contexts = new Map(contexts)
  }

  /** The server that answers for all vendors; made when first needed. */
  get app(): FastifyInstance {
    this.#app ??= buildApp(this.#contexts)
    return this.#app
  }

  /** Listens on a free port of this machine. What answers is made with the first request. */
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

  /** Where it listens, without a slash at the end. */
  get url(): string {
    if (this.#url === undefined) throw new Error('The emulated vendors are not listening.')
    return this.#url
  }

  /**
   * Adds the pages of the vendors to a server that browsers reach, and only those: nobody but connectors needs the
   * rest, and an emulator sends requests to the addresses that it is given for pushes.
   */
  mount(app: FastifyInstance): void {
    app.register(async (scope) => {
      // The body is read by the server of the emulator.
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      scope.route({
        method: ['GET', 'POST'],
        url: `${SANDBOX_PATH}/*`,
        schema: { hide: true } as object,
        config: { produces: ['text/html'] } as object,
        handler: async (request, reply) => {
          reply.hijack()
          for (const [name, value] of Object.entries(reply.getHeaders())) {
            if (value !== undefined) reply.raw.setHeader(name, value)
          }
          publicRequests.add(request.raw)
          await this.#answer(request.raw, reply.raw)
        },
      })
    })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.app.ready()
    this.app.routing(request, response)
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

  /** What a vendor serves of an account for a span, by collection, as of now: what tests compare with. */
  truthOf(slug: string, account: string, span: Span): Record<string, unknown[]> {
    const now = this.#options.clock.now().getTime()
    return vendorOf(slug).truth(this.#calendarOf(slug, account), span, now)
  }

  /** The vendor's id of an account. */
  accountIdOf(slug: string, account: string): string {
    return vendorOf(slug).accountIdOf(account)
  }

  /** Replaces what goes wrong with an account, or with null with the whole vendor. */
  setFaults(slug: string, account: string | null, faults: readonly Fault[]): Promise<void> {
    return this.#contextOf(slug).faults.set(account, faults)
  }

  /** Tokens as if somebody had signed in and allowed an app all of `scopes`; of vendors with OAuth. */
  async grant(
    slug: string,
    account: string,
    scopes: readonly string[],
    clientId = 'sandbox',
  ): Promise<TokenAnswer> {
    return (await this.#grantsOf(slug).make(account, clientId, scopes)).tokens
  }

  /** As when the person ends the access of all apps at the vendor. */
  revoke(slug: string, account: string): Promise<void> {
    return this.#grantsOf(slug).revokeAll(account)
  }

  /** Access tokens made so far are not taken any more; refresh tokens are. */
  expire(slug: string, account: string): Promise<void> {
    return this.#grantsOf(slug).expireAll(account)
  }

  /** Sends messages about what became new within a span of time. @returns how many were taken */
  async push(slug: string, account: string, span: Span): Promise<number> {
    return (await vendorOf(slug).push?.(this.#contextOf(slug), account, span)) ?? 0
  }

  #grantsOf(slug: string): Grants {
    return new Grants(this.#contextOf(slug), { accessSeconds: 86_400 })
  }

  #contextOf(slug: string): VendorContext {
    const context = this.#contexts.get(slug)
    if (context === undefined) throw new Error(`No vendor ${slug} is emulated.`)
    return context
  }

  #calendarOf(slug: string, account: string): Calendar {
    const key = `${slug}/${account}`
    const known = this.#calendars.get(key)
    if (known !== undefined) return known
    if (this.#calendars.size >= MOST_CALENDARS) this.#calendars.clear()
    const calendar = new Calendar(personOf(slug, account))
    this.#calendars.set(key, calendar)
    return calendar
  }
}

function vendorOf(slug: string): Vendor {
  const vendor = VENDORS.find((one) => one.slug === slug)
  if (vendor === undefined) throw new Error(`No vendor ${slug} is emulated.`)
  return vendor
}

function buildApp(contexts: ReadonlyMap<string, VendorContext>): FastifyInstance {
  const app = Fastify({ bodyLimit: MOST_BODY_BYTES, routerOptions: { maxParamLength: 500 } })
  // Clients send the content type with empty bodies, too.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) =>
      body === '' ? undefined : JSON.parse(String(body)),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) => readForm(String(body)),
  )
  app.setErrorHandler((error: { statusCode?: number } & Error, _request, reply) => {
    const isSyntax = error instanceof SyntaxError
    const status = isSyntax ? 400 : (error.statusCode ?? 503)
    return reply.status(status).send({ status, title: 'Error', detail: 'The request failed.' })
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.status(404).send({ status: 404, title: 'Not Found', detail: 'There is nothing here.' }),
  )
  app.addHook('onRequest', (request, reply, done) => {
    const { isPage } = request.routeOptions.config
    if (isPage || !publicRequests.has(request.raw)) done()
    else reply.callNotFound()
  })
  app.get(`${SANDBOX_PATH}/`, PAGE, (_request, reply) => sendIndex(reply))
  for (const vendor of VENDORS) {
    const context = contexts.get(vendor.slug) as VendorContext
    app.register(async (scope) => vendor.register(scope, context), {
      prefix: `${SANDBOX_PATH}/${vendor.slug}`,
    })
  }
  return app
}

function sendIndex(reply: Parameters<typeof sendPage>[0]) {
  const items = VENDORS.map(({ name, slug }) => html`<li>${name}: <code>${slug}</code></li>`)
  const body = html`<p>In a sandbox these vendors are played by emulators. Link one of them to a user of a sandbox, or see
what is written in <code>docs/sandbox.md</code>.</p><ul>${items}</ul>`
  return sendPage(reply, { title: 'Emulated vendors', vendor: 'vendors', body })
}

/** A name that comes several times is a list. */
function readForm(text: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(text)
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

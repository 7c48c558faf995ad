import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  authorizationUrl,
  type Connectors,
  createConnectors,
  createFetchJson,
  exchangeCode,
  type FetchJson,
  isOAuthConnector,
  type OAuthConnector,
  PageData,
  type PushNotice,
  type TimeRange,
  type VendorApp,
  VendorError,
  type VendorFailure,
  type VendorTokens,
} from '@salus/health/connectors'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { createMemoryStore, ProviderEmulator } from '@salus/sandbox/providers'
import { TestClock } from '../teams-app.ts'
import { pullCollection } from './pull-collection.ts'

const SANDBOX = { kind: 'sandbox' } as const

/** A connector with OAuth and its emulated vendor, over HTTP. */
export class EmulatedConnector {
  readonly app: VendorApp = { clientId: 'sandbox', clientSecret: 'sandbox' }
  readonly clock = new TestClock()
  readonly agent = createOutboundAgent({ allowPrivate: true })
  readonly emulator = new ProviderEmulator({ clock: this.clock, store: createMemoryStore() })
  readonly connectors: Connectors = createConnectors({
    agent: this.agent,
    sandboxAgent: this.agent,
    sandboxUrl: () => this.emulator.url,
  })
  readonly connector: OAuthConnector

  constructor(slug: string) {
    const connector = this.connectors.find(slug)
    assert.ok(connector !== undefined && isOAuthConnector(connector))
    this.connector = connector
  }

  get address() {
    return this.connectors.addressOf(this.connector, SANDBOX)
  }

  now(): number {
    return this.clock.now().getTime()
  }

  async close(): Promise<void> {
    await this.emulator.close()
    await this.agent.destroy()
  }

  /** Signs a person in as a browser does, and exchanges the code. */
  async signIn(account: string, scopes: readonly string[] = this.connector.auth.scopes) {
    const redirectUri = 'https://salus.example/back'
    const wanted = { app: this.app, redirectUri, state: 'a-state-of-some-length', scopes }
    const hosts = this.connectors.publicHostsOf(this.connector, SANDBOX, this.emulator.url)
    const url = authorizationUrl(this.connector, hosts, wanted)
    const post = (form: [string, string][]) =>
      fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
    const page = await post([
      ['step', 'sign_in'],
      ['username', account],
      ['password', 'correct'],
    ])
    const ticket = /name="ticket" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    const back = await post([
      ['step', 'consent'],
      ['ticket', ticket],
      ['decision', 'allow'],
      ...scopes.map((scope): [string, string] => ['scope', scope]),
    ])
    const callback = Object.fromEntries(new URL(back.headers.get('location') ?? '').searchParams)
    assert.equal(callback.state, wanted.state)
    const exchange = { code: callback.code ?? '', redirectUri, callbackQuery: callback }
    return exchangeCode(this.connector, this.address, this.app, exchange, this.clock.now())
  }

  fetchJson(tokens: VendorTokens): FetchJson {
    return createFetchJson(this.connector, this.address, tokens, this.app)
  }

  /** @returns what all pages of a range become */
  async pull(name: string, tokens: VendorTokens, range: TimeRange): Promise<PageData> {
    const data = new PageData({ userId: 'u', provider: this.connector.slug })
    const wanted = { connector: this.connector, name, range, data }
    await pullCollection(this.fetchJson(tokens), wanted)
    return data
  }

  /**
   * Receives the messages that the vendor sends during some work, and verifies them.
   * @param app With the secrets that subscribing returned, once it has.
   */
  async receive(
    app: VendorApp | (() => VendorApp),
    work: (url: string) => Promise<void>,
  ): Promise<PushNotice[]> {
    const { push } = this.connector
    assert.ok(push !== undefined)
    const notices: PushNotice[] = []
    let forged = 0
    const server = createServer(async (request, response) => {
      const query = Object.fromEntries(new URL(request.url ?? '', 'http://x').searchParams)
      const body = Buffer.from(await text(request))
      const headers = request.headers as Record<string, string>
      const method = request.method as 'GET' | 'HEAD' | 'POST'
      const present = typeof app === 'function' ? app() : app
      const answer = push.answerHandshake?.({ method, query, headers, body }, present)
      if (method !== 'POST' || answer !== undefined) {
        response.setHeader('content-type', 'application/json')
        response.end(answer?.body ?? '')
        return
      }
      const message = { headers, body, receivedAt: this.clock.now() }
      const age = (push.signedAt?.(message) ?? this.now()) - this.now()
      // An unsigned message is known by its address.
      const isGenuine = push.verify?.(message, present) ?? true
      if (!isGenuine || Math.abs(age) > 1000) forged += 1
      notices.push(...push.read(JSON.parse(String(body))))
      response.end()
    })
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/push`)
    } finally {
      server.closeAllConnections()
      server.close()
    }
    assert.equal(forged, 0)
    return notices
  }
}

/** Returns the failure of some work; undefined when it succeeds. */
export const failureOf = (work: Promise<unknown>): Promise<VendorFailure | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => {
      assert.ok(error instanceof VendorError, String(error))
      return error.failure
    },
  )

/** Columns with a value. */
export const known = (values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

import assert from 'node:assert/strict'
import {
  authorizationUrl,
  type Connectors,
  createConnectors,
  createFetchJson,
  exchangeCode,
  type FetchJson,
  type OAuthConnector,
  PageData,
  type TimeRange,
  VendorError,
  type VendorTokens,
} from '@salus/health/connectors'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { createMemoryStore, ProviderEmulator } from '@salus/sandbox/providers'
import { signInAtVendor } from '../linking/browser.ts'
import { TestClock } from '../teams-app.ts'
import { pullCollection } from './pull-collection.ts'

export const APP = { clientId: 'sandbox', clientSecret: 'sandbox' }
const SANDBOX = { kind: 'sandbox' } as const
const REDIRECT = 'https://salus.example/callback'

/** A connector of OAuth and the emulated vendor, which it reaches by HTTP. */
export class EmulatedSession {
  readonly clock = new TestClock()
  readonly emulator = new ProviderEmulator({ clock: this.clock, store: createMemoryStore() })
  readonly #agent = createOutboundAgent({ allowPrivate: true })
  readonly connectors: Connectors = createConnectors({
    agent: this.#agent,
    sandboxAgent: this.#agent,
    sandboxUrl: () => this.emulator.url,
  })
  readonly #slug: string

  constructor(slug: string) {
    this.#slug = slug
  }

  get connector(): OAuthConnector {
    return this.connectors.find(this.#slug) as OAuthConnector
  }

  get address() {
    return this.connectors.addressOf(this.connector, SANDBOX)
  }

  listen(): Promise<void> {
    return this.emulator.listen()
  }

  async close(): Promise<void> {
    await this.emulator.close()
    await this.#agent.destroy()
  }

  /** Signs a person in at the pages of the vendor and exchanges the code. */
  async signIn(account: string): Promise<{ tokens: VendorTokens; grantedScopes: string[] }> {
    const { connector, address } = this
    const hosts = this.connectors.publicHostsOf(connector, SANDBOX, this.emulator.url)
    const request = { app: APP, redirectUri: REDIRECT, state: 's' }
    const back = new URL(
      await signInAtVendor(authorizationUrl(connector, hosts, request), { account }),
    )
    assert.equal(back.searchParams.get('state'), 's')
    const exchange = {
      code: back.searchParams.get('code') ?? '',
      redirectUri: REDIRECT,
      callbackQuery: Object.fromEntries(back.searchParams),
    }
    return exchangeCode(connector, address, APP, exchange, this.clock.now())
  }

  /** Sends requests of a person; where the vendor has had too many, a minute passes. */
  fetchAs(tokens: VendorTokens): FetchJson {
    const fetchJson = createFetchJson(this.connector, this.address, tokens, APP)
    return async (wanted) => {
      try {
        return await fetchJson(wanted)
      } catch (error) {
        if (kindOf(error) !== 'rate_limited') throw error
        this.clock.advance(61)
        return fetchJson(wanted)
      }
    }
  }

  /** Pulls all pages of a collection. */
  async pull(name: string, tokens: VendorTokens, range: TimeRange): Promise<PageData> {
    const data = new PageData({ userId: 'u', provider: this.#slug })
    const { connector } = this
    await pullCollection(this.fetchAs(tokens), { connector, name, range, data })
    assert.deepEqual(data.quarantined, [])
    return data
  }
}

/** The kind of failure of a VendorError; `none` where nothing failed. */
export const kindOf = (error: unknown): string =>
  error instanceof VendorError ? error.failure.kind : String(error)

export const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(() => 'none', kindOf)

/** Samples of a series as plain rows, the oldest first. */
export const rowsOf = ({ samples }: PageData, name: string) =>
  samples
    .filter(({ series }) => series === name)
    .sort((one, other) => one.startedAt - other.startedAt)

import assert from 'node:assert/strict'
import {
  type Connector,
  createConnectors,
  createFetchJson,
  createSignInSend,
  type FetchJson,
  PageData,
  type PasswordSignIn,
  type SignInContext,
  type SignInOutcome,
  type TimeRange,
  type VendorApp,
  type VendorTokens,
  withSettings,
} from '@salus/health/connectors'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { createMemoryStore, ProviderEmulator } from '@salus/sandbox/providers'
import { sandboxSettings } from '../../../health/src/connectors/app-settings.ts'
import { TestClock } from '../teams-app.ts'
import { pullCollection } from './pull-collection.ts'

type SignedIn = Extract<SignInOutcome, { state: 'signed_in' }>

/** A connector with sign-in by password and its emulated vendor, over HTTP. */
export class EmulatedAccounts {
  readonly clock = new TestClock()
  readonly emulator = new ProviderEmulator({ clock: this.clock, store: createMemoryStore() })
  readonly connector: Connector
  readonly auth: PasswordSignIn
  readonly app: VendorApp
  readonly #agent = createOutboundAgent({ allowPrivate: true })
  readonly #connectors = createConnectors({
    agent: this.#agent,
    sandboxAgent: this.#agent,
    sandboxUrl: () => this.emulator.url,
  })

  constructor(slug: string) {
    const connector = this.#connectors.find(slug)
    assert.ok(connector?.auth.kind === 'password')
    this.connector = connector
    this.auth = connector.auth
    this.app = { clientId: '', clientSecret: '', settings: sandboxSettings(connector) }
  }

  get #address() {
    return this.#connectors.addressOf(this.connector, { kind: 'sandbox' })
  }

  get send() {
    return createSignInSend(this.connector, this.#address)
  }

  get context(): SignInContext {
    return { app: withSettings(this.connector, this.app), now: this.now() }
  }

  now(): number {
    return this.clock.now().getTime()
  }

  async close(): Promise<void> {
    await this.emulator.close()
    await this.#agent.destroy()
  }

  try(username: string, password: string): Promise<SignInOutcome> {
    return this.auth.signIn(this.send, { username, password, region: null }, this.context)
  }

  async signIn(username: string): Promise<SignedIn> {
    const outcome = await this.try(username, 'correct')
    assert.ok(outcome.state === 'signed_in', JSON.stringify(outcome))
    assert.equal(outcome.accountId, this.emulator.accountIdOf(this.connector.slug, username))
    return outcome
  }

  renew(username: string, tokens: VendorTokens): Promise<VendorTokens> {
    const given = { username, password: 'correct', region: null }
    return this.auth.renew(this.send, tokens, given, this.context)
  }

  fetchJson(tokens: VendorTokens): FetchJson {
    return createFetchJson(this.connector, this.#address, tokens, this.app)
  }

  /** @returns what all pages of a range become */
  async pull(name: string, tokens: VendorTokens, range: TimeRange): Promise<PageData> {
    const { connector, context } = this
    const data = new PageData({ userId: 'u', provider: connector.slug })
    const pages = { extra: tokens.extra ?? {}, ...context }
    await pullCollection(this.fetchJson(tokens), { connector, name, range, data }, pages)
    return data
  }
}

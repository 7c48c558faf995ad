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
  type VendorTokens,
  withSettings,
} from '@salus/health/connectors'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { createMemoryStore, ProviderEmulator } from '@salus/sandbox/providers'
import { sandboxSettings } from '../../../health/src/connectors/app-settings.ts'
import { TestClock } from '../teams-app.ts'
import { pullCollection } from './pull-collection.ts'

const SANDBOX = { kind: 'sandbox' } as const

/** A connector by password and its emulated vendor, over HTTP. */
export class EmulatedPassword {
  readonly clock = new TestClock()
  readonly agent = createOutboundAgent({ allowPrivate: true })
  readonly emulator = new ProviderEmulator({ clock: this.clock, store: createMemoryStore() })
  readonly connector: Connector
  readonly auth: PasswordSignIn
  readonly #connectors = createConnectors({
    agent: this.agent,
    sandboxAgent: this.agent,
    sandboxUrl: () => this.emulator.url,
  })

  constructor(slug: string) {
    const connector = this.#connectors.find(slug)
    assert.ok(connector?.auth.kind === 'password')
    this.connector = connector
    this.auth = connector.auth
  }

  now(): number {
    return this.clock.now().getTime()
  }

  async close(): Promise<void> {
    await this.emulator.close()
    await this.agent.destroy()
  }

  get #address() {
    return this.#connectors.addressOf(this.connector, SANDBOX)
  }

  get #app() {
    const settings = sandboxSettings(this.connector)
    return { clientId: 'sandbox', clientSecret: 'sandbox', settings }
  }

  get context(): SignInContext {
    return { app: withSettings(this.connector, this.#app), now: this.now() }
  }

  get #send() {
    return createSignInSend(this.connector, this.#address)
  }

  signIn(username: string, password = 'correct', region: string | null = null) {
    return this.auth.signIn(this.#send, { username, password, region }, this.context)
  }

  /** Signs in with a right password. @returns the tokens */
  async tokensOf(username: string, region: string | null = null): Promise<VendorTokens> {
    const outcome = await this.signIn(username, 'correct', region)
    assert.ok(outcome.state === 'signed_in', JSON.stringify(outcome))
    assert.equal(outcome.accountId, this.emulator.accountIdOf(this.connector.slug, username))
    return outcome.tokens
  }

  /** @returns why a password is refused, or another outcome of it */
  async reasonOf(username: string, password: string): Promise<string> {
    const outcome = await this.signIn(username, password)
    return outcome.state === 'refused' ? outcome.reason : outcome.state
  }

  completeMfa(challenge: string, code: string): Promise<SignInOutcome> {
    assert.ok(this.auth.completeMfa !== undefined)
    return this.auth.completeMfa(this.#send, challenge, code, this.context)
  }

  renew(tokens: VendorTokens, username: string, password = 'correct'): Promise<VendorTokens> {
    const given = { username, password, region: null }
    return this.auth.renew(this.#send, tokens, given, this.context)
  }

  fetchJson(tokens: VendorTokens): FetchJson {
    return createFetchJson(this.connector, this.#address, tokens, this.#app)
  }

  /** @returns what all pages of a range become */
  async pull(
    name: string,
    tokens: VendorTokens,
    range: TimeRange,
    fetchJson = this.fetchJson(tokens),
  ): Promise<PageData> {
    const data = new PageData({ userId: 'u', provider: this.connector.slug })
    const wanted = { connector: this.connector, name, range, data }
    const context = { extra: tokens.extra ?? {}, now: this.now(), app: this.context.app }
    await pullCollection(fetchJson, wanted, context)
    return data
  }
}

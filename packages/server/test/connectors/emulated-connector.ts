import assert from 'node:assert/strict'
import {
  authorizationUrl,
  createConnectors,
  createFetchJson,
  exchangeCode,
  isOAuthConnector,
  PageData,
  refreshTokens,
  type TimeRange,
  VendorError,
  type VendorFailure,
  type VendorTokens,
} from '@salus/health/connectors'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { createMemoryStore, ProviderEmulator } from '@salus/sandbox/providers'
import { TestClock } from '../teams-app.ts'
import { pullCollection } from './pull-collection.ts'

export const APP = { clientId: 'sandbox', clientSecret: 'sandbox' }

/** A connector with OAuth beside its emulated vendor, for one file of tests. */
export class EmulatedConnector {
  readonly clock = new TestClock()
  readonly emulator = new ProviderEmulator({ clock: this.clock, store: createMemoryStore() })
  readonly #agent = createOutboundAgent({ allowPrivate: true })
  readonly #slug: string

  constructor(slug: string) {
    this.#slug = slug
  }

  async close(): Promise<void> {
    await this.emulator.close()
    await this.#agent.destroy()
  }

  get connector() {
    const { emulator } = this
    const connectors = createConnectors({
      agent: this.#agent,
      sandboxAgent: this.#agent,
      sandboxUrl: () => emulator.url,
    })
    const connector = connectors.find(this.#slug)
    assert.ok(connector !== undefined && isOAuthConnector(connector))
    return { connector, address: connectors.addressOf(connector, { kind: 'sandbox' }) }
  }

  /** Grants access without pages; a vendor's further fields of the answer are `extra`. */
  async signIn(
    account: string,
    scopes?: readonly string[],
    clientId?: string,
  ): Promise<VendorTokens> {
    const { connector } = this.connector
    const wanted = scopes ?? connector.auth.scopes
    const answer = await this.emulator.grant(this.#slug, account, wanted, clientId)
    const extra = { user_id: this.emulator.accountIdOf(this.#slug, account) }
    const { access_token: accessToken, refresh_token: refreshToken } = answer
    return { accessToken, refreshToken, expiresAt: null, extra }
  }

  /** Signs in on the pages of the vendor, allows all, and exchanges the code. */
  async signInByPages(account: string) {
    const { connector, address } = this.connector
    const redirectUri = 'https://salus.example/callback'
    const codeVerifier = connector.auth.usesPkce ? 'v'.repeat(64) : undefined
    const given = { app: APP, redirectUri, state: 'state-1234567', codeVerifier }
    const url = authorizationUrl(connector, address.hosts, given)
    const post = (form: readonly (readonly [string, string])[]) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(
          form.map(([name, value]): [string, string] => [name, value]),
        ).toString(),
        redirect: 'manual',
      })
    const page = await post([
      ['step', 'sign_in'],
      ['username', account],
      ['password', 'correct'],
    ])
    const ticket = /name="ticket" value="([^"]+)"/.exec(await page.text())?.[1] ?? ''
    const answer = await post([
      ['step', 'consent'],
      ['ticket', ticket],
      ['decision', 'allow'],
      ...connector.auth.scopes.map((scope) => ['scope', scope] as const),
    ])
    const callback = new URL(answer.headers.get('location') ?? '')
    const callbackQuery = Object.fromEntries(callback.searchParams)
    const { code = '' } = callbackQuery
    const exchange = { code, redirectUri, codeVerifier, callbackQuery }
    return exchangeCode(connector, address, APP, exchange, this.clock.now())
  }

  fetchJson(tokens: VendorTokens) {
    const { connector, address } = this.connector
    return createFetchJson(connector, address, tokens, APP)
  }

  /** Pulls all pages of a collection in windows as the puller does. */
  async pull(name: string, tokens: VendorTokens, range: TimeRange): Promise<PageData> {
    const { connector } = this.connector
    const data = new PageData({ userId: 'u', provider: this.#slug })
    await pullCollection(this.fetchJson(tokens), { connector, name, range, data })
    return data
  }

  refresh(tokens: VendorTokens, app = APP): Promise<VendorTokens> {
    const { connector, address } = this.connector
    return refreshTokens(connector, address, app, tokens, this.clock.now())
  }
}

/** Returns the failure of a call, undefined for success. */
export function failureOf(work: Promise<unknown>): Promise<VendorFailure | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof VendorError) return error.failure
      throw error
    },
  )
}

/** Compares long lists; a difference of the whole lists would take minutes to print. */
export function assertSameRows(
  actual: readonly (readonly unknown[])[],
  expected: readonly (readonly unknown[])[],
): void {
  const [got, wanted] = [actual, expected].map((rows) => rows.map((row) => row.join(' ')))
  const at = wanted?.findIndex((row, position) => row !== got?.[position]) ?? -1
  if (at >= 0) assert.equal(got?.[at], wanted?.[at], `row ${at}`)
  assert.equal(actual.length, expected.length)
}

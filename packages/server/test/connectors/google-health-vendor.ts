import { generateKeyPairSync } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import {
  type Connectors,
  createConnectors,
  createFetchJson,
  type OAuthConnector,
  PageData,
  type TimeRange,
  VendorError,
  type VendorTokens,
} from '@salus/health/connectors'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { createMemoryStore, ProviderEmulator } from '@salus/sandbox/providers'
import { TestClock } from '../teams-app.ts'
import { pullCollection } from './pull-collection.ts'

/** The connector of Google and the emulated vendor, in one process. */

const SANDBOX = { kind: 'sandbox' } as const
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ACCOUNT = {
  project_id: 'salus-test',
  client_email: 'salus@salus-test.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
}
export const APP = {
  clientId: 'sandbox',
  clientSecret: 'sandbox',
  secrets: { service_account: JSON.stringify(ACCOUNT) },
}

/** Opens the emulated vendor of one file of tests, which closes it. */
export function createGoogleVendor() {
  const clock = new TestClock()
  const agent = createOutboundAgent({ allowPrivate: true })
  const emulator = new ProviderEmulator({ clock, store: createMemoryStore() })
  const connectors: Connectors = createConnectors({
    agent,
    sandboxAgent: agent,
    sandboxUrl: () => emulator.url,
  })
  const google = connectors.find('google_health') as OAuthConnector
  const NOW = clock.now().getTime()
  const RANGE: TimeRange = { from: NOW - 20 * DAY_MS, to: NOW }
  const NAMES = google.collections.map(({ name }) => name)

  async function closeVendor(): Promise<void> {
    await emulator.close()
    await agent.destroy()
  }

  const addressOf = () => connectors.addressOf(google, SANDBOX)
  const emptyData = () => new PageData({ userId: 'u', provider: 'google_health' })

  async function signIn(account: string, scopes = google.auth.scopes): Promise<VendorTokens> {
    const answer = await emulator.grant('google_health', account, scopes)
    const { access_token: accessToken, refresh_token: refreshToken } = answer
    return { accessToken, refreshToken: refreshToken ?? null, expiresAt: null }
  }

  /** @returns how many pages there were */
  const pull = (
    name: string,
    tokens: VendorTokens,
    data: PageData,
    range = RANGE,
  ): Promise<number> =>
    pullCollection(createFetchJson(google, addressOf(), tokens), {
      connector: google,
      name,
      range,
      data,
    })

  const failureOf = async (name: string, tokens: VendorTokens) =>
    pull(name, tokens, emptyData()).then(
      () => 'none',
      (error: unknown) => (error instanceof VendorError ? error.failure.kind : error),
    )
  return {
    clock,
    emulator,
    google,
    NOW,
    RANGE,
    NAMES,
    closeVendor,
    addressOf,
    emptyData,
    signIn,
    pull,
    failureOf,
  }
}

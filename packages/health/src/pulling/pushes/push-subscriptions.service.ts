import { enterEnvironment } from '@salus/accounts/teams'
import { DAY_MS } from '@salus/contracts/time-units'
import { createCredentialStore } from '@salus/kernel/crypto/credential-store'
import { defineJob } from '@salus/kernel/jobs/jobs'
import type { Scope } from '@salus/kernel/scope'
import {
  type Connector,
  createFetchJson,
  createSend,
  findApp,
  readCredential,
  type VendorAddress,
  type VendorApp,
  VendorError,
} from '../../connectors/index.ts'
import { appKeyOf } from '../access/budgets.ts'
import { credentialKey, type PullingContext } from '../pulling-context.ts'
import { findSubscriptionSecrets, pushPath, storeSubscriptionSecrets } from './push-apps.ts'
import {
  listPushApps,
  type PushSubscription,
  putPushApp,
  setAppSubscribed,
} from './push-subscriptions.global.repository.ts'

/** Subscribes to the messages of a connection's vendor. */
export const ADD_PUSH_SUBSCRIPTION = defineJob<{ environmentId: string; provider: string }>(
  'add_push_subscription',
)

/** Subscribes to the messages of a vendor about one user. */
export const ADD_USER_SUBSCRIPTION = defineJob<{
  environmentId: string
  userId: string
  provider: string
}>('add_user_subscription', { maxAttempts: 10 })

/** Subscriptions expire at vendors; renewing a live one changes nothing. */
const RENEW_AFTER_MS = DAY_MS
/** A vendor whose address was entered by hand and that is silent this long is polled again. */
const SILENCE_MS = 3 * DAY_MS

/**
 * Subscribes the app of the environment to the vendor's messages, unless it is subscribed. Without
 * a public address there is no subscription, and polls bring new data.
 * @throws VendorError when a retry may help
 */
export async function subscribeToMessages(
  context: PullingContext,
  scope: Scope,
  provider: string,
): Promise<void> {
  const { connectors, config, db, clock } = context
  const connector = connectors.find(provider)
  const app = await findApp(scope, context, provider)
  if (connector?.push === undefined || app === undefined) return
  const appKey = appKeyOf(provider, app)
  const { environment } = scope
  await shareSecrets(context, environment.id, provider, appKey)
  await putPushApp(db, { provider, app_key: appKey, environment_id: environment.id })
  const now = clock.now().getTime()
  const known = (await listPushApps(db, provider)).filter(({ app_key }) => app_key === appKey)
  const since = known.flatMap(({ subscribed_at: at }) => (at === null ? [] : [at.getTime()]))
  const last = Math.max(...since, 0)
  const callbackHost = callbackHostOf(config, connectors.addressOf(connector, environment))
  if (connector.push.subscribe === undefined) {
    if (now - last > SILENCE_MS) await setAppSubscribed(db, provider, appKey, null)
    if (callbackHost === undefined) return
    const callbackUrl = `${callbackHost}${pushPath(context.secrets, connector, appKey)}`
    await connectors.enterPushAddress(connector, environment, app, callbackUrl)
    return
  }
  if (callbackHost === undefined) return
  if (now - last < RENEW_AFTER_MS) {
    await setAppSubscribed(db, provider, appKey, new Date(last))
    return
  }
  await subscribeApp(context, scope, connector, app)
}

/** Gives an environment that begins to use an app the secrets of the app's subscription. */
async function shareSecrets(
  context: PullingContext,
  environmentId: string,
  provider: string,
  appKey: string,
): Promise<void> {
  const rows = await listPushApps(context.db, provider)
  const ofApp = rows.filter(({ app_key }) => app_key === appKey)
  const [other] = ofApp
  if (other === undefined || ofApp.some((row) => row.environment_id === environmentId)) return
  const secrets = await findSubscriptionSecrets(context, other.environment_id, provider)
  if (secrets) await storeSubscriptionSecrets(context, environmentId, provider, secrets)
}

/** Subscribes an app at the vendor and stores the outcome. */
async function subscribeApp(
  context: PullingContext,
  { environment }: Scope,
  connector: Connector,
  app: VendorApp,
): Promise<void> {
  const { connectors, config, db, clock, log } = context
  const { slug: provider } = connector
  const appKey = appKeyOf(provider, app)
  const address = connectors.addressOf(connector, environment)
  const callbackUrl = `${callbackHostOf(config, address)}${pushPath(context.secrets, connector, appKey)}`
  try {
    const known = await findSubscriptionSecrets(context, environment.id, provider)
    const subscriber = { ...app, secrets: { ...app.secrets, ...known } }
    const secrets = await connector.push?.subscribe?.(
      createSend(address),
      subscriber,
      callbackUrl,
      clock.now(),
    )
    if (secrets !== undefined) {
      const ofApp = (await listPushApps(db, provider)).filter(({ app_key }) => app_key === appKey)
      for (const { environment_id } of ofApp) {
        await storeSubscriptionSecrets(context, environment_id, provider, secrets)
      }
    }
    await setAppSubscribed(db, provider, appKey, clock.now())
  } catch (error) {
    await setAppSubscribed(db, provider, appKey, null)
    const kind = error instanceof VendorError ? error.failure.kind : 'unexpected'
    log.warn(
      { provider, reason: kind },
      'a vendor refused a push subscription; its data are polled',
    )
    if (kind === 'unavailable' || kind === 'rate_limited') throw error
    // Without the means to subscribe an operator enters the address, as for vendors without them.
    if (kind === 'refused') {
      await connectors.enterPushAddress(connector, environment, app, callbackUrl)
    }
  }
}

/**
 * Records that a vendor whose address is entered by hand sends messages to an app: its users are
 * polled rarely.
 */
export async function recordMessaged(
  { db, clock }: PullingContext,
  provider: string,
  appKey: string,
): Promise<void> {
  const now = clock.now()
  const known = (await listPushApps(db, provider)).filter(({ app_key }) => app_key === appKey)
  const isRecent = ({ subscribed_at: at }: PushSubscription) =>
    at !== null && now.getTime() - at.getTime() < RENEW_AFTER_MS
  if (!known.every(isRecent)) await setAppSubscribed(db, provider, appKey, now)
}

/**
 * Subscribes to the messages about one user, with the user's credential, where the vendor requires
 * it. Without a public address polls bring new data.
 * @throws VendorError when a retry may help
 */
export async function subscribeUser(
  context: PullingContext,
  scope: Scope,
  { userId, provider }: { userId: string; provider: string },
): Promise<void> {
  const { connectors, config, db, clock, secrets, log } = context
  const connector = connectors.find(provider)
  const { environment } = scope
  const app = await findApp(scope, context, provider)
  if (connector?.push?.subscribeUser === undefined || app === undefined) return
  const store = createCredentialStore(db, { secrets, clock })
  const key = credentialKey({ connector, environment, userId })
  const credential = await readCredential(store, key)
  if (credential === undefined) return
  const { tokens } = credential
  const address = connectors.addressOf(connector, environment, tokens.extra?.region)
  const callbackHost = callbackHostOf(config, address)
  if (callbackHost === undefined) return
  const callbackUrl = `${callbackHost}${pushPath(secrets, connector, appKeyOf(provider, app))}`
  try {
    const fetchJson = createFetchJson(connector, address, tokens, app)
    await connector.push.subscribeUser(fetchJson, tokens, callbackUrl)
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    const { kind } = error.failure
    // A stale token is renewed by the next poll.
    if (['unavailable', 'rate_limited', 'unauthorized'].includes(kind)) throw error
    log.warn({ provider, reason: kind }, 'a vendor refused to send messages about a user')
  }
}

/**
 * Returns the public address of the deployment; without one only vendors on this machine reach it.
 */
function callbackHostOf(
  { baseUrl, port }: PullingContext['config'],
  { hosts }: VendorAddress,
): string | undefined {
  if (baseUrl !== undefined) return baseUrl
  const isHere = Object.values(hosts).every((host) => new URL(host).hostname === '127.0.0.1')
  return isHere ? `http://127.0.0.1:${port}` : undefined
}

/** Renews expiring subscriptions and retries refused ones, once for each app. */
export async function renewSubscriptions(context: PullingContext): Promise<void> {
  const seen = new Set<string>()
  for (const { provider, app_key, environment_id } of await listPushApps(context.db)) {
    const key = `${provider} ${app_key}`
    if (seen.has(key)) continue
    const scope = await enterEnvironment(context, environment_id)
    if (scope === undefined) continue
    seen.add(key)
    await subscribeToMessages(context, scope, provider).catch((error: unknown) => {
      if (!(error instanceof VendorError)) throw error
    })
  }
}

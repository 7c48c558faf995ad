import { enterEnvironment } from '@salus/accounts/teams'
import { DAY_MS } from '@salus/contracts/time-units'
import { defineJob } from '@salus/kernel/jobs/jobs'
import type { Scope } from '@salus/kernel/scope'
import { createSend, findApp, type VendorAddress, VendorError } from '../../connectors/index.ts'
import { appKeyOf } from '../access/budgets.ts'
import type { PullingContext } from '../pulling-context.ts'
import {
  listPushApps,
  putPushApp,
  setAppSubscribed,
} from './push-subscriptions.global.repository.ts'

/** Subscribes to the messages of a connection's vendor. */
export const ADD_PUSH_SUBSCRIPTION = defineJob<{ environmentId: string; provider: string }>(
  'add_push_subscription',
)

/** Subscriptions expire at vendors; renewing a live one changes nothing. */
const RENEW_AFTER_MS = DAY_MS

/**
 * Returns the path to which vendors send their messages (docs/pulling.md#messages-of-providers).
 */
export const pushPath = (provider: string): string => `/v2/provider/${provider}/push`

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
  const { connectors, config, db, clock, log } = context
  const connector = connectors.find(provider)
  const app = await findApp(scope, context, provider)
  if (connector?.push === undefined || app === undefined) return
  const appKey = appKeyOf(provider, app)
  const { environment } = scope
  await putPushApp(db, { provider, app_key: appKey, environment_id: environment.id })
  const now = clock.now()
  const known = (await listPushApps(db, provider)).filter(({ app_key }) => app_key === appKey)
  const since = known.flatMap(({ subscribed_at: at }) => (at === null ? [] : [at.getTime()]))
  const last = Math.max(...since, 0)
  const address = connectors.addressOf(connector, environment)
  const callbackHost = callbackHostOf(config, address)
  if (connector.push.subscribe === undefined || callbackHost === undefined) return
  if (now.getTime() - last < RENEW_AFTER_MS) {
    await setAppSubscribed(db, provider, appKey, new Date(last))
    return
  }
  try {
    const callbackUrl = `${callbackHost}${pushPath(provider)}`
    await connector.push.subscribe(createSend(address), app, callbackUrl)
    await setAppSubscribed(db, provider, appKey, now)
  } catch (error) {
    await setAppSubscribed(db, provider, appKey, null)
    const kind = error instanceof VendorError ? error.failure.kind : 'unexpected'
    log.warn(
      { provider, reason: kind },
      'a vendor refused a push subscription; its data are polled',
    )
    if (kind === 'unavailable' || kind === 'rate_limited') throw error
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

import { createHmac } from 'node:crypto'
import { enterEnvironment } from '@salus/accounts/teams'
import { createCredentialStore, Secret } from '@salus/kernel/crypto/credential-store'
import { isEqualSecret } from '@salus/kernel/crypto/equal-secrets'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { findApp, type Push, type VendorApp } from '../../connectors/index.ts'
import { appKeyOf } from '../access/budgets.ts'
import type { PullingContext } from '../pulling-context.ts'
import { listPushApps, type PushSubscription } from './push-subscriptions.global.repository.ts'

/** An app to which a vendor sends messages. */
export interface PushApp {
  readonly appKey: string
  /** With the secrets of its subscription. */
  readonly app: VendorApp
}

/**
 * Returns the path to which a vendor sends the messages of an app
 * (docs/pulling.md#messages-of-providers).
 */
export function pushPath(
  secrets: SecretBox,
  { slug, push }: { slug: string; push?: Push },
  appKey: string,
): string {
  const path = `/v2/provider/${slug}/push`
  return isPlain(push) ? path : `${path}/${addressKeysOf(secrets, slug, appKey)[0]}`
}

/** Whether all apps of a vendor have one address, because signatures name the app. */
const isPlain = (push: Push | undefined): boolean =>
  push?.verify !== undefined && !push.hasSecretAddress

/**
 * Returns the part of an address that only the vendor knows; after the first one those from before
 * a rotation of the deployment's key.
 */
function addressKeysOf(secrets: SecretBox, slug: string, appKey: string): string[] {
  return secrets
    .deriveKeys('addresses of messages')
    .map((key) => createHmac('sha256', key).update(`${slug} ${appKey}`).digest('base64url'))
}

/** Whether a message of an app may arrive at an address. Compares in constant time. */
export function isAddressOf(
  secrets: SecretBox,
  { slug, push }: { slug: string; push: Push },
  appKey: string,
  addressKey: string | undefined,
): boolean {
  if (isPlain(push)) return addressKey === undefined
  const given = addressKey ?? ''
  return addressKeysOf(secrets, slug, appKey).some((key) => isEqualSecret(given, key))
}

/** Yields the apps that users are connected by, and the operator's. */
export async function* listMessagedApps(
  context: PullingContext,
  provider: string,
): AsyncGenerator<PushApp> {
  const rows = Map.groupBy(await listPushApps(context.db, provider), ({ app_key }) => app_key)
  for (const [appKey, ofApp] of rows) {
    const found = await findAppOf(context, ofApp)
    if (found !== undefined) yield { appKey, app: found }
  }
  // A vendor's console verifies the address before anyone is connected.
  const operators = context.operatorApps.get(provider)
  const app = operators && (JSON.parse(operators.reveal()) as VendorApp)
  if (app !== undefined && !rows.has(appKeyOf(provider, app))) {
    yield { appKey: appKeyOf(provider, app), app }
  }
}

/**
 * Returns the app of subscriptions, of the first environment that has it: this is done for each
 * message. Undefined when no team uses it any more.
 */
async function findAppOf(
  context: PullingContext,
  subscriptions: readonly PushSubscription[],
): Promise<VendorApp | undefined> {
  for (const { provider, app_key, environment_id } of subscriptions) {
    const scope = await enterEnvironment(context, environment_id)
    const app = scope && (await findApp(scope, context, provider))
    // The team may have changed its app.
    if (app === undefined || appKeyOf(provider, app) !== app_key) continue
    const secrets = await findSubscriptionSecrets(context, environment_id, provider)
    return secrets === undefined ? app : { ...app, secrets: { ...app.secrets, ...secrets } }
  }
  return undefined
}

const keyOf = (environmentId: string, provider: string) => ({
  environmentId,
  userId: null,
  name: `push:${provider}`,
})

/**
 * Finds the secrets that the vendor returned to a subscription. Every environment of an app has
 * them, so that one answers for all.
 */
export async function findSubscriptionSecrets(
  context: PullingContext,
  environmentId: string,
  provider: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const store = createCredentialStore(context.db, context)
  const found = await store.find(keyOf(environmentId, provider))
  return found && (JSON.parse(found.secret.reveal()) as Record<string, string>)
}

export async function storeSubscriptionSecrets(
  context: PullingContext,
  environmentId: string,
  provider: string,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  const store = createCredentialStore(context.db, context)
  await store.put(keyOf(environmentId, provider), new Secret(JSON.stringify(secrets)), null)
}

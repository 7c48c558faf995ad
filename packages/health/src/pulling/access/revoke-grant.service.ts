import { createCredentialStore } from '@salus/kernel/crypto/credential-store'
import { addJob, type JobAttempt } from '@salus/kernel/jobs/jobs'
import type { Scope } from '@salus/kernel/scope'
import { findConnection, REVOKE_GRANT } from '../../connections/index.ts'
import {
  findApp,
  isOAuthConnector,
  readCredential,
  revokeTokens,
  VendorError,
} from '../../connectors/index.ts'
import { stopPulling } from '../pull-tasks.repository.ts'
import type { PullingContext } from '../pulling-context.ts'
import { listEndedCredentials } from './ended-credentials.global.repository.ts'

/**
 * Revokes the grant of a removed connection at the vendor, and deletes its credential; a connection
 * that was made again meanwhile keeps its own. After the last attempt the credential is deleted
 * anyway.
 * @throws VendorError when a retry may help
 */
export async function revokeGrant(
  context: PullingContext,
  scope: Scope,
  { userId, provider }: { userId: string; provider: string },
  { isLast }: JobAttempt,
): Promise<void> {
  const { connectors, secrets } = context
  const { environment, clock } = scope
  const connector = connectors.find(provider)
  await scope.transaction((tx) => stopIfEnded(tx, userId, provider))
  if ((await findConnection(scope, userId, provider)) !== undefined) return
  const key = { environmentId: environment.id, userId, name: provider }
  const store = createCredentialStore(scope.db, { secrets, clock })
  const credential = await readCredential(store, key)
  if (credential === undefined) return
  if (connector !== undefined && isOAuthConnector(connector)) {
    const app = await findApp(scope, context, provider)
    const { region } = credential.tokens.extra ?? {}
    const address = connectors.addressOf(connector, environment, region)
    try {
      if (app !== undefined) await revokeTokens(connector, address, app, credential.tokens)
    } catch (error) {
      const isRetriable =
        error instanceof VendorError &&
        ['unavailable', 'rate_limited', 'unexpected'].includes(error.failure.kind)
      if (isRetriable && !isLast) throw error
    }
  }
  await scope.transaction(async (tx) => {
    // A new sign-in writes the connection first.
    if ((await findConnection(tx, userId, provider)) !== undefined) return
    await createCredentialStore(tx.db, { secrets, clock }).remove(key)
  })
}

async function stopIfEnded(
  tx: Parameters<typeof stopPulling>[0],
  userId: string,
  provider: string,
): Promise<void> {
  if ((await findConnection(tx, userId, provider)) === undefined) {
    await stopPulling(tx, { userId, provider })
  }
}

/** Revokes the grants of connections that ended otherwise, such as those of deleted users. */
export async function revokeEndedGrants({ db }: PullingContext): Promise<void> {
  for (const {
    environment_id: environmentId,
    user_id: userId,
    provider,
  } of await listEndedCredentials(db)) {
    const key = `revoke ${environmentId} ${userId} ${provider}`
    await addJob(db, REVOKE_GRANT, { environmentId, userId, provider }, { key })
  }
}

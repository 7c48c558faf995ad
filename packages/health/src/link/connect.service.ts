import { holdUserReference, type UserReference } from '@salus/accounts/users'
import { createCredentialStore } from '@salus/kernel/crypto/credential-store'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import {
  connectAccount,
  hasConnectionOf,
  isAccountOfOther,
  lockConnectionName,
  type ScopeTable,
} from '../connections/index.ts'
import { type Connector, type StoredCredential, writeCredential } from '../connectors/index.ts'
import { startPulling } from '../pulling/index.ts'
import type { LinkContext } from './link.context.ts'
import type { LinkAccess } from './link-authentication.ts'
import { LinkError } from './link-errors.registry.ts'
import { transitionLinkSession } from './link-sessions.repository.ts'
import { findScopeRequirement } from './team-settings/scope-requirements.repository.ts'

/** An account at a vendor that a user signed in to. */
export interface SignedIn {
  connector: Connector
  accountId: string
  credential: StoredCredential
  /** Scopes in the vendor's spelling; null where it has no scopes. */
  grantedScopes: readonly string[] | null
  /** Region of the vendor's service. */
  region: string | null
}

/**
 * Completes a sign-in: stores the connection, its credential, its pulls and the end of the session
 * in one transaction. Of two sign-ins with one token only one succeeds.
 * @throws LinkError
 */
export async function completeLinkSession(
  scope: Scope,
  context: LinkContext,
  { session }: LinkAccess,
  signedIn: SignedIn,
  baseUrl: string,
): Promise<void> {
  const { connector, grantedScopes } = signedIn
  await requireScopes(scope, connector, grantedScopes)
  await scope.transaction(async (tx) => {
    const changes = { started_provider: connector.slug, sealed: null }
    if (!(await transitionLinkSession(tx, session.id, 'connect', changes))) {
      throw new LinkError('token_consumed')
    }
    const user = await holdUserReference(tx, session.user_id)
    if (user === undefined) throw new LinkError('invalid_token')
    await createConnection(tx, context, user, signedIn, baseUrl)
  })
}

/**
 * Creates the connection with its credential, and starts its pulls.
 * @throws LinkError `duplicate_connection`; `invalid_token` for a demo user
 */
export async function createConnection(
  tx: TransactionScope,
  { secrets, scopesOf }: LinkContext,
  user: UserReference,
  { connector, accountId, credential, grantedScopes, region }: SignedIn,
  baseUrl: string,
): Promise<void> {
  const { slug } = connector
  await lockConnectionName(tx, user.id)
  if (await hasConnectionOf(tx, user.id, 'demo')) throw new LinkError('invalid_token')
  if (tx.environment.settings.reject_duplicate_connection) {
    await lockConnectionName(tx, `${slug} ${accountId}`)
    const isTaken = await isAccountOfOther(tx, user.id, slug, accountId)
    if (isTaken) throw new LinkError('duplicate_connection')
  }
  const { given } = credential
  const accountName = given !== undefined && 'username' in given ? given.username : null
  const account = { provider: slug, accountId, accountName, grantedScopes, region }
  const connection = await connectAccount(tx, user, account, { baseUrl, scopes: scopesOf(slug) })
  const store = createCredentialStore(tx.db, { secrets, clock: tx.clock })
  const key = { environmentId: tx.environment.id, userId: user.id, name: slug }
  await writeCredential(store, key, credential)
  await startPulling(tx, connection)
}

/**
 * Checks that the user granted what the team requires, and enough for at least one resource.
 * @throws LinkError `required_scopes_not_granted`
 */
export async function requireScopes(
  scope: Scope,
  { slug, scopes }: Connector,
  granted: readonly string[] | null,
): Promise<void> {
  if (granted === null) return
  const requirement = await findScopeRequirement(scope, slug)
  const isDenied = (name: string): boolean => !granted.includes(name)
  const isEmpty = scopes !== undefined && !hasSomeResource(scopes, granted)
  if (isEmpty || requirement?.user_must_grant.some(isDenied)) {
    throw new LinkError('required_scopes_not_granted')
  }
}

const hasSomeResource = (scopes: ScopeTable, granted: readonly string[]): boolean =>
  Object.values(scopes).some(({ required }) => required.every((name) => granted.includes(name)))

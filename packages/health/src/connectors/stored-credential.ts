import {
  type Credential,
  type CredentialKey,
  type CredentialStore,
  Secret,
} from '@salus/kernel/crypto/credential-store'
import type { PasswordGiven, VendorTokens } from './connector.ts'

/** A user's credential at a vendor. Stored sealed. */
export interface StoredCredential {
  readonly tokens: VendorTokens
  /** What the user entered, where the vendor requires it again when a session ends. */
  readonly given?: PasswordGiven | { readonly email: string; readonly region: string }
  /** Times of refusals of a password that the vendor may accept later, in epoch milliseconds. */
  readonly refusedAt?: readonly number[]
}

/** A stored credential, with what its replacement needs. */
export interface FoundCredential extends StoredCredential {
  readonly found: Credential
}

/**
 * Reads the credential of a user at a provider; the slug is the name of the key.
 * @throws Error when it was sealed with a key that is no longer configured
 */
export async function readCredential(
  store: Pick<CredentialStore, 'find'>,
  key: CredentialKey,
): Promise<FoundCredential | undefined> {
  const found = await store.find(key)
  if (found === undefined) return undefined
  return { ...(JSON.parse(found.secret.reveal()) as StoredCredential), found }
}

/** Stores a credential in place of an earlier one. */
export async function writeCredential(
  store: CredentialStore,
  key: CredentialKey,
  credential: StoredCredential,
): Promise<void> {
  await store.put(key, ...toSealed(credential))
}

/**
 * Replaces the credential that was read; returns false when another process was first, or it is
 * gone.
 */
export function replaceCredential(
  store: CredentialStore,
  key: CredentialKey,
  { found }: FoundCredential,
  next: StoredCredential,
): Promise<boolean> {
  return store.refresh(key, found, ...toSealed(next))
}

function toSealed({ tokens, given, refusedAt }: StoredCredential): [Secret, Date | null] {
  const { expiresAt } = tokens
  const secret = new Secret(JSON.stringify({ tokens, given, refusedAt }))
  return [secret, expiresAt === null ? null : new Date(expiresAt)]
}

import {
  type Credential,
  type CredentialKey,
  type CredentialStore,
  Secret,
} from '@salus/kernel/crypto/credential-store'
import type { PasswordGiven, VendorTokens } from './connector.ts'

/** What is kept, sealed, of a person's sign-in with a vendor. */
export interface StoredCredential {
  readonly tokens: VendorTokens
  /** What the person typed in, where the vendor asks for it again when a session ends. */
  readonly given?: PasswordGiven | { readonly email: string; readonly region: string }
}

/** A stored credential as it was found, with what replacing it needs. */
export interface FoundCredential extends StoredCredential {
  readonly found: Credential
}

/**
 * The credential of a person with a provider, whose slug is the name of the key.
 * @throws Error when it was sealed with a key that is not given any more
 */
export async function readCredential(
  store: CredentialStore,
  key: CredentialKey,
): Promise<FoundCredential | undefined> {
  const found = await store.find(key)
  if (found === undefined) return undefined
  return { ...(JSON.parse(found.secret.reveal()) as StoredCredential), found }
}

/** Keeps a credential, in place of an earlier one. */
export async function writeCredential(
  store: CredentialStore,
  key: CredentialKey,
  credential: StoredCredential,
): Promise<void> {
  await store.put(key, ...sealable(credential))
}

/** Replaces the credential that was read; false when another process was first, or it is gone. */
export function replaceCredential(
  store: CredentialStore,
  key: CredentialKey,
  { found }: FoundCredential,
  next: StoredCredential,
): Promise<boolean> {
  return store.refresh(key, found, ...sealable(next))
}

function sealable({ tokens, given }: StoredCredential): [Secret, Date | null] {
  const { expiresAt } = tokens
  const secret = new Secret(JSON.stringify({ tokens, given }))
  return [secret, expiresAt === null ? null : new Date(expiresAt)]
}

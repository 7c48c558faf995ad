import { isIP } from 'node:net'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { hashKey } from '@salus/kernel/crypto/keys'
import { badRequest, conflict } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import * as repository from './factors.global.repository.ts'

/** Time that a user may take with the authenticator. */
const CHALLENGE_MINUTES = 5

/** Ed25519, ES256 and RS256, which all browsers and authenticators know at least one of. */
const ALGORITHMS = [-8, -7, -257]

interface Stores {
  db: Db
  clock: Clock
}

/** Where the console is opened; passkeys belong to its host. */
export interface RelyingParty {
  id: string
  origin: string
}

/** Whether browsers know passkeys at an address: not by an IP address. */
export const hasPasskeys = (serverUrl: string): boolean =>
  isIP(new URL(serverUrl).hostname.replace(/^\[|\]$/g, '')) === 0

/**
 * Returns the party of passkeys at a public address.
 * @throws AppError 400 `passkeys_unavailable` where browsers know none: by an IP address
 */
export function relyingPartyOf(serverUrl: string): RelyingParty {
  const { hostname, origin } = new URL(serverUrl)
  if (hasPasskeys(serverUrl)) return { id: hostname, origin }
  throw badRequest('passkeys_unavailable', 'Passkeys need a host name instead of an IP address.')
}

async function storeChallenge({ db, clock }: Stores, challenge: string, userId: string | null) {
  const now = clock.now()
  const expires_at = new Date(now.getTime() + CHALLENGE_MINUTES * MINUTE_MS)
  const row = { challenge_hash: hashKey(challenge), organization_user_id: userId, expires_at }
  await repository.insertChallenge(db, row, now)
}

const takesChallenge =
  ({ db, clock }: Stores, userId: string | null) =>
  (challenge: string) =>
    repository.takeChallenge(db, hashKey(challenge), userId, clock.now())

/** Returns what the browser needs to create a passkey for a user. */
export async function beginRegistration(
  stores: Stores,
  user: { id: string; email: string; name: string },
  party: RelyingParty,
) {
  const known = await repository.listPasskeys(stores.db, user.id)
  const options = await generateRegistrationOptions({
    rpName: 'Salus',
    rpID: party.id,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(user.id),
    timeout: CHALLENGE_MINUTES * MINUTE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await storeChallenge(stores, options.challenge, user.id)
  return options
}

const INVALID = 'The answer of the authenticator is not valid. Try again.'

/** A library error says in words why an answer is not valid, which is of no use to the caller. */
async function refuseErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch {
    throw badRequest('invalid_passkey', INVALID)
  }
}

/**
 * Stores the passkey that a browser created.
 * @throws AppError 400 `invalid_passkey`, 409 `passkey_exists`
 */
export async function finishRegistration(
  stores: Stores,
  user: { id: string },
  party: RelyingParty,
  { name, response }: { name: string; response: RegistrationResponseJSON },
): Promise<repository.PasskeyRow> {
  const { registrationInfo } = await refuseErrors(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: takesChallenge(stores, user.id),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (registrationInfo === undefined) throw badRequest('invalid_passkey', INVALID)
  const { credential } = registrationInfo
  const passkey: repository.PasskeyRow = {
    id: newId(),
    credential_id: credential.id,
    organization_user_id: user.id,
    name,
    public_key: Buffer.from(credential.publicKey),
    sign_count: String(credential.counter),
    transports: credential.transports ?? [],
    created_at: stores.clock.now(),
    last_used_at: null,
  }
  if (await repository.insertPasskey(stores.db, passkey)) return passkey
  throw conflict('passkey_exists', 'This passkey is stored already.')
}

/** Returns what the browser needs to sign in with any passkey of this console. */
export async function beginPasskeySignIn(stores: Stores, party: RelyingParty) {
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    timeout: CHALLENGE_MINUTES * MINUTE_MS,
    userVerification: 'required',
  })
  await storeChallenge(stores, options.challenge, null)
  return options
}

/**
 * Returns the user whose passkey signed a challenge.
 * @throws AppError 400 `invalid_passkey`
 */
export async function findUserByPasskey(
  stores: Stores,
  party: RelyingParty,
  response: AuthenticationResponseJSON,
): Promise<{ organizationId: string; userId: string }> {
  const passkey = await repository.findPasskey(stores.db, response.id)
  if (passkey === undefined) throw badRequest('invalid_passkey', INVALID)
  const { verified, authenticationInfo } = await refuseErrors(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: takesChallenge(stores, null),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.sign_count),
        transports: passkey.transports,
      },
    }),
  )
  if (!verified) throw badRequest('invalid_passkey', INVALID)
  const { newCounter } = authenticationInfo
  await repository.setPasskeyUsed(stores.db, passkey.id, newCounter, stores.clock.now())
  return { organizationId: passkey.organization_id, userId: passkey.organization_user_id }
}

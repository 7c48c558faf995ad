import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { createCredentialStore } from '@salus/kernel/crypto/credential-store'
import {
  createSignInSend,
  type FoundCredential,
  missingSettings,
  type PasswordGiven,
  type PasswordSignIn,
  replaceCredential,
  type VendorApp,
  VendorError,
  type VendorTokens,
  withSettings,
} from '../../connectors/index.ts'
import { type Account, credentialKey, type PullingContext } from '../pulling-context.ts'
import { returnBucketToken, takeBucketTokens } from './budgets.global.repository.ts'
import { BudgetSpent, bucketSizeOf } from './budgets.ts'

/** Time until the next look at a used up number of sign-ins. */
const LOOK_AGAIN_MS = HOUR_MS

/**
 * Renews the session of a user at a provider by password, within the connector's rules: the number
 * of sign-ins of a day, and the refusals of the password that end a connection.
 * @throws VendorError, BudgetSpent
 */
export async function renewPasswordSession(
  context: PullingContext,
  account: Account,
  auth: PasswordSignIn,
  credential: FoundCredential,
  app: VendorApp | undefined,
): Promise<VendorTokens> {
  const { connector, environment } = account
  const { slug } = connector
  const { tokens, given, refusedAt = [] } = credential
  const now = context.clock.now().getTime()
  if (auth.renewal === 'by_person' && tokens.refreshToken === null) {
    throw new VendorError(slug, { kind: 'ended', errorType: 'token_refresh_failed' })
  }
  // Without the operator's settings no request is possible; the user's password is still good.
  const isConfigured = missingSettings(connector, app).length === 0
  if (!isConfigured || now < nextTryAt(auth, refusedAt)) {
    throw new VendorError(slug, { kind: 'unavailable' })
  }
  const region = tokens.extra?.region
  const send = createSignInSend(
    connector,
    context.connectors.addressOf(connector, environment, region),
  )
  const signInContext = { app: withSettings(connector, app), now }
  try {
    const renewed = await withinDay(context, account, auth, () =>
      auth.renew(send, tokens, given as PasswordGiven, signInContext),
    )
    return region === undefined ? renewed : { ...renewed, extra: { region, ...renewed.extra } }
  } catch (error) {
    const isRefused =
      error instanceof VendorError &&
      error.failure.kind === 'ended' &&
      error.failure.errorType === 'provider_credential_error'
    const refusals = [...refusedAt, now]
    if (!isRefused || refusals.length >= (auth.refusalsToEnd ?? 1)) throw error
    const store = createCredentialStore(context.db, context)
    const refused = { tokens, refusedAt: refusals, ...(given !== undefined && { given }) }
    await replaceCredential(store, credentialKey(account), credential, refused)
    throw new VendorError(slug, { kind: 'unavailable' })
  }
}

/** Returns when a refused password is tried again, so that all tries are spread over a day. */
function nextTryAt({ refusalsToEnd = 1 }: PasswordSignIn, refusedAt: readonly number[]): number {
  const last = refusedAt.at(-1)
  return last === undefined ? 0 : last + DAY_MS / Math.max(1, refusalsToEnd - 1)
}

/** Counts a sign-in that the vendor answered. @throws BudgetSpent */
async function withinDay<Result>(
  { db, clock }: PullingContext,
  { connector, environment, userId }: Account,
  { renewal }: PasswordSignIn,
  work: () => Promise<Result>,
): Promise<Result> {
  if (typeof renewal !== 'object') return work()
  const size = bucketSizeOf({ requests: renewal.mostPerDay, seconds: DAY_MS / 1000 })
  const bucket = `${connector.slug} ${environment.kind} sign-ins of ${userId}`
  const now = clock.now()
  const { taken } = await takeBucketTokens(db, bucket, size, { wanted: 1, now })
  if (taken < 1) throw new BudgetSpent(now.getTime() + LOOK_AGAIN_MS, true)
  return work().catch(async (error: unknown) => {
    const isAnswered = !(error instanceof VendorError) || error.failure.kind !== 'unavailable'
    if (!isAnswered) await returnBucketToken(db, bucket, size)
    throw error
  })
}

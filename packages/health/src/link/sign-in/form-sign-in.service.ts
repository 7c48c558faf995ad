import type { Scope } from '@salus/kernel/scope'
import type { SignInKind, SignIns } from '@salus/kernel/sign-in/sign-ins'
import {
  type Connector,
  createSend,
  createSignInSend,
  findApp,
  missingSettings,
  type PasswordGiven,
  regionHosts,
  regionNames,
  type Send,
  type SignInContext,
  type SignInOutcome,
  type StoredCredential,
  withSettings,
} from '../../connectors/index.ts'
import { notConfigured, requireAvailable } from '../available-providers.ts'
import { completeLinkSession } from '../connect.service.ts'
import type { LinkContext } from '../link.context.ts'
import { MOST_MFA_TRIES } from '../link.machine.ts'
import type { EmailBody, PasswordBody } from '../link.schema.ts'
import { startLinkSession } from '../link.service.ts'
import type { LinkAccess } from '../link-authentication.ts'
import { LinkError, type LinkErrorType } from '../link-errors.registry.ts'
import { consumeMfaTry, restoreMfaTry, transitionLinkSession } from '../link-sessions.repository.ts'
import { openStep, sealStep } from './sealed-step.ts'
import { callVendor } from './vendor-failure.ts'

/** Outcome of a form step without an error. */
export type FormOutcome =
  | { state: 'success'; accountId: string }
  | { state: 'pending_provider_mfa'; method: string; hint: string }

interface Attempt {
  provider: string
  baseUrl: string
  signIns: SignIns
}

/**
 * Maximum number of refusals of a vendor in an hour, for one link session and for one user name.
 */
const MOST_REFUSED = 10

/**
 * Sends what a user typed to a vendor, unless too many refusals precede it, so that Salus cannot be
 * used to guess passwords. Other failures are not counted.
 * @throws RateLimitError 429
 */
async function callVendorWithinLimits(
  { environment }: Scope,
  { session }: LinkAccess,
  { provider, signIns }: Attempt,
  { kind, name }: { kind: SignInKind; name: string },
  callVendorOnce: () => Promise<SignInOutcome>,
): Promise<SignInOutcome> {
  const account = JSON.stringify([environment.id, provider, name.trim().toLowerCase()])
  const limit = { most: MOST_REFUSED, minutes: 60 }
  const takeBack = await signIns.begin([
    { ...limit, of: `link session ${session.id}` },
    { ...limit, of: `account ${account}` },
  ])
  let isRefused = false
  try {
    const outcome = await callVendorOnce()
    isRefused = outcome.state === 'refused' && IS_GUESS.has(outcome.reason)
    return outcome
  } finally {
    if (isRefused) signIns.note(kind)
    else await takeBack()
  }
}

type Refusal = Extract<SignInOutcome, { state: 'refused' }>['reason']

const ERRORS: Record<Refusal, LinkErrorType> = {
  wrong_credential: 'provider_credential_error',
  password_expired: 'provider_password_expired',
  unsupported_region: 'unsupported_region',
  wrong_code: 'incorrect_mfa_code',
  consent_needed: 'provider_consent_needed',
  nothing_shared: 'provider_nothing_shared',
  blocked: 'provider_blocked',
}

/** Refusals that say whether a guess was right. */
const IS_GUESS = new Set<Refusal>(['wrong_credential', 'password_expired', 'wrong_code'])

/**
 * Signs in with the user's password.
 * @throws AppError 400 `provider_not_configured`; LinkError
 */
export async function signInWithPassword(
  scope: Scope,
  context: LinkContext,
  access: LinkAccess,
  attempt: Attempt,
  { username, password, region = null }: PasswordBody,
): Promise<FormOutcome> {
  const { connector, auth } = getFormConnector(scope, context, attempt, 'password')
  const signInContext = await signInContextOf(scope, context, connector)
  await startLinkSession(scope, access, connector.slug)
  const regions = regionNames(auth)
  const hasRegions = regions.length > 0
  if (region !== null && hasRegions && !regions.includes(region)) {
    throw new LinkError('unsupported_region')
  }
  const given = { username, password, region: hasRegions ? region : null }
  const send = sendOf(scope, context, connector, given)
  const typed = { kind: 'link_password', name: username } as const
  const outcome = await callVendorWithinLimits(scope, access, attempt, typed, () =>
    callVendor(scope, () => auth.signIn(send, given, signInContext)),
  )
  return applySignInOutcome(scope, context, access, { ...attempt, connector, given, outcome })
}

/** Signs in with the code that the vendor sent. @throws LinkError */
export async function completeMfa(
  scope: Scope,
  context: LinkContext,
  access: LinkAccess,
  attempt: Attempt,
  code: string,
): Promise<FormOutcome> {
  const { session } = access
  const step = openStep(context.secrets, session, 'mfa')
  const isPending = session.state === 'pending_provider_mfa'
  if (!isPending || session.started_provider !== attempt.provider || step === undefined) {
    throw new LinkError('token_not_validated')
  }
  const { connector, auth } = getFormConnector(scope, context, attempt, 'password')
  const signInContext = await signInContextOf(scope, context, connector)
  const { completeMfa } = auth
  if (completeMfa === undefined) throw new LinkError('token_not_validated')
  const tries = await consumeMfaTry(scope, session.id)
  if (tries === undefined) throw new LinkError('token_not_validated')
  const { given, challenge } = step
  const send = sendOf(scope, context, connector, given)
  const typed = { kind: 'link_code', name: given.username } as const
  const outcome = await callVendorWithinLimits(scope, access, attempt, typed, () =>
    callVendor(scope, () => completeMfa(send, challenge, code, signInContext)),
  ).catch(async (error) => {
    await restoreMfaTry(scope, session.id)
    throw error
  })
  const isWrong = outcome.state === 'refused' && outcome.reason === 'wrong_code'
  if (isWrong && tries < MOST_MFA_TRIES) {
    if (outcome.challenge !== undefined) {
      const next = { ...step, challenge: outcome.challenge }
      const sealed = sealStep(context.secrets, session.id, next)
      await scope.transaction((tx) =>
        transitionLinkSession(tx, session.id, 'askForCode', { sealed }),
      )
    }
    throw new LinkError('incorrect_mfa_code')
  }
  if (outcome.state === 'refused') {
    await scope.transaction((tx) =>
      transitionLinkSession(tx, session.id, 'giveUpCode', { sealed: null }),
    )
  }
  if (isWrong) throw new LinkError('provider_credential_error')
  return applySignInOutcome(scope, context, access, { ...attempt, connector, given, outcome })
}

/**
 * Signs in with the user's email address.
 * @throws AppError 400 `provider_not_configured`; LinkError
 */
export async function signInByEmail(
  scope: Scope,
  context: LinkContext,
  access: LinkAccess,
  attempt: Attempt,
  { email, region: wanted }: EmailBody,
): Promise<FormOutcome> {
  const { connector, auth } = getFormConnector(scope, context, attempt, 'email')
  const send = createSend(context.connectors.addressOf(connector, scope.environment))
  const app = await findApp(scope, context, connector.slug)
  if (app === undefined) throw notConfigured()
  await startLinkSession(scope, access, connector.slug)
  const { default: usual, served } = auth.regions[scope.environment.region === 'eu' ? 'eu' : 'us']
  const region = wanted ?? usual
  if (!served.includes(region)) throw new LinkError('unsupported_region')
  const given = { email, region }
  const typed = { kind: 'link_password', name: email } as const
  const outcome = await callVendorWithinLimits(scope, access, attempt, typed, () =>
    callVendor(scope, () => auth.invite(send, { ...given, app })),
  )
  return applySignInOutcome(scope, context, access, { ...attempt, connector, given, outcome })
}

/**
 * Returns the connector of the attempt, if it has this kind of sign-in.
 * @throws AppError 400 `provider_not_available`; LinkError
 */
function getFormConnector<Kind extends 'password' | 'email'>(
  { environment }: Scope,
  context: LinkContext,
  { provider }: Attempt,
  kind: Kind,
): { connector: Connector; auth: Extract<Connector['auth'], { kind: Kind }> } {
  requireAvailable({ environment }, context, provider)
  const { connectors } = context
  const connector = connectors.find(provider)
  if (connector?.auth.kind !== kind) throw new LinkError('provider_api_error')
  const auth = connector.auth as Extract<Connector['auth'], { kind: Kind }>
  return { connector, auth }
}

/** @throws AppError 400 `provider_not_configured` without the operator's settings */
async function signInContextOf(
  scope: Scope,
  context: LinkContext,
  connector: Connector,
): Promise<SignInContext> {
  const app = await findApp(scope, context, connector.slug)
  if (missingSettings(connector, app).length > 0) throw notConfigured()
  return { app: withSettings(connector, app), now: scope.clock.now().getTime() }
}

/** Returns the region whose hosts a connector declares; undefined for other regions. */
function hostRegionOf({ auth }: Connector, region: string | null): string | undefined {
  const chosen = region ?? regionNames(auth)[0]
  return chosen !== undefined && regionHosts(auth, chosen) !== undefined ? chosen : undefined
}

function sendOf(
  { environment }: Scope,
  { connectors }: LinkContext,
  connector: Connector,
  { region }: PasswordGiven,
): Send {
  const known = hostRegionOf(connector, region)
  return createSignInSend(connector, connectors.addressOf(connector, environment, known))
}

/** A password that is never sent again is not kept. */
function keptOf({ auth }: Connector, given: VendorAnswer['given']): VendorAnswer['given'] {
  const isKept = auth.kind !== 'password' || auth.renewal !== 'by_person'
  return isKept || !('password' in given) ? given : { ...given, password: '' }
}

interface VendorAnswer extends Attempt {
  connector: Connector
  given: NonNullable<StoredCredential['given']>
  outcome: SignInOutcome
}

/**
 * Applies the vendor's outcome: completes the sign-in, or stores the challenge. @throws LinkError
 */
async function applySignInOutcome(
  scope: Scope,
  context: LinkContext,
  access: LinkAccess,
  { connector, given, outcome, baseUrl }: VendorAnswer,
): Promise<FormOutcome> {
  const { id } = access.session
  if (outcome.state === 'refused') throw new LinkError(ERRORS[outcome.reason])
  if (outcome.state === 'code_needed') {
    const { challenge, method, hint } = outcome
    const step = { kind: 'mfa', challenge, given: given as PasswordGiven } as const
    const sealed = sealStep(context.secrets, id, step)
    const isAsked = await scope.transaction((tx) =>
      transitionLinkSession(tx, id, 'askForCode', { sealed }),
    )
    if (!isAsked) throw new LinkError('token_consumed')
    return { state: 'pending_provider_mfa', method, hint }
  }
  const { accountId } = outcome
  const { region } = given
  const hostRegion = hostRegionOf(connector, region)
  const extra = hostRegion && { extra: { region: hostRegion, ...outcome.tokens.extra } }
  const tokens = { ...outcome.tokens, ...extra }
  const credential = { tokens, given: keptOf(connector, given) }
  const signedIn = { connector, accountId, credential, grantedScopes: null, region }
  await completeLinkSession(scope, context, access, signedIn, baseUrl)
  return { state: 'success', accountId }
}

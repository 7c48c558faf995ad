import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type {
  PasswordGiven,
  PasswordSignIn,
  SignInContext,
  SignInOutcome,
  SignInRefusal,
} from '../connector.ts'
import { renewedTokens } from '../renewed-tokens.ts'
import { readJson, type Send, VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { SLUG } from './dexcom-share.mapper.ts'

export const SERVICES = '/ShareWebServices/Services'
/** The service answers this in place of an id when it refuses a sign-in. */
const NO_ID = /^[0-]+$/
const ID = /^[0-9a-f-]{20,64}$/i

/** Hosts of the regions; accounts of all other countries are those of `eu`, as for dexcom_v3. */
export const REGIONS = {
  us: { api: 'https://share2.dexcom.com' },
  eu: { api: 'https://shareous1.dexcom.com' },
  jp: { api: 'https://share.dexcom.jp' },
} as const

/** What the codes of the vendor's errors mean in a sign-in. They have the status 500. */
const REFUSALS: Readonly<Record<string, SignInRefusal>> = {
  AccountPasswordInvalid: 'wrong_credential',
  SSO_AuthenticateAccountNotFound: 'wrong_credential',
  SSO_AuthenticatePasswordInvalid: 'wrong_credential',
  SSO_AuthenticateMaxAttemptsExceeded: 'blocked',
}
const CANNOT_AUTHENTICATE = /cannot authenticate/i

/** Returns the error in an answer; undefined where there is none. */
export function errorOf(answer: OutboundAnswer): { code: string; message: string } | undefined {
  if (answer.status < 400) return undefined
  try {
    const body = answer.json()
    if (!isFields(body) || typeof body.Code !== 'string') return undefined
    return { code: body.Code, message: typeof body.Message === 'string' ? body.Message : '' }
  } catch {
    return undefined
  }
}

function refusalOf(answer: OutboundAnswer): SignInRefusal | undefined {
  const { code, message } = errorOf(answer) ?? { code: '', message: '' }
  const isUnknown = code === 'SSO_InternalError' && CANNOT_AUTHENTICATE.test(message)
  return isUnknown ? 'wrong_credential' : REFUSALS[code]
}

/** Sends a step of the sign-in. @returns the id that it answers, or why it is refused */
async function requestId(
  send: Send,
  method: string,
  json: object,
): Promise<{ id: string } | { reason: SignInRefusal }> {
  const path = `${SERVICES}/General/${method}`
  const answer = await send({ method: 'POST', path, json })
  const reason = refusalOf(answer)
  if (reason !== undefined) return { reason }
  const id = readJson(SLUG, answer)
  if (typeof id !== 'string') throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  if (NO_ID.test(id)) return { reason: 'wrong_credential' }
  if (!ID.test(id)) throw new VendorError(SLUG, { kind: 'unexpected', status: null })
  return { id }
}

const applicationIdOf = ({ app }: SignInContext, region: string | null): string =>
  app.settings[region === 'jp' ? 'application_id_jp' : 'application_id'] ?? ''

async function openSession(
  send: Send,
  accountId: string,
  { password, region }: PasswordGiven,
  context: SignInContext,
): Promise<SignInOutcome> {
  const applicationId = applicationIdOf(context, region)
  const json = { accountId, password, applicationId }
  const session = await requestId(send, 'LoginPublisherAccountById', json)
  if ('reason' in session) return { state: 'refused', reason: session.reason }
  return {
    state: 'signed_in',
    accountId,
    // The vendor does not say how long a session lasts: some hours to a day.
    tokens: {
      accessToken: session.id,
      refreshToken: null,
      expiresAt: null,
      extra: { accountId },
    },
  }
}

/** Sessions of Dexcom Share, opened with the account of the person who wears the sensor. */
export const DEXCOM_SHARE_SIGN_IN: PasswordSignIn = {
  kind: 'password',
  regions: REGIONS,
  regionOfOthers: 'eu',
  async signIn(send, given, context) {
    const { username: accountName, password, region } = given
    const applicationId = applicationIdOf(context, region)
    const json = { accountName, password, applicationId }
    const account = await requestId(send, 'AuthenticatePublisherAccount', json)
    if ('reason' in account) return { state: 'refused', reason: account.reason }
    return openSession(send, account.id, given, context)
  },
  async renew(send, { extra }, given, context) {
    const accountId = extra?.accountId
    const outcome =
      accountId === undefined
        ? await DEXCOM_SHARE_SIGN_IN.signIn(send, given, context)
        : await openSession(send, accountId, given, context)
    return renewedTokens(SLUG, outcome)
  },
  // An account is locked after few tries, and no session lasts less than some hours.
  renewal: { mostPerDay: 12 },
}

import type { PasswordSignIn } from '../connector.ts'
import { failureOfStatus, VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import {
  contentOf,
  encrypt,
  failureOfData,
  PLATFORM_FIELDS,
  problemOf,
  SLUG,
} from './renpho-envelope.ts'

/** Kinds of scales that the app knows, in hexadecimal. */
const DEVICE_TYPES = Array.from({ length: 20 }, (_, index) =>
  (index + 1).toString(16).padStart(2, '0').toUpperCase(),
)

/** The text says what is wrong: the codes are not published. */
const WRONG = /password|account|email|e-mail|user|not exist|register/i

const signIn: PasswordSignIn['signIn'] = async (send, { username, password }, { app }) => {
  const { encryption_key: key, app_version: appRevision } = app.settings
  const login = {
    email: username,
    password,
    areaCode: 'US',
    appRevision,
    cellphoneType: 'Salus',
    ...PLATFORM_FIELDS,
  }
  const answer = await send({
    method: 'POST',
    path: '/renpho-aggregation/user/login',
    json: encrypt(key, {
      questionnaire: {},
      login,
      bindingList: { deviceTypes: DEVICE_TYPES },
    }),
  })
  const failure = failureOfStatus(answer) ?? failureOfData(answer)
  if (failure?.kind === 'unavailable' || failure?.kind === 'rate_limited') {
    throw new VendorError(SLUG, failure)
  }
  const problem = problemOf(answer)
  const isWrong = problem && (/^500\d\d$/.test(problem.code) || WRONG.test(problem.text))
  if (isWrong) return { state: 'refused', reason: 'wrong_credential' }
  if (failure !== undefined) {
    throw new VendorError(SLUG, { kind: 'unexpected', status: answer.status })
  }
  const content = contentOf(answer.bytes(), key)
  const { token, id } = isFields(content) && isFields(content.login) ? content.login : {}
  const isId = (typeof id === 'string' && id !== '') || Number.isSafeInteger(id)
  if (typeof token !== 'string' || token === '' || !isId) {
    throw new VendorError(SLUG, { kind: 'unexpected', status: answer.status })
  }
  const accountId = String(id)
  // The vendor does not say how long a session lasts, and has no refresh.
  const tokens = { accessToken: token, refreshToken: null, expiresAt: null }
  return { state: 'signed_in', tokens: { ...tokens, extra: { userId: accountId } }, accountId }
}

/**
 * Signing in ends the session of the person's own app, whose scale then uploads nothing: only the
 * person may do it.
 */
export const RENPHO_SIGN_IN: PasswordSignIn = {
  kind: 'password',
  signIn,
  renew: () =>
    Promise.reject(new VendorError(SLUG, { kind: 'ended', errorType: 'token_refresh_failed' })),
  renewal: 'by_person',
}

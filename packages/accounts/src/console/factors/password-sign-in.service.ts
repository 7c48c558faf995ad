import { AppError, badRequest, unauthorized } from '@salus/kernel/errors'
import type { GuessLimit, SignIns } from '@salus/kernel/sign-in/sign-ins'
import {
  type ListedUserRow,
  listUsersByEmail,
} from '../users/organization-users.global.repository.ts'
import type { KnownDevice } from './device-cookie.ts'
import { isPassword } from './passwords.ts'
import { type FactorContext, requireSecondFactor } from './second-factor.service.ts'

/** What a user gives who signs in with a password. */
export interface PasswordGiven {
  email: string
  password: string
  /** Code of the authenticator app, or a recovery code. */
  second_factor_code?: string
  /** Where one e-mail address and password belong to users of several organizations. */
  organization_id?: string
}

/** Who asks, for the limits of guesses. */
export interface Asker {
  signIns: Pick<SignIns, 'begin'>
  network: string | undefined
  device: KnownDevice | undefined
}

/** Guesses of one browser, or of one network, at the password of one account. */
const GUESSES = { most: 10, minutes: 15 }
/** Guesses of all networks at one account. Browsers that the user signed in with do not count. */
const GUESSES_OF_STRANGERS = { most: 50, minutes: 60 }
/** Guesses at the second factor, by those who have the password. */
const GUESSES_OF_FACTOR = { most: 10, minutes: 60 }

/** Limits are by e-mail address, of a user or of none, so that they do not show which it is. */
function limitsOf(email: string, candidates: readonly ListedUserRow[], asker: Asker): GuessLimit[] {
  const { device, network } = asker
  if (device !== undefined && candidates.some(({ id }) => id === device.userId)) {
    return [{ of: `console device ${device.deviceId}`, ...GUESSES }]
  }
  const ofAll = { of: `console password ${email}`, ...GUESSES_OF_STRANGERS }
  if (network === undefined) return [ofAll]
  return [{ of: `console password ${email} ${network}`, ...GUESSES }, ofAll]
}

/**
 * Returns the active user whom e-mail address and password prove, with a second factor if the user
 * has one. An unknown address, a wrong password and a suspended user are not distinguishable, also
 * not by time.
 * @throws AppError 400 `organization_required`, 401 `invalid_credentials`,
 *   `second_factor_required`, `invalid_second_factor`, 429
 */
export async function findUserByPassword(
  context: FactorContext,
  given: PasswordGiven,
  asker: Asker,
): Promise<{ user: ListedUserRow; hasSecondFactor: boolean }> {
  const email = given.email.toLowerCase()
  const candidates = await listUsersByEmail(context.db, email, given.organization_id)
  const takeBack = await asker.signIns.begin(limitsOf(email, candidates, asker))
  const hashes = candidates.length === 0 ? [null] : candidates.map((row) => row.password_hash)
  const results = await Promise.all(hashes.map((hash) => isPassword(given.password, hash)))
  const proven = candidates.filter(({ status }, index) => results[index] && status === 'active')
  const [user] = proven
  if (user === undefined) {
    throw unauthorized('invalid_credentials', 'The e-mail address or the password is not right.')
  }
  await takeBack()
  if (proven.length > 1) {
    throw badRequest('organization_required', 'Name the organization to sign in to.', {
      organizations: proven.map((row) => ({
        id: row.organization_id,
        name: row.organization_name,
      })),
    })
  }
  const hasSecondFactor = await checkSecondFactor(context, user, given.second_factor_code, asker)
  return { user, hasSecondFactor }
}

/** Whether the user has a second factor, which the code then proves. */
async function checkSecondFactor(
  context: FactorContext,
  user: ListedUserRow,
  code: string | undefined,
  { signIns }: Asker,
): Promise<boolean> {
  const methods = [
    ...(user.totp_confirmed_at === null ? [] : ['totp']),
    ...(user.passkeys === 0 ? [] : ['passkey']),
  ]
  if (methods.length === 0) return false
  if (code === undefined) {
    const message = 'The user has a second factor: give its code, or sign in with the passkey.'
    throw new AppError(401, 'second_factor_required', message, { methods })
  }
  const takeBack = await signIns.begin([{ of: `console factor ${user.id}`, ...GUESSES_OF_FACTOR }])
  await requireSecondFactor(context, user, code)
  await takeBack()
  return true
}

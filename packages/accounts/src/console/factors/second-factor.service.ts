import { randomBytes } from 'node:crypto'
import { hashKey } from '@salus/kernel/crypto/keys'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { badRequest, unauthorized } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import {
  type OrganizationUserRow,
  updateUser,
  useTotpStep,
} from '../users/organization-users.global.repository.ts'
import * as repository from './factors.global.repository.ts'
import { findTotpStep, makeTotpSecret, toBase32, totpUri } from './totp.ts'

const RECOVERY_CODES = 10
/** 80 random bits, too many to find them from a hash. */
const RECOVERY_BYTES = 10

export interface FactorContext {
  db: Db
  clock: Clock
  secrets: SecretBox
}

type TotpUser = Pick<OrganizationUserRow, 'id' | 'email' | 'totp_secret' | 'totp_confirmed_at'>

/** Stores the secret of a new authenticator app, which counts after its first code. */
export async function beginTotp(
  { db, secrets }: FactorContext,
  user: TotpUser,
): Promise<{ secret: string; uri: string }> {
  if (user.totp_confirmed_at !== null) {
    throw badRequest('totp_exists', 'Remove the present authenticator app first.')
  }
  const secret = makeTotpSecret()
  const sealed = secrets.seal(secret, repository.totpContextOf(user.id))
  await updateUser(db, user.id, { totp_secret: sealed })
  return { secret, uri: totpUri(secret, user.email) }
}

/**
 * Requires codes of the new authenticator app from now on.
 * @returns recovery codes, which are stored only as hashes
 * @throws AppError 400 `invalid_totp_code`
 */
export async function confirmTotp(
  context: FactorContext,
  user: TotpUser,
  code: string,
): Promise<string[]> {
  if (user.totp_confirmed_at !== null || !(await useTotpCode(context, user, code))) {
    throw badRequest('invalid_totp_code', 'The code is not valid now, or was used.')
  }
  await updateUser(context.db, user.id, { totp_confirmed_at: context.clock.now() })
  return storeRecoveryCodes(context.db, user.id)
}

/**
 * Replaces the recovery codes of a user.
 * @throws AppError 400 `totp_required` without an authenticator app, for which they stand in
 */
export async function makeRecoveryCodes(db: Db, user: TotpUser): Promise<string[]> {
  if (user.totp_confirmed_at !== null) return storeRecoveryCodes(db, user.id)
  throw badRequest('totp_required', 'Set up an authenticator app first.')
}

async function storeRecoveryCodes(db: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const text = toBase32(randomBytes(RECOVERY_BYTES))
    return (text.match(/.{4}/g) ?? []).join('-')
  })
  const hashes = codes.map((code) => hashRecoveryCode(code))
  await repository.replaceRecoveryCodes(db, userId, hashes)
  return codes
}

const hashRecoveryCode = (code: string): Buffer =>
  hashKey(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''))

/** Whether a code of the authenticator app is valid; each is valid once. */
async function useTotpCode(
  { db, clock, secrets }: FactorContext,
  user: TotpUser,
  code: string,
): Promise<boolean> {
  if (user.totp_secret === null) return false
  const secret = secrets.open(user.totp_secret, repository.totpContextOf(user.id))
  const step = findTotpStep(secret, code, clock.now())
  return step !== undefined && useTotpStep(db, user.id, step)
}

/**
 * Requires a code of the authenticator app, or a recovery code.
 * @throws AppError 401 `invalid_second_factor`
 */
export async function requireSecondFactor(
  context: FactorContext,
  user: TotpUser,
  code: string,
): Promise<void> {
  if (user.totp_confirmed_at !== null) {
    if (await useTotpCode(context, user, code)) return
    if (await repository.takeRecoveryCode(context.db, user.id, hashRecoveryCode(code))) return
  }
  throw unauthorized('invalid_second_factor', 'The code is not valid, or was used.')
}

import { randomBytes } from 'node:crypto'
import { findEnvironment, getClientFacingTeam } from '@salus/accounts/teams'
import { getUserRow } from '@salus/accounts/users'
import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { hashKey } from '@salus/kernel/crypto/keys'
import { AppError, badRequest, invalidInput, RateLimitError } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { createScope, type Scope, type Stores } from '@salus/kernel/scope'
import { formatInstant, parseInstant } from '@salus/kernel/time/instants'
import type { AppTokens } from '../sessions/app-tokens.ts'
import * as codes from './link-codes.global.repository.ts'
import { insertLinkCode } from './link-codes.repository.ts'
import type {
  LinkCode,
  LinkCodeExchange,
  LinkCodeExchangeQuery,
  LinkCodeQuery,
} from './link-codes.schema.ts'

const CODE = /^(sk|pk)(us|eu)[0-9a-f]{8}$/
const CODE_BYTES = 4
/** A code is very rarely in use already. */
const MOST_TRIES = 10
/**
 * Maximum number of wrong codes in a minute from all addresses together, for sandboxes and for
 * production each. At this rate a guess finds a code of an hour once in 700,000 times.
 */
const WRONG_A_MINUTE = 100

/**
 * Creates a code with which a companion app signs in for a user
 * (docs/contract/03-link.md#link-code).
 * @param appUrl URL that opens the app with the code
 * @throws AppError 404 for the user, 422 for a time in the past
 */
export async function createLinkCode(
  scope: Scope,
  { user_id, expires_at }: LinkCodeQuery,
  appUrl: string,
): Promise<LinkCode> {
  const user = await getUserRow(scope, user_id)
  const now = scope.clock.now()
  const expiresAt = readExpiry(expires_at, now)
  const { kind, region } = scope.environment
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const random = randomBytes(CODE_BYTES).toString('hex')
    const code = `${kind === 'sandbox' ? 'sk' : 'pk'}${region}${random}`
    const row = { id: newId(), user_id: user.id, code_hash: hashKey(code), created_at: now }
    if (!(await insertLinkCode(scope, { ...row, expires_at: expiresAt }))) continue
    const url = new URL(appUrl)
    url.searchParams.set('code', code)
    return { code, exchange_url: url.href, expires_at: formatInstant(expiresAt) }
  }
  throw new AppError(503, 'overloaded', 'No unused link code was found. Try again.')
}

function readExpiry(text: string | null | undefined, now: Date): Date {
  if (!text) return new Date(now.getTime() + HOUR_MS)
  const at = parseInstant(text)?.epochMilliseconds ?? Number.NaN
  if (at > now.getTime()) return new Date(at)
  throw invalidInput(['query', 'expires_at'], 'The time is in the past', 'date_future')
}

/** Result of an exchange, with the owner of the code. */
interface Exchanged {
  scope: Scope
  codeId: string
  answer: LinkCodeExchange
}

/**
 * Exchanges a code for a sign-in token, once.
 * @throws AppError 400 `invalid_code`, `unsupported_grant_type`, 429 while there are many wrong
 *   codes
 */
export async function exchangeLinkCode(
  stores: Stores & { tokens: AppTokens },
  { code, grant_type: grantType }: LinkCodeExchangeQuery,
  baseUrl: string,
): Promise<Exchanged> {
  if (grantType !== 'sign_in_token') {
    throw badRequest('unsupported_grant_type', 'The grant type is not one that is taken here.')
  }
  // A text that cannot be a code does not count as a guess.
  const kind = CODE.exec(code)?.[1]
  if (kind === undefined) throw invalidCode()
  const { db, clock } = stores
  const now = clock.now()
  const minute = new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS)
  if ((await codes.countWrongCodes(db, kind, minute)) >= WRONG_A_MINUTE)
    throw new RateLimitError(now)
  const exchanged = await consumeCode(stores, code, baseUrl)
  if (exchanged !== undefined) return exchanged
  await codes.addWrongCode(db, kind, minute)
  throw invalidCode()
}

const invalidCode = () => badRequest('invalid_code', 'The code is unknown, used or expired.')

/** The code is consumed last: an earlier failure leaves it for another try. */
async function consumeCode(
  stores: Stores & { tokens: AppTokens },
  code: string,
  baseUrl: string,
): Promise<Exchanged | undefined> {
  const { db, clock, tokens } = stores
  const row = await codes.findLinkCode(db, hashKey(code), clock.now())
  const environment = row && (await findEnvironment(db, row.environment_id))
  if (row === undefined || environment === undefined) return undefined
  const scope = createScope(stores, environment)
  const { name, logo_url } = await getClientFacingTeam(scope, environment.teamId)
  const user = { id: row.user_id, generation: row.sign_in_generation }
  const answer = {
    user_id: row.user_id,
    sign_in_token: await tokens.createSignInToken(environment, user, baseUrl),
    team: { name, logo_url },
  }
  return (await codes.consumeLinkCode(db, row)) ? { scope, codeId: row.id, answer } : undefined
}

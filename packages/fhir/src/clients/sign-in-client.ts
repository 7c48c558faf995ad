import { enterEnvironment } from '@salus/accounts/teams'
import { hashKey } from '@salus/kernel/crypto/keys'
import { unauthorized } from '@salus/kernel/errors'
import { createScope, type Stores } from '@salus/kernel/scope'
import type { FastifyRequest } from 'fastify'
import { TOKEN_PREFIX } from './grant-token.service.ts'
import { findToken } from './smart-tokens.global.repository.ts'

/**
 * Signs in a request with the token of a SMART client. @returns false for another credential
 * @throws AppError 401 `invalid_token`
 */
export async function signInClient(
  stores: Pick<Stores, 'db' | 'clickhouse' | 'clock'>,
  request: FastifyRequest,
): Promise<boolean> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token?.startsWith(TOKEN_PREFIX)) return false
  const all = { ...stores, log: request.log }
  const row = await findToken(stores.db, hashKey(token), stores.clock.now())
  const entered = row && (await enterEnvironment(all, row.environment_id))
  if (row === undefined || entered === undefined) {
    await request.signIns.refuse('access_token')
    throw unauthorized('invalid_token', 'The access token is unknown or expired.')
  }
  request.scope = createScope(all, entered.environment, request.transact)
  request.actor = { kind: 'smart_client', id: row.client_id }
  request.appUserId = null
  request.limits = { userId: null, access: 'write', scopes: null }
  request.smartScopes = row.scopes
  return true
}

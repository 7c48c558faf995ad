import { type FindApp, findEnvironment } from '../../../accounts/teams/index.ts'
import { findUserReference } from '../../../accounts/users/index.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { rowScope } from '../../../platform/scope.ts'
import type { AppTokens } from './app-tokens.ts'

/**
 * Whose the access token of an app is. It is good for its hour, also when its session ended; with its person or
 * team it ends at once.
 */
export function createMobileAuthentication({ db, tokens }: { db: Db; tokens: AppTokens }): FindApp {
  return async (token) => {
    const claims = await tokens.readAccessToken(token)
    if (claims === undefined) return undefined
    const { environmentId, userId, sessionId, endsAt } = claims
    const environment = await findEnvironment(db, environmentId)
    const user = environment && (await findUserReference(rowScope(db, environmentId), userId))
    if (environment === undefined || user === undefined) return undefined
    const actor = { kind: 'mobile_session', id: sessionId, userId } as const
    return { environment, actor, endsAt, appUserId: userId }
  }
}

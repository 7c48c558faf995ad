import { type FindApp, findEnvironment } from '@salus/accounts/teams'
import type { Db } from '@salus/kernel/postgres/database'
import { rowScope } from '@salus/kernel/scope'
import type { AppTokens } from './app-tokens.ts'
import { isSessionLive } from './mobile-sessions.repository.ts'

/**
 * Whose the access token of an app is. The token itself is remembered for some seconds; whether its
 * session goes on is looked up each time, so that it ends at once with the session, the person and
 * the team. That is a query of its own: authentication makes no other while the token is
 * remembered, and those of routes differ, so a join with one of them would leave the check to each
 * route.
 */
export function createMobileAuthentication({ db, tokens }: { db: Db; tokens: AppTokens }): FindApp {
  return async (token) => {
    const claims = await tokens.readAccessToken(token)
    if (claims === undefined) return undefined
    const { environmentId, userId, sessionId, endsAt } = claims
    const environment = await findEnvironment(db, environmentId)
    if (environment === undefined) return undefined
    const scope = rowScope(db, environmentId)
    const actor = { kind: 'mobile_session', id: sessionId, userId } as const
    const isLive = () => isSessionLive(scope, userId, sessionId)
    return { environment, actor, endsAt, appUserId: userId, isLive }
  }
}

import { type FindApp, findEnvironment } from '@salus/accounts/teams'
import type { Db } from '@salus/kernel/postgres/database'
import { rowScope } from '@salus/kernel/scope'
import type { AppTokens } from './app-tokens.ts'
import { isMobileSessionLive } from './mobile-sessions.repository.ts'

/**
 * Creates the authentication by access tokens of apps. The verified token is cached for some
 * seconds; its session is looked up each time, so that access ends at once with the session, the
 * user and the team. That is a separate query: authentication makes no other while the token is
 * cached, and the queries of routes differ, so a join would leave the check to each route.
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
    const isLive = () => isMobileSessionLive(scope, userId, sessionId)
    return { environment, actor, endsAt, appUserId: userId, isLive }
  }
}

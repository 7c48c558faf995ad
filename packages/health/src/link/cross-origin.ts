import { isLinkOriginOfAny } from '@salus/accounts/teams'
import type { App } from '@salus/kernel/http/app-types'
import { varyBy } from '@salus/kernel/http/compression'
import type { FastifyRequest } from 'fastify'
import type { LinkContext } from './link.context.ts'
import { LinkError } from './link-errors.registry.ts'

/** Seconds for which a browser keeps the answer to its question. */
const KEPT_SECONDS = 600

/** Headers of answers that a page may read beside the common ones. */
const EXPOSED = 'ratelimit, ratelimit-policy, retry-after, x-request-id'

/**
 * Lets pages of other origins call the routes that are registered on `app` from now on, if the team
 * of the link token allows the origin (`link_origins`). Neither keys nor cookies are accepted from
 * such a page: the link token is its only credential
 * (docs/contract/03-link.md#pages-of-other-origins).
 */
export function allowOrigins(app: App, context: LinkContext): void {
  app.addHook('onRoute', ({ method, url }) => {
    const methods = [method].flat()
    if (methods.includes('OPTIONS') || methods.includes('HEAD')) return
    registerPreflight(app, context, url, methods.join(', '))
  })
  app.addHook('onSend', async (request, reply) => {
    const { origin } = request.headers
    // Keeps caches from giving the answer for one origin to another.
    varyBy(reply, 'origin')
    if (origin === undefined || request.method === 'OPTIONS') return
    if (!(await isAllowed(context, request, origin))) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', EXPOSED)
  })
}

/**
 * Answers what a browser asks before the request itself. Its question has no token, so any team's
 * origin gets the answer; the request itself is answered by the rules of its own team.
 */
function registerPreflight(app: App, context: LinkContext, url: string, methods: string): void {
  const { aliasesEnabled } = context.config
  const headers = ['content-type', 'x-service-link-token']
  if (aliasesEnabled) headers.push('x-vital-link-token')
  const options = { schema: { hide: true }, config: { isRead: true } } as const
  app.options(url, options, async (request, reply) => {
    const { origin, 'access-control-request-method': wanted } = request.headers
    reply.code(204).header('allow', `${methods}, OPTIONS`)
    if (origin === undefined || wanted === undefined) return
    if (!(await isLinkOriginOfAny(context.db, origin))) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-allow-methods', methods)
    reply.header('access-control-allow-headers', headers.join(', '))
    reply.header('access-control-max-age', KEPT_SECONDS)
  })
}

/**
 * Whether the team of the token allows the origin. A request without a valid token has no team, so
 * that a page of any team can read why it was refused.
 */
async function isAllowed(
  { db }: LinkContext,
  { link }: { link?: FastifyRequest['link'] },
  origin: string,
): Promise<boolean> {
  if (link !== undefined && !(link instanceof LinkError)) {
    return link.environment.settings.link_origins?.includes(origin) === true
  }
  // The answer itself may say that the database fails; no error may replace it here.
  return isLinkOriginOfAny(db, origin).catch(() => false)
}

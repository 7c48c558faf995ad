import type { FastifyInstance } from 'fastify'
import { registerAuthorize, type Scope } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import { Calendar, type Span } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import type { TokenAnswer, Vendor, VendorContext } from '../vendor.ts'
import { userIdOf } from './frame.ts'
import { listPushedAccounts, pushWhoop } from './push.ts'
import { recordsIn, WHOOP_KINDS } from './records.ts'
import { bodyOf, shown, WhoopApi } from './whoop-api.ts'

const SLUG = 'whoop_v2'

const SCOPES: readonly Scope[] = [
  { name: 'offline', meaning: 'Access while you are away' },
  { name: 'read:profile', meaning: 'Name and e-mail address' },
  { name: 'read:body_measurement', meaning: 'Height, weight and highest heart rate' },
  { name: 'read:cycles', meaning: 'Strain and heart rate of days' },
  { name: 'read:sleep', meaning: 'Sleep' },
  { name: 'read:recovery', meaning: 'Recovery' },
  { name: 'read:workout', meaning: 'Workouts' },
]

const ACCESS_SECONDS = 3600
const LEAST_STATE = 8

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS, hasOneAccessToken: true })

/** Without the scope `offline` there is no refresh token. */
function withoutOffline(answer: TokenAnswer): object {
  const { refresh_token: _, ...rest } = answer
  return answer.scope.split(' ').includes('offline') ? answer : rest
}

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  const authorizePath = '/api/oauth/oauth2/auth'
  app.addHook('preHandler', async (request, reply) => {
    const { redirect_uri: back, state = '' } = request.query as Record<string, string | undefined>
    const isAuthorization = request.routeOptions.url?.endsWith(authorizePath) === true
    if (!isAuthorization || state.length >= LEAST_STATE || !URL.canParse(back ?? '')) return
    const url = new URL(back ?? '')
    url.searchParams.set('error', 'invalid_state')
    return reply.redirect(url.href, 303)
  })
  registerAuthorize(app, context, { path: authorizePath, scopes: SCOPES })
  registerToken(app, context, {
    path: '/api/oauth/oauth2/token',
    grants,
    toVendorAnswer: withoutOffline,
  })
  const api = new WhoopApi(context, grants)
  const base = '/api/developer/v2'
  app.get(`${base}/user/profile/basic`, (request, reply) => api.profile(request, reply))
  app.get(`${base}/user/measurement/body`, (request, reply) => api.body(request, reply))
  app.delete(`${base}/user/access`, (request, reply) => api.endAccess(request, reply))
  app.get(`${base}/cycle`, (request, reply) => api.list(request, reply, 'cycle'))
  app.get(`${base}/recovery`, (request, reply) => api.list(request, reply, 'recovery'))
  for (const kind of ['sleep', 'workout'] as const) {
    const path = `${base}/activity/${kind}`
    app.get(path, (request, reply) => api.list(request, reply, kind))
    app.get(`${path}/:id`, (request, reply) => api.one(request, reply, kind))
  }
}

/** Returns the records that a span overlaps, the newest first. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const lists = WHOOP_KINDS.map((kind) => [
    kind,
    recordsIn(calendar, kind, span, now).map(({ make }) => shown(kind, make())),
  ])
  return { ...Object.fromEntries(lists), body_measurement: [bodyOf(calendar)] }
}

/** WHOOP's API v2 (https://developer.whoop.com/api). */
export const whoop: Vendor = {
  slug: SLUG,
  name: 'WHOOP',
  register,
  truth,
  accountIdOf: (account) => String(userIdOf(new Calendar(personOf(SLUG, account)))),
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: (context, account) => grantsOf(context).revokeAll(account),
  grant: async (context, account, scopes, clientId) =>
    (await grantsOf(context).make(account, clientId, scopes)).tokens,
  push: { accounts: listPushedAccounts, send: pushWhoop },
}

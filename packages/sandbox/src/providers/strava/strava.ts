import type { FastifyInstance } from 'fastify'
import { registerAuthorize, type Scope } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import { Calendar, type Span } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import type { TokenAnswer, Vendor, VendorContext } from '../vendor.ts'
import { activitiesIn, athleteIdOf, summaryOf } from './activities.ts'
import { deauthorize, listSubscribedAccounts, pushStrava, registerSubscriptions } from './push.ts'
import { athleteOf, refuse, StravaApi } from './strava-api.ts'

const SLUG = 'strava'

const SCOPES: readonly Scope[] = [
  { name: 'read', meaning: 'Public profile' },
  { name: 'read_all', meaning: 'Private routes and segments' },
  { name: 'profile:read_all', meaning: 'Complete profile' },
  { name: 'activity:read', meaning: 'Activities' },
  { name: 'activity:read_all', meaning: 'Private activities' },
]

const ACCESS_SECONDS = 6 * 3600

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

/** The vendor names scopes only when it sends the person back. */
function tokenAnswer(
  context: VendorContext,
  { access_token, refresh_token, expires_in }: TokenAnswer,
  { account, type }: { account: string; type: string },
): object {
  return {
    token_type: 'Bearer',
    access_token,
    refresh_token,
    expires_in,
    expires_at: Math.floor(context.clock.now().getTime() / 1000) + expires_in,
    ...(type === 'authorization_code' && { athlete: athleteOf(context.calendarOf(account)) }),
  }
}

/** Not the errors of OAuth. */
function tokenError(error: string): object {
  const [resource, field] =
    error === 'invalid_grant' ? ['RefreshToken', 'refresh_token'] : ['Application', 'client_id']
  return { message: 'Bad Request', errors: [{ resource, field, code: 'invalid' }] }
}

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  registerAuthorize(app, context, {
    path: '/api/oauth/authorize',
    scopes: SCOPES,
    scopeSeparator: ',',
  })
  registerToken(app, context, {
    path: '/api/api/v3/oauth/token',
    grants,
    toVendorAnswer: (answer, grant) => tokenAnswer(context, answer, grant),
    toVendorError: tokenError,
  })
  app.post('/api/oauth/deauthorize', async (request, reply) => {
    const form = { ...(request.query as object), ...((request.body ?? {}) as object) }
    const { access_token: token = '' } = form as Record<string, string>
    if ((await grants.check(token)) === undefined) {
      return refuse(reply, 401, 'Authorization Error', ['Athlete', 'access_token', 'invalid'])
    }
    await grants.revoke(token)
    return reply.send({ access_token: token })
  })
  registerSubscriptions(app, context)
  const api = new StravaApi(context, grants)
  const base = '/api/api/v3'
  app.get(`${base}/athlete`, (request, reply) => api.athlete(request, reply))
  app.get(`${base}/athlete/activities`, (request, reply) => api.list(request, reply))
  app.get(`${base}/activities/:id`, (request, reply) => api.detail(request, reply))
  app.get(`${base}/activities/:id/streams`, (request, reply) => api.streams(request, reply))
}

/** Returns the activities that begin within a span, as lists have them. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const activities = activitiesIn(calendar, span, now).map((one) => summaryOf(calendar, one))
  return { activities, athlete: [athleteOf(calendar)] }
}

/** Strava's API v3 (https://developers.strava.com/docs/reference). */
export const strava: Vendor = {
  slug: SLUG,
  name: 'Strava',
  register,
  truth,
  accountIdOf: (account) => String(athleteIdOf(new Calendar(personOf(SLUG, account)))),
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: deauthorize,
  grant: async (context, account, scopes, clientId) =>
    (await grantsOf(context).make(account, clientId, scopes)).tokens,
  push: { accounts: listSubscribedAccounts, send: pushStrava },
}

import type { FastifyInstance } from 'fastify'
import { registerAuthorize, type Scope } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import type { Calendar, Span } from '../people/days.ts'
import type { TokenAnswer, Vendor, VendorContext } from '../vendor.ts'
import { DATA_TYPES, scopeName } from './data-types.registry.ts'
import { accountIdOf, devicesOf, GoogleApi, profileOf, settingsOf } from './google-api.ts'
import { listPushedAccounts, pushGoogle } from './push.ts'
import { recordsOf } from './records.ts'
import { registerProjectTokens, registerSubscribers } from './subscribers.ts'

const SCOPES: readonly Scope[] = [
  { name: scopeName('activity_and_fitness'), meaning: 'Activity and fitness' },
  { name: scopeName('health_metrics_and_measurements'), meaning: 'Health metrics' },
  { name: scopeName('sleep'), meaning: 'Sleep' },
  { name: scopeName('nutrition'), meaning: 'Nutrition and hydration' },
  { name: scopeName('ecg'), meaning: 'Electrocardiograms' },
  { name: scopeName('irn'), meaning: 'Notifications of an irregular rhythm' },
  { name: scopeName('location'), meaning: 'Where you exercise' },
  { name: scopeName('profile'), meaning: 'Profile' },
  { name: scopeName('settings'), meaning: 'Settings and devices' },
]

const ACCESS_SECONDS = 3599

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS, isRefreshTokenKept: true })

/** A refresh brings no refresh token: the first one stays. */
function toGoogleAnswer(answer: TokenAnswer, { type }: { type: string }): object {
  const { refresh_token, ...rest } = { ...answer, token_type: 'Bearer' }
  return type === 'refresh_token' ? rest : { ...rest, refresh_token }
}

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  registerAuthorize(app, context, { path: '/accounts/o/oauth2/v2/auth', scopes: SCOPES })
  registerProjectTokens(app, context)
  registerToken(app, context, {
    path: '/oauth/token',
    revokePath: '/oauth/revoke',
    grants,
    toVendorAnswer: toGoogleAnswer,
  })
  registerSubscribers(app, context)
  const api = new GoogleApi(context, grants)
  const me = '/api/v4/users/me'
  const points = `${me}/dataTypes/:type/dataPoints`
  app.get(points, (request, reply) => api.points(request, reply, 'list'))
  app.get(`${points}::reconcile`, (request, reply) => api.points(request, reply, 'reconcile'))
  app.post(`${points}::rollUp`, (request, reply) => api.rollUp(request, reply))
  app.post(`${points}::dailyRollUp`, (request, reply) => api.dailyRollUp(request, reply))
  app.get(`${me}/dataTypes/exercise/dataPoints/:name`, (request, reply) =>
    api.track(request, reply),
  )
  app.get(`${me}/identity`, (request, reply) =>
    api.single(request, reply, undefined, (_calendar, _now, account) => ({
      name: 'users/me/identity',
      healthUserId: accountIdOf(account),
      legacyUserId: accountIdOf(account).slice(-6),
    })),
  )
  app.get(`${me}/settings`, (request, reply) => api.single(request, reply, 'settings', settingsOf))
  app.get(`${me}/profile`, (request, reply) => api.single(request, reply, 'profile', profileOf))
  app.get(`${me}/pairedDevices`, (request, reply) =>
    api.single(request, reply, 'settings', devicesOf),
  )
  app.get(`${me}/irnProfile`, (request, reply) =>
    api.single(request, reply, 'irn', () => ({
      name: 'users/me/irnProfile',
      onboardingStatus: true,
      enrollmentStatus: true,
    })),
  )
}

/** Returns the merged records of a span, or the raw ones of types without, the newest first. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const text = (at: number) => new Date(at).toISOString()
  const lists = [...DATA_TYPES].flatMap(([type, { filters, methods }]) => {
    const method =
      methods.find((one) => one === 'reconcile') ?? methods.find((one) => one === 'list')
    if (method === undefined) return []
    const [member = ''] = Object.keys(filters)
    const bounds = { member, from: text(span.from), to: text(span.to) }
    return [[type, recordsOf(type, method, calendar, bounds, now)]]
  })
  return Object.fromEntries(lists)
}

/** Google Health API v4 (https://developers.google.com/health). */
export const googleHealth: Vendor = {
  slug: 'google_health',
  name: 'Google Health',
  register,
  truth,
  accountIdOf,
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: (context, account) => grantsOf(context).revokeAll(account),
  grant: async (context, account, scopes, clientId) =>
    (await grantsOf(context).make(account, clientId, scopes)).tokens,
  push: { accounts: listPushedAccounts, send: pushGoogle },
}

import type { FastifyInstance } from 'fastify'
import { registerAuthorize, type Scope } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import type { Calendar, Span } from '../people/days.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { daysOf, heartRateText, ouraUntil } from './collections.ts'
import { accountIdOf, dailyRecords, OuraApi, ringsOf, withinPast } from './oura-api.ts'
import { listSubscribedAccounts, pushOura } from './push.ts'
import { OURA_COLLECTIONS } from './record-id.ts'
import { registerSubscriptions } from './subscriptions.ts'

const SCOPES: readonly Scope[] = [
  { name: 'email', meaning: 'E-mail address' },
  { name: 'personal', meaning: 'Sex, age, height and weight' },
  { name: 'daily', meaning: 'Daily summaries of sleep, activity and readiness' },
  { name: 'heartrate', meaning: 'Heart rate through the day' },
  { name: 'workout', meaning: 'Workouts' },
  { name: 'tag', meaning: 'Tags' },
  { name: 'session', meaning: 'Guided and unguided sessions' },
  { name: 'spo2', meaning: 'Blood oxygen in the night' },
  { name: 'spo2Daily', meaning: 'Average blood oxygen of a night' },
  { name: 'ring_configuration', meaning: 'The ring' },
  { name: 'stress', meaning: 'Daytime stress' },
  { name: 'heart_health', meaning: 'Heart health' },
]

const ACCESS_SECONDS = 86_400

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  registerAuthorize(app, context, { path: '/web/oauth/authorize', scopes: SCOPES })
  registerToken(app, context, {
    path: '/api/oauth/token',
    revokePath: '/api/oauth/revoke',
    grants,
  })
  registerSubscriptions(app, context)
  const api = new OuraApi(context, grants)
  const base = '/api/v2/usercollection'
  app.get(`${base}/personal_info`, (request, reply) => api.personalInfo(request, reply))
  app.get(`${base}/heartrate`, (request, reply) => api.heartRate(request, reply))
  for (const name of OURA_COLLECTIONS) {
    app.get(`${base}/${name}`, (request, reply) => api.daily(request, reply, name))
    app.get(`${base}/${name}/:id`, (request, reply) => api.document(request, reply, name))
  }
}

/** Returns the records of a span; daily records are those whose day overlaps it. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const past = withinPast(span, now)
  const samples = heartRateText(calendar, {
    from: past.from,
    to: Math.min(past.to, ouraUntil(calendar, now) + 1),
  })
  const days = daysOf(calendar, { from: past.from, to: Math.min(past.to, now + 1) })
  const [first, last] = [days.at(0)?.number ?? 1, days.at(-1)?.number ?? 0]
  const daily = OURA_COLLECTIONS.map((name) => [
    name,
    dailyRecords(calendar, name, { from: first, to: last }, now),
  ])
  return {
    heartrate: JSON.parse(`[${samples.text}]`),
    ...Object.fromEntries(daily),
    ring_configuration: ringsOf(calendar, now),
  }
}

/** Oura's API v2 (https://cloud.ouraring.com/v2/docs). */
export const oura: Vendor = {
  slug: 'oura',
  name: 'Oura',
  register,
  truth,
  accountIdOf,
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: (context, account) => grantsOf(context).revokeAll(account),
  grant: async (context, account, scopes, clientId) =>
    (await grantsOf(context).make(account, clientId, scopes)).tokens,
  push: {
    accounts: listSubscribedAccounts,
    send: (context, account, span) => pushOura(context, account, span, accountIdOf(account)),
  },
}

import type { FastifyInstance } from 'fastify'
import { registerAuthorize, type Scope } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import type { Calendar, Span } from '../people/days.ts'
import { dateText } from '../people/local-time.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { daySummary, type IntradayName, intraday, rowsOn } from './days.ts'
import { daysOf, FitbitApi, logsAfter } from './fitbit-api.ts'
import { accountIdOf, dayAt, fitbitUntil } from './frame.ts'
import { foodsAnswer } from './logs.ts'
import { listSubscribedAccounts, pushFitbit, registerSubscriptions, revokeAccess } from './push.ts'
import { RANGES, type RangeName } from './ranges.ts'

const SCOPES: readonly Scope[] = [
  { name: 'activity', meaning: 'Activity and exercise' },
  { name: 'cardio_fitness', meaning: 'Cardio fitness' },
  { name: 'electrocardiogram', meaning: 'Electrocardiograms' },
  { name: 'heartrate', meaning: 'Heart rate' },
  { name: 'irregular_rhythm_notifications', meaning: 'Notifications of irregular rhythms' },
  { name: 'location', meaning: 'Location' },
  { name: 'nutrition', meaning: 'Food and water' },
  { name: 'oxygen_saturation', meaning: 'Oxygen saturation' },
  { name: 'profile', meaning: 'Profile' },
  { name: 'respiratory_rate', meaning: 'Breathing rate' },
  { name: 'settings', meaning: 'Devices and settings' },
  { name: 'sleep', meaning: 'Sleep' },
  { name: 'social', meaning: 'Friends' },
  { name: 'temperature', meaning: 'Temperature' },
  { name: 'weight', meaning: 'Weight' },
]
const ACCESS_SECONDS = 28_800

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  registerAuthorize(app, context, { path: '/web/oauth2/authorize', scopes: SCOPES })
  registerToken(app, context, {
    path: '/api/oauth2/token',
    revokePath: '/api/oauth2/revoke',
    grants,
    toVendorAnswer: (answer, { account }) => ({ ...answer, user_id: accountIdOf(account) }),
    toVendorError: (errorType, message) => ({ errors: [{ errorType, message }], success: false }),
  })
  const api = new FitbitApi(context, grants)
  api.register(app)
  registerSubscriptions(app, context, api)
}

/** Returns the answers for the days of a span, and the records of each other collection. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const until = fitbitUntil(calendar, now)
  const [first, last] = [dayAt(calendar, span.from), dayAt(calendar, Math.min(span.to, now) - 1)]
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, count) => first + count)
  const lists = (Object.keys(RANGES) as RangeName[]).map((name) => [
    name,
    daysOf(name, calendar, first, last, until),
  ])
  const minutes = (['heart', 'steps', 'distance'] as IntradayName[]).map((name) => [
    name,
    days.map((day) => intraday(calendar, name, day, rowsOn(calendar, name, day, until))),
  ])
  return {
    activities: days.map((day) => ({ date: dateText(day), ...daySummary(calendar, day, until) })),
    foods: days.map((day) => foodsAnswer(calendar, day, now)),
    activity_logs: logsAfter(calendar, first - 1, until),
    ...Object.fromEntries(lists),
    ...Object.fromEntries(minutes),
  }
}

/** Fitbit's Web API (https://dev.fitbit.com/build/reference/web-api). */
export const fitbit: Vendor = {
  slug: 'fitbit',
  name: 'Fitbit',
  register,
  truth,
  accountIdOf,
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: revokeAccess,
  grant: async (context, account, scopes, clientId) =>
    (await grantsOf(context).make(account, clientId, scopes)).tokens,
  push: { accounts: listSubscribedAccounts, send: pushFitbit },
}

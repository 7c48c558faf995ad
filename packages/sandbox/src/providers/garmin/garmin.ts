import type { FastifyInstance } from 'fastify'
import { registerAuthorize, type Scope } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import { Calendar, type Span } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { GarminApi } from './garmin-api.ts'
import { listPushedAccounts, pushDeregistration, pushGarmin } from './garmin-push.ts'
import { userIdOf, watchUntil } from './place.ts'
import { SUMMARY_TYPES, summariesIn } from './summaries.ts'

const SLUG = 'garmin'

/** The vendor calls them permissions; a request of an app does not name them. */
const PERMISSIONS: readonly Scope[] = [
  { name: 'ACTIVITY_EXPORT', meaning: 'Activities' },
  { name: 'HEALTH_EXPORT', meaning: 'Daily health data' },
  { name: 'MCT_EXPORT', meaning: 'Women’s health' },
  { name: 'HISTORICAL_DATA_EXPORT', meaning: 'Historical data' },
]

const ACCESS_SECONDS = 86_400
const REFRESH_SECONDS = 7_776_000

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  registerAuthorize(app, context, { path: '/web/oauth2Confirm', scopes: PERMISSIONS })
  registerToken(app, context, {
    path: '/tokens/di-oauth2-service/oauth/token',
    grants,
    toVendorAnswer: (answer) => ({
      ...answer,
      refresh_token_expires_in: REFRESH_SECONDS,
      jti: 'f5b0c3f0-0000-4000-8000-000000000000',
    }),
  })
  const api = new GarminApi(context, grants)
  const user = '/api/partner-gateway/rest/user'
  app.get(`${user}/id`, (request, reply) => api.userId(request, reply))
  app.get(`${user}/permissions`, (request, reply) => api.permissions(request, reply))
  app.delete(`${user}/registration`, (request, reply) => api.endAccess(request, reply))
  app.get('/api/wellness-api/rest/backfill/:type', (request, reply) => api.backfill(request, reply))
}

/** Returns the summaries of the days that a span overlaps, by their names in messages. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const until = watchUntil(calendar, now)
  return Object.fromEntries(
    SUMMARY_TYPES.map((type) => [type.name, summariesIn(type, calendar, span, until)]),
  )
}

async function revoke(context: VendorContext, account: string): Promise<void> {
  const clientIds = new Set<string>()
  for await (const { grant } of grantsOf(context).list(account)) clientIds.add(grant.clientId)
  await grantsOf(context).revokeAll(account)
  await pushDeregistration(context, account, clientIds)
}

/** Garmin's Health and Activity APIs, as public clients show them. */
export const garmin: Vendor = {
  slug: SLUG,
  name: 'Garmin Connect',
  register,
  truth,
  accountIdOf: (account) => userIdOf(new Calendar(personOf(SLUG, account))),
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke,
  grant: async (context, account, scopes, clientId) => {
    // A test that names no permissions gets all, as the page would give.
    const given = scopes.length > 0 ? scopes : PERMISSIONS.map(({ name }) => name)
    return (await grantsOf(context).make(account, clientId, given)).tokens
  },
  push: { accounts: listPushedAccounts, send: pushGarmin },
}

import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance } from 'fastify'
import { registerAuthorize, type Scope } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import type { Calendar, Span } from '../people/days.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { EXERCISE_MS, lastDays, NIGHT_DAYS, SLUG, userIdOf } from './frame.ts'
import { PolarApi, registrationKey, servedDays, servedExercises, servedNight } from './polar-api.ts'
import { physicalInfo } from './records.ts'
import { listPushedAccounts, pushPolar, registerWebhooks } from './webhooks.ts'

const SCOPES: readonly Scope[] = [
  { name: 'accesslink.read_all', meaning: 'Exercises, sleep, activity and heart rate' },
]

const ACCESS_SECONDS = 315_359_999

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  registerAuthorize(app, context, { path: '/flow/oauth2/authorization', scopes: SCOPES })
  registerToken(app, context, {
    path: '/token/v2/oauth2/token',
    grants,
    // There are no refresh tokens, and the id of the user is nowhere else.
    toVendorAnswer: ({ access_token, token_type, expires_in }, { account }) => ({
      access_token,
      token_type,
      expires_in,
      x_user_id: userIdOf(account),
    }),
  })
  registerWebhooks(app, context)
  const api = new PolarApi(context, grants)
  const base = '/api/v3'
  app.post(`${base}/users`, (request, reply) => api.register(request, reply))
  app.delete(`${base}/users/:id`, (request, reply) => api.remove(request, reply))
  app.get(`${base}/exercises`, (request, reply) => api.exercises(request, reply))
  app.get(`${base}/exercises/:id`, (request, reply) => api.exercises(request, reply))
  const users = `${base}/users`
  app.get(`${users}/sleep`, (request, reply) => api.nights(request, reply, 'sleep'))
  app.get(`${users}/sleep/available`, (request, reply) => api.nights(request, reply, 'available'))
  app.get(`${users}/nightly-recharge`, (request, reply) =>
    api.nights(request, reply, 'nightly-recharge'),
  )
  for (const kind of ['activities', 'continuous-heart-rate'] as const) {
    app.get(`${users}/${kind}`, (request, reply) => api.days(request, reply, kind))
  }
  app.get(`${users}/physical-info`, (request, reply) => api.physicalInfo(request, reply))
}

const ALL_PARTS = { samples: true, zones: true, route: true }

/** Returns the records that are served of a span, of a user who was registered before. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const served = { calendar, now }
  const days = calendar.days({ from: span.from, to: Math.min(span.to, now + 1) })
  const range = [days.at(0)?.number ?? 1, days.at(-1)?.number ?? 0] as const
  const nights = lastDays(calendar, now, NIGHT_DAYS)
    .filter((day) => day >= range[0] && day <= range[1])
    .flatMap((day) => servedNight(served, day) ?? [])
  const registeredAt = Math.max(span.from, now - EXERCISE_MS)
  return {
    exercises: servedExercises({ ...served, registeredAt }, ALL_PARTS),
    sleep: nights,
    activities: servedDays(served, 'activities', range, true),
    continuous_heart_rate: servedDays(served, 'continuous-heart-rate', range, false),
    physical_info: [physicalInfo(calendar)],
  }
}

/** Days before a grant of a test at which its user was registered. */
const REGISTERED_DAYS = 400

/** Polar AccessLink v3 (https://www.polar.com/accesslink-api). */
export const polar: Vendor = {
  slug: SLUG,
  name: 'Polar',
  register,
  truth,
  accountIdOf: (account) => String(userIdOf(account)),
  // Tokens last ten years, and cannot be renewed.
  expire: () => Promise.resolve(),
  revoke: (context, account) => grantsOf(context).revokeAll(account),
  async grant(context, account, scopes, clientId) {
    const registeredAt = context.clock.now().getTime() - REGISTERED_DAYS * DAY_MS
    await context.state.update(registrationKey(account, clientId), () => ({ registeredAt }))
    return (await grantsOf(context).make(account, clientId, scopes)).tokens
  },
  push: { accounts: listPushedAccounts, send: pushPolar },
}

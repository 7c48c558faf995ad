import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { disturb } from '../changes.ts'
import { registerAuthorize } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import { Calendar, type Span } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import { uploadedAt } from '../people/recorded-workouts.ts'
import { listPushAddresses, type PushAddress } from '../push-addresses.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { activityIdOf, activityOf, uploadedRides, userIdOf } from './activities.ts'
import { HammerheadApi } from './hammerhead-api.ts'

const SLUG = 'hammerhead'
const ACCESS_SECONDS = 52_000
const TIMEOUT_MS = 10_000
const AUTH = '/api/v1/auth/oauth'

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  registerAuthorize(app, context, {
    path: `${AUTH}/authorize`,
    scopes: [{ name: 'activity:read', meaning: 'Activities' }],
  })
  registerToken(app, context, {
    path: `${AUTH}/token`,
    grants,
    revokePath: `${AUTH}/deauthorize`,
    toVendorAnswer: (answer, { account }) => ({
      ...answer,
      user_id: userIdOf(context.calendarOf(account)),
    }),
  })
  const api = new HammerheadApi(context, grants)
  const activities = '/api/v1/api/activities'
  app.get(activities, (request, reply) => api.list(request, reply))
  app.get(`${activities}/:id`, (request, reply) => api.one(request, reply))
  app.get(`${activities}/:id/file`, (request, reply) => api.file(request, reply))
}

/** Yields accounts of which an app with an address has a grant. */
async function* listPushedAccounts(context: VendorContext): AsyncGenerator<string> {
  const apps = new Set((await listPushAddresses(context)).map(({ clientId }) => clientId))
  if (apps.size === 0) return
  let last: string | undefined
  // The grants of an account are consecutive.
  for await (const { account, grant } of grantsOf(context).list()) {
    if (account === last || !apps.has(grant.clientId)) continue
    last = account
    yield account
  }
}

async function push(context: VendorContext, account: string, { from, to }: Span): Promise<number> {
  const clientIds = new Set<string>()
  for await (const { grant } of grantsOf(context).list(account)) clientIds.add(grant.clientId)
  const calendar = context.calendarOf(account)
  const faults = await context.faults.find(account, 'push')
  const messages = uploadedRides(calendar, to)
    .filter((ride) => uploadedAt(calendar, ride) > from)
    .toReversed()
    .map((ride) => ({ activityId: activityIdOf(calendar, ride), userId: userIdOf(calendar) }))
  let sent = 0
  for (const address of await listPushAddresses(context)) {
    if (!clientIds.has(address.clientId)) continue
    for (const message of disturb(messages, faults)) {
      if (await send(context, address, message)) sent += 1
    }
  }
  return sent
}

async function send(context: VendorContext, to: PushAddress, message: object): Promise<boolean> {
  const body = JSON.stringify(message)
  const signature = createHmac('sha256', to.clientSecret).update(body).digest('hex')
  try {
    const answer = await context.fetch(to.callbackUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hmac-signature': signature },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** Returns the activities that begin in a span, the newest first. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const rides = uploadedRides(calendar, now).filter(
    ({ exercise: { from } }) => from >= span.from && from < span.to,
  )
  return { activities: rides.map((ride) => activityOf(calendar, ride)) }
}

/** Hammerhead's API for Karoo (docs/sandbox.md#hammerhead). */
export const hammerhead: Vendor = {
  slug: SLUG,
  name: 'Hammerhead',
  register,
  truth,
  accountIdOf: (account) => userIdOf(new Calendar(personOf(SLUG, account))),
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: (context, account) => grantsOf(context).revokeAll(account),
  grant: async (context, account, scopes, clientId) =>
    (await grantsOf(context).make(account, clientId, scopes)).tokens,
  push: { accounts: listPushedAccounts, send: push },
}

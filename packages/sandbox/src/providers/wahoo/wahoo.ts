import type { FastifyInstance } from 'fastify'
import { disturb } from '../changes.ts'
import { registerAuthorize, type Scope } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import { Calendar, type Span } from '../people/days.ts'
import { personOf } from '../people/person.ts'
import { listPushAddresses, type PushAddress } from '../push-addresses.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { uploadedExercises, userOf, WahooApi } from './wahoo-api.ts'
import { editedAt, emptySummaryOf, uploadedAt, userIdOf, workoutOf } from './workouts.ts'

const SLUG = 'wahoo'

const SCOPES: readonly Scope[] = [
  { name: 'user_read', meaning: 'Profile' },
  { name: 'workouts_read', meaning: 'Workouts' },
  { name: 'offline_data', meaning: 'Data while you are away' },
]

const ACCESS_SECONDS = 7200
const TIMEOUT_MS = 10_000
/** Connectors read the file of a workout at the address of the list. */
const CDN = 'https://cdn.wahooligan.com/wahoo-cloud/production/uploads/workout_file/file'

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  registerAuthorize(app, context, { path: '/api/oauth/authorize', scopes: SCOPES })
  registerToken(app, context, {
    path: '/api/oauth/token',
    grants,
    toVendorAnswer: (answer) => ({
      ...answer,
      created_at: Math.floor(context.clock.now().getTime() / 1000),
    }),
  })
  const api = new WahooApi(context, grants)
  app.get('/api/v1/user', (request, reply) => api.user(request, reply))
  app.get('/api/v1/workouts', (request, reply) => api.list(request, reply))
  app.get('/api/v1/workouts/:id', (request, reply) => api.one(request, reply))
  app.get('/api/v1/workouts/:id/workout_summary', (request, reply) => api.summary(request, reply))
  app.delete('/api/v1/permissions', (request, reply) => api.endAccess(request, reply))
  app.get('/api/uploads/workout_file/:account/:name', (request, reply) => api.file(request, reply))
}

/** Returns the workouts that begin in a span, the newest first, and the profile. */
function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const workouts = uploadedExercises(calendar, now)
    .filter(({ exercise: { from } }) => from >= span.from && from < span.to)
    .map(({ day, exercise }) => workoutOf(calendar, day, exercise, { now, fileUrl: CDN }))
  return { workouts, user: [userOf(calendar)] }
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

/** Returns the summaries of messages: an empty one first, and one for each change. */
function changesOf(calendar: Calendar, { from, to }: Span): object[] {
  return uploadedExercises(calendar, to)
    .toReversed()
    .flatMap(({ day, exercise }) => {
      const isIn = (at: number | undefined): boolean => at !== undefined && at > from && at <= to
      const context = { now: to, fileUrl: `${CDN}/${day}.fit` }
      const { workout_summary: summary, ...workout } = workoutOf(calendar, day, exercise, context)
      const empty = emptySummaryOf(calendar, day, exercise)
      return [
        ...(isIn(uploadedAt(calendar, day, exercise))
          ? [
              { ...empty, workout },
              { ...summary, workout },
            ]
          : []),
        ...(isIn(editedAt(calendar, day, exercise)) ? [{ ...summary, workout }] : []),
      ]
    })
}

async function push(context: VendorContext, account: string, span: Span): Promise<number> {
  const clientIds = new Set<string>()
  for await (const { grant } of grantsOf(context).list(account)) {
    if (grant.scopes.includes('offline_data')) clientIds.add(grant.clientId)
  }
  const calendar = context.calendarOf(account)
  const faults = await context.faults.find(account, 'push')
  let sent = 0
  for (const address of await listPushAddresses(context)) {
    if (!clientIds.has(address.clientId)) continue
    for (const workout_summary of disturb(changesOf(calendar, span), faults)) {
      const message = {
        event_type: 'workout_summary',
        // The built-in app has its secret as token.
        webhook_token: address.clientSecret,
        user: { id: userIdOf(calendar) },
        workout_summary,
      }
      if (await send(context, address, message)) sent += 1
    }
  }
  return sent
}

async function send(context: VendorContext, to: PushAddress, message: object): Promise<boolean> {
  try {
    const answer = await context.fetch(to.callbackUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** Wahoo's Cloud API v1 (https://cloud-api.wahooligan.com). */
export const wahoo: Vendor = {
  slug: SLUG,
  name: 'Wahoo',
  register,
  truth,
  accountIdOf: (account) => String(userIdOf(new Calendar(personOf(SLUG, account)))),
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: (context, account) => grantsOf(context).revokeAll(account),
  grant: async (context, account, scopes, clientId) =>
    (await grantsOf(context).make(account, clientId, scopes)).tokens,
  push: { accounts: listPushedAccounts, send: push },
}

import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import { registerAuthorize } from '../oauth/authorize.ts'
import { Grants } from '../oauth/grants.ts'
import { registerToken } from '../oauth/token.ts'
import type { Calendar, Span } from '../people/days.ts'
import { localText, utcText } from '../people/local-time.ts'
import { seedOf } from '../people/noise.ts'
import { RateLimit } from '../rate-limits.ts'
import type { Vendor, VendorContext } from '../vendor.ts'
import { type DexcomList, recordsIn } from './records.ts'

const SLUG = 'dexcom_v3'
const LISTS: Readonly<Record<DexcomList, string>> = {
  egvs: 'egv',
  calibrations: 'calibration',
  events: 'event',
}
const ACCESS_SECONDS = 7200
const MOST_DAYS = 30
/** There are no data older than this many days. */
const PAST_DAYS = 400
const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/

const grantsOf = (context: VendorContext): Grants =>
  new Grants(context, { accessSeconds: ACCESS_SECONDS })

/** Errors of the gateway before the API. */
const fault = (reply: FastifyReply, status: number, text: string, code: string): FastifyReply =>
  reply.status(status).send({ fault: { faultstring: text, detail: { errorcode: code } } })

const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.status(status).send({ errors: [message] })

const limited = (reply: FastifyReply): FastifyReply =>
  fault(reply, 429, 'Rate limit quota violation.', 'policies.ratelimit.QuotaViolation')

const REFUSALS: Refusals = {
  rateLimited: limited,
  failed: (reply, status) => refuse(reply, status, 'Internal Server Error'),
  unauthorized: (reply) =>
    fault(reply, 401, 'Invalid Access Token', 'keymanagement.service.invalid_access_token'),
}

const accountIdOf = (account: string): string =>
  seedOf(`dexcom id/${account}`).toString(16).padStart(32, '0')

function register(app: FastifyInstance, context: VendorContext): void {
  const grants = grantsOf(context)
  const scopes = [{ name: 'offline_access', meaning: 'All data, also while you are away' }]
  registerAuthorize(app, context, { path: '/api/v3/oauth2/login', scopes })
  registerToken(app, context, { path: '/api/v3/oauth2/token', grants })
  const limit = new RateLimit(60_000, 3600)
  /** Returns the caller, or undefined when the request was already answered. */
  const ask = async (request: FastifyRequest, reply: FastifyReply, list: string) => {
    const caller = await callerOf(context, grants, request, list)
    if (caller === undefined) REFUSALS.unauthorized(reply)
    else if (!limit.take(caller.clientId, caller.now).isAllowed) limited(reply)
    else return caller
    return undefined
  }
  app.get('/api/v3/users/self/dataRange', async (request, reply) => {
    const caller = await ask(request, reply, 'dataRange')
    if (caller === undefined) return reply
    return sendJson(reply, caller.faults, REFUSALS, () => JSON.stringify(dataRangeOf(caller)))
  })
  for (const list of Object.keys(LISTS) as DexcomList[]) {
    app.get(`/api/v3/users/self/${list}`, async (request, reply) => {
      const caller = await ask(request, reply, list)
      return caller === undefined ? reply : sendRecords(request, reply, caller, list)
    })
  }
}

function sendRecords(
  request: FastifyRequest,
  reply: FastifyReply,
  { account, calendar, faults, now }: Caller,
  list: DexcomList,
): FastifyReply | Promise<FastifyReply> {
  const { startDate = '', endDate = '' } = request.query as Record<string, string | undefined>
  const [from, to] = [startDate, endDate].map((text) =>
    LOCAL.test(text) ? Date.parse(`${text}Z`) : Number.NaN,
  ) as [number, number]
  if (Number.isNaN(from) || Number.isNaN(to))
    return refuse(reply, 400, 'startDate, endDate: ISO 8601')
  if (from >= to) return refuse(reply, 400, 'endDate must be later than startDate')
  if (to - from > MOST_DAYS * DAY_MS) return refuse(reply, 400, 'The range exceeds 30 days')
  return sendJson(reply, faults, REFUSALS, () => {
    const records = recordsIn(calendar, list, withinPast({ from, to }, now), now)
    const head = { recordType: LISTS[list], recordVersion: '3.0', userId: accountIdOf(account) }
    const isTwice = faults.some(({ kind }) => kind === 'duplicate_pages')
    return JSON.stringify({ ...head, records: isTwice ? [...records, ...records] : records })
  })
}

const withinPast = ({ from, to }: Span, now: number): Span => ({
  from: Math.max(from, now - PAST_DAYS * DAY_MS),
  to: Math.min(to, now),
})

function dataRangeOf({ account, calendar, now }: Caller): object {
  const at = (instant: number) => ({
    systemTime: utcText(instant),
    displayTime: localText(instant, calendar.offsetAt(instant)),
  })
  const range = { start: at(now - PAST_DAYS * DAY_MS), end: at(now) }
  const head = { recordType: 'dataRange', recordVersion: '3.0', userId: accountIdOf(account) }
  return { ...head, calibrations: range, egvs: range, events: range }
}

function truth(calendar: Calendar, span: Span, now: number): Record<string, unknown[]> {
  const lists = Object.keys(LISTS) as DexcomList[]
  const past = withinPast(span, now)
  return Object.fromEntries(lists.map((list) => [list, recordsIn(calendar, list, past, now)]))
}

/** Dexcom's API v3 (https://developer.dexcom.com/docs). */
export const dexcom: Vendor = {
  slug: SLUG,
  name: 'Dexcom',
  register,
  truth,
  accountIdOf,
  expire: (context, account) => grantsOf(context).expireAll(account),
  revoke: (context, account) => grantsOf(context).revokeAll(account),
  grant: async (context, account, scopes, clientId) =>
    (await grantsOf(context).make(account, clientId, scopes)).tokens,
}

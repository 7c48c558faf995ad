import { DAY_MS, HOUR_MS, SECOND_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import { type Caller, callerOf } from '../callers.ts'
import type { Grants } from '../oauth/grants.ts'
import type { Calendar } from '../people/days.ts'
import { dayOfDate, offsetAt } from '../people/local-time.ts'
import type { VendorContext } from '../vendor.ts'
import { daySummary, type IntradayName, intraday, ratesIn, rowsOn } from './days.ts'
import { accountIdOf, fitbitUntil, localOf, PAST_DAYS, zoneOf } from './frame.ts'
import { activityLogsOn, activityRecord, foodsAnswer } from './logs.ts'
import { RANGES, type RangeName } from './ranges.ts'

const LIMIT = 150
const MOST_LOGS = 100

interface Asked extends Caller {
  /** Until when the tracker synchronized. */
  readonly until: number
}

const refuse = (reply: FastifyReply, status: number, errorType: string, message: string) =>
  reply.status(status).send({ errors: [{ errorType, message }], success: false })

const limited = (reply: FastifyReply, seconds: number): FastifyReply =>
  refuse(
    reply
      .header('retry-after', seconds)
      .header('fitbit-rate-limit-limit', LIMIT)
      .header('fitbit-rate-limit-remaining', 0)
      .header('fitbit-rate-limit-reset', seconds),
    429,
    'system',
    'Too Many Requests',
  )

const REFUSALS: Refusals = {
  rateLimited: limited,
  failed: (reply, status) => refuse(reply, status, 'system', 'Something went wrong.'),
  unauthorized: (reply) => refuse(reply, 401, 'expired_token', 'Access token expired.'),
}

const INTRADAY: Readonly<Record<IntradayName, string>> = {
  heart: 'heartrate',
  steps: 'activity',
  distance: 'activity',
  calories: 'activity',
}

/** Answers the requests for data. */
export class FitbitApi {
  readonly #context: VendorContext
  readonly #grants: Grants
  /** Requests of a person in an hour. */
  readonly #counts = new Map<string, { hour: number; count: number }>()

  constructor(context: VendorContext, grants: Grants) {
    this.#context = context
    this.#grants = grants
  }

  /** Returns the caller, or undefined when the request was already answered. */
  async ask(
    request: FastifyRequest,
    reply: FastifyReply,
    collection: string,
    scope: string,
  ): Promise<Asked | undefined> {
    const caller = await callerOf(this.#context, this.#grants, request, collection)
    if (caller === undefined) {
      REFUSALS.unauthorized(reply)
      return undefined
    }
    const { account, clientId, calendar, now } = caller
    const hour = Math.floor(now / HOUR_MS)
    const known = this.#counts.get(`${account} ${clientId}`)
    const count = known?.hour === hour ? known.count + 1 : 1
    this.#counts.set(`${account} ${clientId}`, { hour, count })
    // The count begins anew at the full hour.
    const left = Math.ceil(((hour + 1) * HOUR_MS - now) / SECOND_MS)
    if (count > LIMIT) {
      limited(reply, left)
      return undefined
    }
    reply
      .header('fitbit-rate-limit-limit', LIMIT)
      .header('fitbit-rate-limit-remaining', LIMIT - count)
      .header('fitbit-rate-limit-reset', left)
    if (!caller.scopes.includes(scope)) {
      refuse(reply, 403, 'insufficient_scope', `This application has no permission for ${scope}.`)
      return undefined
    }
    return { ...caller, until: fitbitUntil(calendar, now) }
  }

  register(app: FastifyInstance): void {
    const base = '/api/1/user/-'
    const serve = (
      path: string,
      scope: string,
      make: (
        asked: Asked,
        params: Record<string, string>,
        query: Record<string, string>,
      ) => unknown,
    ): void => {
      app.get(path, async (request, reply) => {
        const asked = await this.ask(request, reply, path.slice(base.length + 1), scope)
        if (asked === undefined) return reply
        const [params, query] = [request.params, request.query] as Record<string, string>[]
        const answer = make(asked, params ?? {}, query ?? {})
        if (answer === undefined) return refuse(reply, 400, 'validation', 'Invalid request.')
        return sendJson(reply, asked.faults, REFUSALS, () => JSON.stringify(answer))
      })
    }
    serve(`${base}/profile.json`, 'profile', ({ account, calendar, now }) =>
      profileOf(account, calendar, now),
    )
    serve(`${base}/devices.json`, 'settings', ({ calendar, until }) => devicesOf(calendar, until))
    serve(
      `${base}/activities/date/:date.json`,
      'activity',
      ({ calendar, until }, { date = '' }) => {
        const day = dayOfDate(date)
        return day === undefined ? undefined : daySummary(calendar, day, until)
      },
    )
    serve(`${base}/foods/log/date/:date.json`, 'nutrition', ({ calendar, now }, { date = '' }) => {
      const day = dayOfDate(date)
      return day === undefined ? undefined : foodsAnswer(calendar, day, now)
    })
    serve(`${base}/activities/list.json`, 'activity', (asked, _params, query) =>
      logsPage(asked, query),
    )
    for (const [name, scope] of Object.entries(INTRADAY) as [IntradayName, string][]) {
      const path = `${base}/activities/${name}/date/:date`
      serve(`${path}/1d/1min.json`, scope, ({ calendar, until }, { date = '' }) => {
        const day = dayOfDate(date)
        return day === undefined
          ? undefined
          : intraday(calendar, name, day, rowsOn(calendar, name, day, until))
      })
      serve(`${path}/:end/:detail/time/:from/:to.json`, scope, ({ calendar, until }, params) =>
        partOfDay(calendar, name, until, params),
      )
    }
    for (const [name, { path, scope, answer, mostDays }] of Object.entries(RANGES)) {
      serve(`/api${path}`, scope, ({ calendar, until }, { from = '', to = '' }) => {
        const [first, last] = [dayOfDate(from), dayOfDate(to)]
        if (first === undefined || last === undefined || first > last) return undefined
        if (last - first >= mostDays) return undefined
        return answer(daysOf(name as RangeName, calendar, first, last, until))
      })
    }
    serve(
      `${base}/irn/alerts/list.json`,
      'irregular_rhythm_notifications',
      ({ calendar, until }, _params, query) => {
        const after = dayOfDate(query.afterDate ?? '')
        if (after === undefined || query.sort !== 'asc') return undefined
        const last = Math.floor(until / DAY_MS) + 1
        const alerts = daysOf('irn', calendar, after + 1, last, until)
        return { alerts, pagination: { ...query, next: '' } }
      },
    )
  }
}

/** Returns the records of days, the oldest first. */
export function daysOf(
  name: RangeName,
  calendar: Calendar,
  first: number,
  last: number,
  until: number,
): unknown[] {
  const earliest = Math.floor(until / DAY_MS) - PAST_DAYS
  const records: unknown[] = []
  for (let day = Math.max(first, earliest); day <= last; day++) {
    records.push(...RANGES[name].on(calendar, day, until))
  }
  return records
}

function logsPage({ calendar, until, faults }: Asked, query: Record<string, string>): unknown {
  const after = dayOfDate(query.afterDate ?? '')
  const [offset, limit] = [Number(query.offset), Number(query.limit)]
  const isPage = Number.isInteger(offset) && offset >= 0 && limit >= 1 && limit <= MOST_LOGS
  if (after === undefined || query.sort !== 'asc' || !isPage) return undefined
  const all = logsAfter(calendar, after, until)
  const isTwice = faults.some(({ kind }) => kind === 'duplicate_pages') && query.again !== '1'
  const next = {
    ...query,
    ...(isTwice ? { again: '1' } : { offset: String(offset + limit), again: '0' }),
  }
  const hasNext = isTwice || all.length > offset + limit
  const url = `https://api.fitbit.com/1/user/-/activities/list.json?${new URLSearchParams(next)}`
  return {
    activities: all.slice(offset, offset + limit),
    pagination: { ...query, next: hasNext ? url : '', previous: '' },
  }
}

/** Returns the logs after a local day, the oldest first. */
export function logsAfter(calendar: Calendar, after: number, until: number): object[] {
  const first = Math.max(after + 1, Math.floor(until / DAY_MS) - PAST_DAYS)
  const last = calendar.dayAt(until).number
  const logs: object[] = []
  for (let day = first; day <= last; day++) {
    logs.push(...activityLogsOn(calendar, day, until).map((log) => activityRecord(calendar, log)))
  }
  return logs
}

/** Times are local times of the phone, which is where the person is. */
function partOfDay(
  calendar: Calendar,
  name: IntradayName,
  until: number,
  params: Record<string, string>,
): unknown {
  const { date = '', end = '', detail = '', from = '', to = '' } = params
  const [first, last] = [dayOfDate(date), dayOfDate(end)]
  const minutesOf = (text: string): number => {
    const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(text) ?? []
    return Number(hours) * 60 + Number(minutes)
  }
  if (first === undefined || last === undefined || last - first > 1) return undefined
  const local = (day: number, text: string): number => {
    const asUtc = day * DAY_MS + minutesOf(text) * 60_000
    return asUtc - calendar.offsetAt(asUtc - calendar.offsetAt(asUtc))
  }
  const span = { from: local(first, from), to: Math.min(local(last, to), until) }
  if (Number.isNaN(span.from) || Number.isNaN(span.to)) return undefined
  const isSeconds = detail === '1sec' && name === 'heart'
  const step = isSeconds ? 5 * SECOND_MS : 60 * SECOND_MS
  const days = [first - 1, first, first + 1, first + 2]
  const rows =
    name === 'heart'
      ? ratesIn(calendar, span, step)
      : days
          .flatMap((day) => rowsOn(calendar, name, day, until))
          .filter(({ at }) => at >= span.from && at < span.to)
  const shift = (at: number) => calendar.offsetAt(at) - offsetAt(zoneOf(calendar), at)
  const shown = rows.map(({ at, value }) => ({ at: at + shift(at), value }))
  return intraday(calendar, name, first, shown, isSeconds ? 'second' : 'minute')
}

function profileOf(account: string, calendar: Calendar, now: number): object {
  const { person } = calendar
  return {
    user: {
      age: person.age,
      dateOfBirth: `${new Date(now).getUTCFullYear() - person.age}-01-01`,
      displayName: account,
      encodedId: accountIdOf(account),
      gender: person.sex === 'male' ? 'MALE' : 'FEMALE',
      height: Number((person.heightMeters * 100).toFixed(1)),
      heightUnit: 'METRIC',
      offsetFromUTCMillis: offsetAt(zoneOf(calendar), now),
      timezone: zoneOf(calendar),
      weightUnit: 'METRIC',
    },
  }
}

const devicesOf = (calendar: Calendar, until: number): object[] => [
  {
    battery: 'High',
    deviceVersion: 'Charge 6',
    id: String(calendar.person.seed),
    lastSyncTime: localOf(calendar, until),
    type: 'TRACKER',
  },
  {
    battery: 'Medium',
    deviceVersion: 'Aria Air',
    id: `${calendar.person.seed}9`,
    lastSyncTime: localOf(calendar, until),
    type: 'SCALE',
  },
]

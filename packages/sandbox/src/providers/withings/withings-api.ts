import { DAY_MS } from '@salus/contracts/time-units'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Refusals, sendJson } from '../answers.ts'
import type { Fault } from '../faults.ts'
import type { Grants } from '../oauth/grants.ts'
import { recordingOn, voltagesOf } from '../people/body.ts'
import type { Calendar, Span } from '../people/days.ts'
import { dayOfDate } from '../people/local-time.ts'
import { RateLimit } from '../rate-limits.ts'
import type { VendorContext } from '../vendor.ts'
import { groupsOn } from './groups.ts'
import { stagesIn, summariesOn } from './nights.ts'
import {
  activityOn,
  CUFF,
  deviceId,
  type Fields,
  hasMat,
  heartOn,
  intradayIn,
  MAT,
  SCALE,
  secondsOf,
  THERMOMETER,
  WATCH,
  watchUntil,
  workoutOf,
} from './records.ts'
import { seenWorkouts } from './truth.ts'

/** Number of days before now at which data begin. */
export const PAST_DAYS = 400

/** Everything is HTTP 200; the status is in the body. */
export const refuse = (reply: FastifyReply, status: number, error: string): FastifyReply =>
  reply.status(200).send({ status, body: {}, error })

const REFUSALS: Refusals = {
  rateLimited: (reply) => refuse(reply, 601, 'Too Many Requests'),
  failed: (reply, status) =>
    status === 503 ? refuse(reply, 522, 'Timeout') : refuse(reply, 518, 'Internal error'),
  unauthorized: (reply) =>
    refuse(
      reply,
      401,
      'XRequestID: Not provided invalid_token: The access token provided is invalid',
    ),
}

export type Form = Record<string, string | undefined>

/** A caller with the access of a person. */
export interface Asker {
  account: string
  clientId: string
  calendar: Calendar
  form: Form
  now: number
  until: number
}

interface Action {
  readonly scope: string
  /** Returns the body of the answer; a text is what is wrong with the request. */
  readonly answer: (asker: Asker) => Fields | string
}

const spanOf = ({ startdate, enddate }: Form, now: number): Span | undefined => {
  const from = Number(startdate ?? Number.NaN) * 1000
  const to = enddate === undefined ? now : Number(enddate) * 1000
  return from <= to ? { from: Math.max(from, now - PAST_DAYS * DAY_MS), to } : undefined
}

/** Days from `startdateymd` to `enddateymd`, both inclusive, as far as there are data. */
function daysOf({ form, calendar, now }: Asker): number[] | undefined {
  const first = dayOfDate(form.startdateymd ?? '')
  const last = dayOfDate(form.enddateymd ?? '')
  if (first === undefined || last === undefined || first > last) return undefined
  const today = calendar.dayAt(now).number
  const from = Math.max(first, today - PAST_DAYS)
  const count = Math.max(0, Math.min(last, today) - from + 1)
  return Array.from({ length: count }, (_, position) => from + position)
}

/** Returns a page of a list from `offset` on. */
function pageOf(name: string, records: readonly unknown[], { form }: Asker, size: number): Fields {
  const offset = Number(form.offset ?? 0)
  const end = offset + size
  const more = end < records.length
  return { [name]: records.slice(offset, end), more, offset: more ? end : 0 }
}

/** Only requested fields are in `data`. */
function withFields(records: readonly Fields[], { form }: Asker): Fields[] {
  const wanted = new Set((form.data_fields ?? '').split(','))
  return records.map((record) => ({
    ...record,
    data: Object.fromEntries(Object.entries(record.data ?? {}).filter(([key]) => wanted.has(key))),
  }))
}

const isLongerThanDay = ({ from, to }: Span): boolean => to - from > DAY_MS

/** Actions by path. */
const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = {
  '/measure': {
    getmeas: {
      scope: 'user.metrics',
      answer(asker) {
        const { form, calendar, now } = asker
        const span = spanOf(form, now)
        if (span === undefined) return 'invalid startdate'
        const types = new Set((form.meastypes ?? form.meastype ?? '').split(',').map(Number))
        const groups = calendar
          .days({ from: span.from, to: span.to + 1 })
          .flatMap(({ number }) => groupsOn(calendar, number, now))
          .filter(({ date }) => isWithin(date as number, span))
          .filter(({ category }) => !form.category || String(category) === form.category)
          .map((group) => ({
            ...group,
            measures: (group.measures as { type: number }[]).filter(({ type }) => types.has(type)),
          }))
          .filter(({ measures }) => measures.length > 0)
        const updatetime = secondsOf(now)
        const timezone = calendar.zoneAt(now)
        return { updatetime, timezone, ...pageOf('measuregrps', groups, asker, 50) }
      },
    },
  },
  '/v2/measure': {
    getactivity: {
      scope: 'user.activity',
      answer(asker) {
        const days = daysOf(asker)
        if (days === undefined) return 'invalid startdateymd'
        const { calendar, until } = asker
        const rows = days.flatMap((day) => activityOn(calendar, day, until) ?? [])
        return pageOf('activities', rows, asker, 30)
      },
    },
    getintradayactivity: {
      scope: 'user.activity',
      answer({ form, calendar, now, until }) {
        const span = spanOf(form, now)
        if (span === undefined || isLongerThanDay(span)) return 'invalid startdate'
        const rows = intradayIn(calendar, { from: span.from, to: Math.min(span.to, until) })
        return { series: Object.keys(rows).length === 0 ? [] : rows }
      },
    },
    getworkouts: {
      scope: 'user.activity',
      answer(asker) {
        const days = daysOf(asker)
        if (days === undefined) return 'invalid startdateymd'
        const { calendar, until } = asker
        const rows = days.flatMap((day) =>
          seenWorkouts(calendar, day, until).map((one) => workoutOf(calendar, day, one)),
        )
        return pageOf('series', withFields(rows, asker), asker, 20)
      },
    },
  },
  '/v2/sleep': {
    getsummary: {
      scope: 'user.activity',
      answer(asker) {
        const days = daysOf(asker)
        if (days === undefined) return 'invalid startdateymd'
        const rows = days.flatMap((day) => summariesOn(asker.calendar, day, asker.until))
        return pageOf('series', withFields(rows, asker), asker, 5)
      },
    },
    get: {
      scope: 'user.activity',
      answer({ form, calendar, now, until }) {
        const span = spanOf(form, now)
        if (span === undefined || isLongerThanDay(span)) return 'invalid startdate'
        const wanted = new Set((form.data_fields ?? '').split(','))
        const always = new Set(['startdate', 'enddate', 'state', 'model', 'model_id'])
        const series = stagesIn(calendar, span, until).map((row) =>
          Object.fromEntries(
            Object.entries(row).filter(
              ([key]) => always.has(key) || key === 'hash_deviceid' || wanted.has(key),
            ),
          ),
        )
        return { series }
      },
    },
  },
  '/v2/heart': {
    list: {
      scope: 'user.activity',
      answer(asker) {
        const { form, calendar, now, until } = asker
        const span = spanOf(form, now)
        if (span === undefined) return 'invalid startdate'
        const rows = calendar
          .days({ from: span.from, to: span.to + 1 })
          .flatMap(({ number }): Fields[] => [heartOn(calendar, number, until) ?? []].flat())
          .filter(({ timestamp }) => isWithin(timestamp as number, span))
        return pageOf('series', rows, asker, 10)
      },
    },
    get: {
      scope: 'user.activity',
      answer({ form, calendar }) {
        const day = Math.floor((Number(form.signalid) % 10_000_000) / 100)
        const recording = Number.isFinite(day) ? recordingOn(calendar, day) : undefined
        if (recording === undefined) return 'invalid signalid'
        return { signal: signalOf(recording), sampling_frequency: HERTZ, wearposition: 1 }
      },
    },
  },
  '/v2/user': {
    getdevice: {
      scope: 'user.info',
      answer({ calendar, now, until }) {
        const devices = [SCALE, CUFF, WATCH, THERMOMETER, ...(hasMat(calendar) ? [MAT] : [])]
        return {
          devices: devices.map(({ kind, type, model, modelId }) => ({
            type,
            model,
            model_id: modelId,
            battery: 'high',
            deviceid: deviceId(calendar, kind),
            hash_deviceid: deviceId(calendar, kind),
            timezone: calendar.zoneAt(now),
            first_session_date: secondsOf(now - PAST_DAYS * DAY_MS),
            last_session_date: secondsOf(until),
          })),
        }
      },
    },
  },
}

/** A recording lasts this long. */
const RECORDING_SECONDS = 30
const HERTZ = 300
const signalOf = (recording: Parameters<typeof voltagesOf>[0]): number[] =>
  voltagesOf(recording, HERTZ, RECORDING_SECONDS)

const isWithin = (seconds: number, { from, to }: Span): boolean =>
  seconds * 1000 >= from && seconds * 1000 <= to

/** Registers the services for data, all of which are POST with an `action`. */
export function registerServices(
  app: FastifyInstance,
  context: VendorContext,
  grants: Grants,
): { ask: Ask } {
  const limit = new RateLimit(120, 60)
  const ask: Ask = async (request, reply, collection, scope) => {
    const form = (request.body ?? {}) as Form
    const [kind = '', token = ''] = (request.headers.authorization ?? '').split(' ')
    const bearer = kind.toLowerCase() === 'bearer' ? token : (form.access_token ?? '')
    const { faults, clock, calendarOf } = context
    const found = await grants.check(bearer, (account) => faults.keysOf(account))
    const now = clock.now().getTime()
    if (found === undefined) return void REFUSALS.unauthorized(reply)
    const { account, grant, rows } = found
    if (!limit.take(grant.clientId, now).isAllowed) return void REFUSALS.rateLimited(reply, 60)
    if (!grant.scopes.includes(scope)) return void refuse(reply, 277, 'Insufficient scope')
    const calendar = calendarOf(account)
    const until = watchUntil(calendar, now)
    const asker = { account, clientId: grant.clientId, calendar, form, now, until }
    return { asker, faults: await faults.find(account, 'data', collection, rows) }
  }
  for (const [path, actions] of Object.entries(ACTIONS)) {
    app.post(`/api${path}`, async (request, reply) => {
      const name = ((request.body ?? {}) as Form).action ?? ''
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined
      if (action === undefined) return refuse(reply, 2554, 'Wrong action or wrong webservice')
      const asked = await ask(request, reply, name, action.scope)
      if (asked === undefined) return reply
      const body = action.answer(asked.asker)
      if (typeof body === 'string') return refuse(reply, 503, `Invalid Params: ${body}`)
      return sendJson(reply, asked.faults, REFUSALS, () =>
        JSON.stringify({ status: 0, body: repeated(body, asked.asker, asked.faults) }),
      )
    })
  }
  return { ask }
}

/** With that fault a page is served again, and once only. */
function repeated(body: Fields, { form }: Asker, faults: readonly Fault[]): Fields {
  const isDoubled = faults.some(({ kind }) => kind === 'duplicate_pages')
  if (!isDoubled || typeof body.offset !== 'number' || form.offset !== undefined) return body
  return { ...body, more: true, offset: 0 }
}

export type Ask = (
  request: FastifyRequest,
  reply: FastifyReply,
  collection: string,
  scope: string,
) => Promise<{ asker: Asker; faults: readonly Fault[] } | undefined>

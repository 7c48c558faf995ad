import { ProviderFilter } from '@salus/contracts/providers'
import { DateOrDateTime, Nullable, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { sendList } from '@salus/kernel/http/stream-answer'
import type { FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { Activity } from '../activity/activity.schema.ts'
import {
  MergedActivity,
  MergedActivityDay,
  MergedActivityQuery,
} from '../activity/merged-activity.schema.ts'
import { readMergedActivity } from '../activity/merged-activity.service.ts'
import { Body } from '../body/body.schema.ts'
import { Electrocardiogram } from '../electrocardiogram/electrocardiogram.schema.ts'
import { Meal } from '../meal/meal.schema.ts'
import { MenstrualCycle } from '../menstrual-cycle/menstrual-cycle.schema.ts'
import { Profile } from '../profile/profile.schema.ts'
import { Sleep, SleepCycle } from '../sleep/sleep.schema.ts'
import { Workout } from '../workout/workout.schema.ts'
import type { RawResource } from './raw-summary.presenter.ts'
import {
  RawActivity,
  RawBody,
  RawDevice,
  RawProfile,
  RawSleep,
  RawWorkout,
} from './raw-summary.schema.ts'
import { SleepStream, WorkoutStream } from './streams.schema.ts'
import { readSleepStream, readWorkoutStream } from './streams.service.ts'
import {
  readProfile,
  readRawDevices,
  readRawProfile,
  readRawSummaries,
  readSummaries,
} from './summaries-reading.service.ts'
import type { DatedResource } from './summary-dates.ts'

const ByUserId = Type.Object({ user_id: Uuid })
const ByWorkoutId = Type.Object({ workout_id: Uuid })
const BySleepId = Type.Object({ sleep_id: Uuid })

const ProviderQuery = Type.Object({
  provider: ProviderFilter('Provider slug; empty is all.'),
})

const SummaryPeriodQuery = Type.Object({
  start_date: DateOrDateTime,
  end_date: Type.Optional(Nullable(DateOrDateTime)),
  ...ProviderQuery.properties,
})

/** An answer that is a list under one key. */
function listSchema(key: string, item: TSchema): TSchema {
  return Type.Object({ [key]: Type.Array(item) })
}

interface ListRoute {
  resource: DatedResource
  /** Key of the list in the answer. */
  key: string
  item: TSchema
  summary: string
  description: string
}

const BY_DAY = 'Found by calendar date; a date-time is cut to its date.'
const BY_START = 'A date is compared with the calendar date, a date-time with the start.'
const DATES_ONLY = 'Dates only; a date-time is cut to its date.'

const LISTS: readonly ListRoute[] = [
  {
    resource: 'activity',
    key: 'activity',
    item: Activity,
    summary: 'Read days of activity',
    description: BY_DAY,
  },
  {
    resource: 'body',
    key: 'body',
    item: Body,
    summary: 'Read body measurements',
    description: BY_START,
  },
  {
    resource: 'sleep',
    key: 'sleep',
    item: Sleep,
    summary: 'Read sleeps',
    description: 'A date is compared with the calendar date, a date-time with bedtime_stop.',
  },
  {
    resource: 'sleep_cycle',
    key: 'sleep_cycle',
    item: SleepCycle,
    summary: 'Read the stages of sleeps',
    description: `Found by the local day of the end. ${DATES_ONLY}`,
  },
  {
    resource: 'workouts',
    key: 'workouts',
    item: Workout,
    summary: 'Read workouts',
    description: BY_START,
  },
  { resource: 'meal', key: 'meals', item: Meal, summary: 'Read meals', description: BY_START },
  {
    resource: 'menstrual_cycle',
    key: 'menstrual_cycle',
    item: MenstrualCycle,
    summary: 'Read menstrual cycles',
    description: `Found when they overlap the range. ${DATES_ONLY}`,
  },
  {
    resource: 'electrocardiogram',
    key: 'electrocardiogram',
    item: Electrocardiogram,
    summary: 'Read electrocardiograms',
    description: `Found by the local day of the start. ${DATES_ONLY}`,
  },
]

const RAW_LISTS: readonly { resource: RawResource; item: TSchema }[] = [
  { resource: 'activity', item: RawActivity },
  { resource: 'body', item: RawBody },
  { resource: 'sleep', item: RawSleep },
  { resource: 'workouts', item: RawWorkout },
]

const tags = ['Summaries']

/** The public address that a request came to, for logos. */
type BaseUrl = (request: FastifyRequest) => string

/** Reads of summaries, of the items they were made of, and of streams. */
export function registerSummaryReadRoutes(
  app: App,
  { config }: { config: { baseUrl: string | undefined } },
): void {
  const baseUrl: BaseUrl = (request) => baseUrlOf(request, config.baseUrl)
  registerLists(app, baseUrl)
  registerRawLists(app, baseUrl)
  registerProfiles(app, baseUrl)
  registerStreams(app)
  registerMergedActivity(app)
}

function registerLists(app: App, baseUrl: BaseUrl): void {
  for (const { resource, key, item, summary, description } of LISTS) {
    app.get(
      `/v2/summary/${resource}/:user_id`,
      {
        config: { appAccess: 'path' },
        schema: {
          tags,
          summary,
          description,
          params: ByUserId,
          querystring: SummaryPeriodQuery,
          response: { 200: listSchema(key, item) },
        },
      },
      (request, reply) => {
        const { scope, params, query } = request
        const pages = readSummaries(scope, resource, params.user_id, query, baseUrl(request))
        return sendList(reply, { key, item }, pages)
      },
    )
  }
}

function registerRawLists(app: App, baseUrl: BaseUrl): void {
  for (const { resource, item } of RAW_LISTS) {
    app.get(
      `/v2/summary/${resource}/:user_id/raw`,
      {
        config: { appAccess: 'path' },
        schema: {
          tags,
          summary: `Read ${resource} as it came`,
          params: ByUserId,
          querystring: SummaryPeriodQuery,
          response: { 200: listSchema(resource, item) },
        },
      },
      (request, reply) => {
        const { scope, params, query } = request
        const pages = readRawSummaries(scope, resource, params.user_id, query, baseUrl(request))
        return sendList(reply, { key: resource, item }, pages)
      },
    )
  }
}

function registerProfiles(app: App, baseUrl: BaseUrl): void {
  const common = { tags, params: ByUserId, querystring: ProviderQuery }
  const profile: TSchema = Profile
  app.get(
    '/v2/summary/profile/:user_id',
    {
      config: { appAccess: 'path' },
      schema: { ...common, summary: 'Read the newest profile', response: { 200: profile } },
    },
    (request) => {
      const { scope, params, query } = request
      return readProfile(scope, params.user_id, query.provider, baseUrl(request))
    },
  )
  const rawProfile: TSchema = Type.Object({ profile: RawProfile })
  app.get(
    '/v2/summary/profile/:user_id/raw',
    {
      config: { appAccess: 'path' },
      schema: { ...common, summary: 'Read the profile as it came', response: { 200: rawProfile } },
    },
    async (request) => {
      const { scope, params, query } = request
      const address = baseUrl(request)
      return { profile: await readRawProfile(scope, params.user_id, query.provider, address) }
    },
  )
  const devices = listSchema('devices', RawDevice)
  app.get(
    '/v2/summary/devices/:user_id/raw',
    {
      config: { appAccess: 'path' },
      schema: {
        ...common,
        summary: 'Read the devices that data named',
        response: { 200: devices },
      },
    },
    async (request) => {
      const { scope, params, query } = request
      const address = baseUrl(request)
      return { devices: await readRawDevices(scope, params.user_id, query.provider, address) }
    },
  )
}

function registerStreams(app: App): void {
  const sleepStream: TSchema = SleepStream
  app.get(
    '/v2/timeseries/workouts/:workout_id/stream',
    {
      schema: {
        tags,
        summary: 'Read the stream of a workout',
        params: ByWorkoutId,
        response: { 200: WorkoutStream },
      },
    },
    (request) => readWorkoutStream(request.scope, request.params.workout_id),
  )
  app.get(
    '/v2/timeseries/sleep/:sleep_id/stream',
    {
      schema: {
        tags,
        summary: 'Read the samples of a sleep',
        params: BySleepId,
        response: { 200: sleepStream },
      },
    },
    async (request, reply) => {
      const body = await readSleepStream(request.scope, request.params.sleep_id)
      return reply.type('application/json; charset=utf-8').send(body)
    },
  )
}

function registerMergedActivity(app: App): void {
  const days: TSchema = MergedActivity
  app.get(
    '/v2/summary/activity/:user_id/merged',
    {
      config: { appAccess: 'path' },
      schema: {
        tags,
        summary: 'Read days of activity, all sources as one',
        description:
          'One object for each local day of the person. Dates only; a date-time is cut to its date.',
        params: ByUserId,
        querystring: MergedActivityQuery,
        response: { 200: days },
      },
    },
    ({ scope, params, query }, reply) => {
      const pages = readMergedActivity(scope, params.user_id, query)
      return sendList(reply, { key: 'activity', item: MergedActivityDay }, pages)
    },
  )
}

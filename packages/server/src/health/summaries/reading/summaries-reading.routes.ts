import type { FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import type { App } from '../../../platform/http/app-types.ts'
import { baseUrlOf } from '../../../platform/http/base-url.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { RawResource } from '../objects/raw-object.ts'
import {
  RawActivity,
  RawBody,
  RawDevice,
  RawProfile,
  RawSleep,
  RawWorkout,
} from '../schema/raw-summary.schema.ts'
import { SleepStream, WorkoutStream } from '../schema/streams.schema.ts'
import {
  Activity,
  Body,
  Electrocardiogram,
  Meal,
  MenstrualCycle,
  Profile,
  Sleep,
  SleepCycle,
  Workout,
} from '../summaries.schema.ts'
import type { ReadingContext } from './reading-context.ts'
import { readSleepStream, readWorkoutStream } from './streams.service.ts'
import {
  BySleepId,
  ByUserId,
  ByWorkoutId,
  listSchema,
  ProviderQuery,
  SummaryPeriodQuery,
} from './summaries-reading.schema.ts'
import {
  readProfile,
  readRawDevices,
  readRawProfile,
  readRawSummaries,
  readSummaries,
} from './summaries-reading.service.ts'
import type { DatedResource } from './summary-dates.ts'

export interface SummaryReadRoutesOptions {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
  config: { baseUrl: string | undefined }
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

type ContextOf = (request: FastifyRequest) => ReadingContext

/** Reads of summaries, of the items they were made of, and of streams. */
export function registerSummaryReadRoutes(app: App, options: SummaryReadRoutesOptions): void {
  const { db, clickhouse, clock, config } = options
  const contextOf: ContextOf = (request) => ({
    db,
    clickhouse,
    clock,
    environment: request.scope.environment,
    baseUrl: baseUrlOf(request, config.baseUrl),
  })
  registerLists(app, contextOf)
  registerRawLists(app, contextOf)
  registerProfiles(app, contextOf)
  registerStreams(app, contextOf)
}

function registerLists(app: App, contextOf: ContextOf): void {
  for (const { resource, key, item, summary, description } of LISTS) {
    app.get(
      `/v2/summary/${resource}/:user_id`,
      {
        schema: {
          tags,
          summary,
          description,
          params: ByUserId,
          querystring: SummaryPeriodQuery,
          response: { 200: listSchema(key, item) },
        },
      },
      async (request) => {
        const { user_id } = request.params
        return { [key]: await readSummaries(contextOf(request), resource, user_id, request.query) }
      },
    )
  }
}

function registerRawLists(app: App, contextOf: ContextOf): void {
  for (const { resource, item } of RAW_LISTS) {
    app.get(
      `/v2/summary/${resource}/:user_id/raw`,
      {
        schema: {
          tags,
          summary: `Read ${resource} as it came`,
          params: ByUserId,
          querystring: SummaryPeriodQuery,
          response: { 200: listSchema(resource, item) },
        },
      },
      async (request) => {
        const { user_id } = request.params
        const items = await readRawSummaries(contextOf(request), resource, user_id, request.query)
        return { [resource]: items }
      },
    )
  }
}

function registerProfiles(app: App, contextOf: ContextOf): void {
  const common = { tags, params: ByUserId, querystring: ProviderQuery }
  const profile: TSchema = Profile
  app.get(
    '/v2/summary/profile/:user_id',
    { schema: { ...common, summary: 'Read the newest profile', response: { 200: profile } } },
    (request) => readProfile(contextOf(request), request.params.user_id, request.query.provider),
  )
  const rawProfile: TSchema = Type.Object({ profile: RawProfile })
  app.get(
    '/v2/summary/profile/:user_id/raw',
    {
      schema: { ...common, summary: 'Read the profile as it came', response: { 200: rawProfile } },
    },
    async (request) => {
      const { params, query } = request
      return { profile: await readRawProfile(contextOf(request), params.user_id, query.provider) }
    },
  )
  const devices = listSchema('devices', RawDevice)
  app.get(
    '/v2/summary/devices/:user_id/raw',
    {
      schema: {
        ...common,
        summary: 'Read the devices that data named',
        response: { 200: devices },
      },
    },
    async (request) => {
      const { params, query } = request
      return { devices: await readRawDevices(contextOf(request), params.user_id, query.provider) }
    },
  )
}

function registerStreams(app: App, contextOf: ContextOf): void {
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
    (request) => readWorkoutStream(contextOf(request), request.params.workout_id),
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
      const body = await readSleepStream(contextOf(request), request.params.sleep_id)
      return reply.type('application/json; charset=utf-8').send(body)
    },
  )
}

import { ProviderFilter } from '@salus/contracts/providers'
import { DateOrDateTime, Nullable, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { sendList } from '@salus/kernel/http/stream-answer'
import type { FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { answerUnchanged, tagAnswerOf, type VersionedRead } from '../../day-cache/index.ts'
import {
  MergedActivity,
  MergedActivityDay,
  MergedActivityQuery,
} from '../activity/merged-activity.schema.ts'
import { readMergedActivity } from '../activity/merged-activity.service.ts'
import { MergedSleep, MergedWorkout } from '../merged/merged-sessions.schema.ts'
import { readMergedSessions } from '../merged/merged-sessions.service.ts'
import { registerPriorityPreviewRoutes } from '../merged/priority-preview.routes.ts'
import { Profile } from '../profile/profile.schema.ts'
import { RawDevice, RawProfile } from './raw-summary.schema.ts'
import { SleepStream, WorkoutStream } from './streams.schema.ts'
import { readSleepStream, readWorkoutStream } from './streams.service.ts'
import {
  readProfile,
  readRawDevices,
  readRawProfile,
  readRawSummaries,
  readSummaries,
} from './summaries-reading.service.ts'
import { type DatedResource, presentDateOf } from './summary-dates.ts'
import { LISTS, RAW_LISTS } from './summary-lists.registry.ts'

const ByUserId = Type.Object({ user_id: Uuid })
const ByWorkoutId = Type.Object({ workout_id: Uuid })
const BySleepId = Type.Object({ sleep_id: Uuid })

const ProviderQuery = Type.Object({
  provider: ProviderFilter('Provider slug; an empty value selects all providers.'),
})

const SummaryPeriodQuery = Type.Object({
  start_date: DateOrDateTime,
  end_date: Type.Optional(Nullable(DateOrDateTime)),
  ...ProviderQuery.properties,
})

/** Returns the schema of a list under one key. */
function listSchema(key: string, item: TSchema): TSchema {
  return Type.Object({ [key]: Type.Array(item) })
}

const tags = ['Summaries']

/** Returns the public address of a request, for logos. */
type BaseUrl = (request: FastifyRequest) => string

type UnchangedOptions = Pick<VersionedRead, 'isByPriority' | 'isFoundByHandler'>

/** Returns the hook that answers 304 to a client that has the summaries of a resource already. */
function unchangedOf(resource: DatedResource, baseUrl: BaseUrl, options: UnchangedOptions) {
  return answerUnchanged({
    ...options,
    findParts(request) {
      const query = request.query as { end_date?: string | null }
      const date = presentDateOf(resource, query, request.scope.clock.now())
      return date !== undefined && [baseUrl(request), date]
    },
  })
}

/** Registers reads of summaries, of their raw items, and of streams. */
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
  registerMergedSessions(app, baseUrl)
  registerPriorityPreviewRoutes(app)
}

function registerLists(app: App, baseUrl: BaseUrl): void {
  for (const { operationId, resource, key, item, summary, description } of LISTS) {
    app.get(
      `/v2/summary/${resource}/:user_id`,
      {
        config: { appAccess: 'path', hasTag: true },
        schema: {
          operationId,
          tags,
          summary,
          description,
          params: ByUserId,
          querystring: SummaryPeriodQuery,
          response: { 200: listSchema(key, item) },
        },
        preHandler: unchangedOf(resource, baseUrl, { isFoundByHandler: true }),
      },
      (request, reply) => {
        const { scope, params, query } = request
        const answer = { baseUrl: baseUrl(request), tagAnswer: tagAnswerOf(request) }
        const pages = readSummaries(scope, resource, params.user_id, query, answer)
        return sendList(reply, { key, item }, pages)
      },
    )
  }
}

function registerRawLists(app: App, baseUrl: BaseUrl): void {
  for (const { operationId, resource, what, item } of RAW_LISTS) {
    app.get(
      `/v2/summary/${resource}/:user_id/raw`,
      {
        config: { appAccess: 'path', hasTag: true },
        schema: {
          operationId,
          tags,
          summary: `List raw ${resource} items`,
          description: `Returns ${what} with the fields that the provider sent, grouped by provider.`,
          params: ByUserId,
          querystring: SummaryPeriodQuery,
          response: { 200: listSchema(resource, item) },
        },
        preHandler: unchangedOf(resource, baseUrl, { isFoundByHandler: true }),
      },
      (request, reply) => {
        const { scope, params, query } = request
        const answer = { baseUrl: baseUrl(request), tagAnswer: tagAnswerOf(request) }
        const pages = readRawSummaries(scope, resource, params.user_id, query, answer)
        return sendList(reply, { key: resource, item }, pages)
      },
    )
  }
}

const OF_USER = { tags, params: ByUserId, querystring: ProviderQuery }

function registerProfiles(app: App, baseUrl: BaseUrl): void {
  const preHandler = answerUnchanged({ findParts: (request) => [baseUrl(request)] })
  const profile: TSchema = Profile
  app.get(
    '/v2/summary/profile/:user_id',
    {
      config: { appAccess: 'path', hasTag: true },
      schema: {
        operationId: 'getProfile',
        ...OF_USER,
        summary: 'Get the profile of a user',
        description:
          'Returns the newest profile that a provider sent, with properties such as height and birth date.',
        response: { 200: profile },
      },
      preHandler,
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
      config: { appAccess: 'path', hasTag: true },
      schema: {
        operationId: 'getRawProfile',
        ...OF_USER,
        summary: 'Get the raw profile of a user',
        description: 'Returns the profile with the fields that the provider sent.',
        response: { 200: rawProfile },
      },
      preHandler,
    },
    async (request) => {
      const { scope, params, query } = request
      const address = baseUrl(request)
      return { profile: await readRawProfile(scope, params.user_id, query.provider, address) }
    },
  )
  registerRawDevices(app, baseUrl)
}

function registerRawDevices(app: App, baseUrl: BaseUrl): void {
  const devices = listSchema('devices', RawDevice)
  app.get(
    '/v2/summary/devices/:user_id/raw',
    {
      config: { appAccess: 'path', hasTag: true },
      schema: {
        operationId: 'listRawDevices',
        ...OF_USER,
        summary: 'List the raw devices of a user',
        description: 'Returns the devices that data named, with the fields that the provider sent.',
        response: { 200: devices },
      },
      preHandler: answerUnchanged({ findParts: (request) => [baseUrl(request)] }),
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
        operationId: 'getWorkoutStream',
        tags,
        summary: 'Get the stream of a workout',
        description:
          'Returns the samples of the workout as lists of equal length: the times, and the values at these times.',
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
        operationId: 'getSleepStream',
        tags,
        summary: 'Get the stream of a sleep',
        description:
          'Returns the samples of the sleep: heart rate, heart rate variability, respiratory rate and stages.',
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
      config: { appAccess: 'path', hasTag: true },
      schema: {
        operationId: 'getMergedActivities',
        tags,
        summary: 'List merged days of activity',
        description:
          'Returns one object for each local day of the user, with the sources merged. A date-time is truncated to its date.',
        params: ByUserId,
        querystring: MergedActivityQuery,
        response: { 200: days },
      },
      preHandler: unchangedOf('activity', () => '', { isByPriority: true }),
    },
    ({ scope, params, query }, reply) => {
      const pages = readMergedActivity(scope, params.user_id, query)
      return sendList(reply, { key: 'activity', item: MergedActivityDay }, pages)
    },
  )
}

const MERGED_SESSIONS = [
  { resource: 'sleep', operationId: 'getMergedSleeps', what: 'sleeps', item: MergedSleep },
  { resource: 'workouts', operationId: 'getMergedWorkouts', what: 'workouts', item: MergedWorkout },
] as const

function registerMergedSessions(app: App, baseUrl: BaseUrl): void {
  for (const { resource, operationId, what, item } of MERGED_SESSIONS) {
    app.get(
      `/v2/summary/${resource}/:user_id/merged`,
      {
        config: { appAccess: 'path', hasTag: true },
        schema: {
          operationId,
          tags,
          summary: `List merged ${what}`,
          description: `Returns ${what} in a time range with all sources merged, so that each counts once, with the records that were set aside and the reasons. Dates are compared as in the list of ${what}.`,
          params: ByUserId,
          querystring: SummaryPeriodQuery,
          response: { 200: listSchema(resource, item) },
        },
        preHandler: unchangedOf(resource, baseUrl, { isByPriority: true }),
      },
      (request, reply) => {
        const { scope, params, query } = request
        const pages = readMergedSessions(scope, resource, params.user_id, query, baseUrl(request))
        return sendList(reply, { key: resource, item }, pages)
      },
    )
  }
}

import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENT_PARAMS } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { Query, QueryConfig, SourceRule } from '../queries/index.ts'
import { QUERY_STATUSES, TASK_STATUSES } from './continuous-queries.tables.ts'
import { LEAST_GAP_SECONDS } from './schedule.ts'

export const InEnvironment = Type.Object(ENVIRONMENT_PARAMS)
export const OfQuery = Type.Object({ ...ENVIRONMENT_PARAMS, query_id: Uuid })

const Slug = Type.String({
  pattern: '^(?!.*--)(?!.*-$)(?!-.*$)[a-z0-9-]{1,128}$',
  description:
    'Permanent name of the query. It is unique in its environment, archived queries included.',
})
const Title = Type.String({ pattern: '^[\\p{L}\\p{N}()&_\\-. ]{0,50}$' })

const SchedulingPreferences = Type.Object(
  {
    minimum_gap_duration_second: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: LEAST_GAP_SECONDS,
          maximum: 31_536_000,
          description: `Minimum number of seconds between two evaluations for one user; null means ${LEAST_GAP_SECONDS}.`,
        }),
      ),
    ),
  },
  { title: 'ContinuousQuerySchedulingPreferencesInput' },
)

const ExportPreferencesInput = Type.Object(
  {
    data_events: Type.Optional(
      Type.Object({ enabled: Type.Optional(Type.Boolean({ default: true })) }),
    ),
    fhir_observations: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'The value is stored, but nothing is exported yet.',
      }),
    ),
  },
  { title: 'ContinuousQueryExportPreferencesInput' },
)

/** Body of create and validate requests (docs/contract/09-aggregate.md#continuous-queries). */
export const ContinuousQueryCreate = Type.Object(
  {
    slug: Slug,
    title: Title,
    query: Query,
    query_config: Type.Optional(Nullable(QueryConfig)),
    scheduling_preferences: Type.Optional(Nullable(SchedulingPreferences)),
    export_preferences: Type.Optional(Nullable(ExportPreferencesInput)),
  },
  { title: 'ContinuousQueryCreate' },
)
export type ContinuousQueryCreate = Type.Static<typeof ContinuousQueryCreate>

export const ContinuousQueryUpdate = Type.Object(
  {
    title: Type.Optional(Title),
    scheduling_preferences: Type.Optional(Nullable(SchedulingPreferences)),
  },
  { title: 'ContinuousQueryUpdate' },
)
export type ContinuousQueryUpdate = Type.Static<typeof ContinuousQueryUpdate>

export const CreateQuery = Type.Object({
  query_type: TextEnum(['team', 'platform'], {
    default: 'team',
    description: 'Owner of the query. Queries of the platform are not supported.',
  }),
})

export const ListQuery = Type.Object({
  next_cursor: Type.Optional(Type.String()),
  cursor: Type.Optional(
    Type.String({ deprecated: true, description: 'The value of `next_cursor`.' }),
  ),
  limit: Type.Integer({ default: 50, minimum: 1, maximum: 200 }),
})

export const ResultTableSchema = Type.Object(
  {
    columns: Type.Array(
      Type.Object({ name: Type.String(), type: Type.String(), nullable: Type.Boolean() }),
    ),
  },
  { title: 'ResultTableSchema' },
)

const ResourceDependencies = Type.Array(Type.String(), {
  description: 'Series and summaries that the query reads.',
})

export const ContinuousQuery = Type.Object(
  {
    id: Uuid,
    status: TextEnum(QUERY_STATUSES),
    slug: Type.String(),
    title: Type.String(),
    team_id: Nullable(Uuid),
    query: Type.Record(Type.String(), Type.Unknown()),
    query_config: Nullable(Type.Record(Type.String(), Type.Unknown())),
    scheduling_preferences: Type.Object({ minimum_gap_duration_second: Nullable(Type.Integer()) }),
    result_table_schema: ResultTableSchema,
    resource_dependencies: ResourceDependencies,
    export_preferences: Type.Object({
      data_events: Type.Object({ enabled: Type.Boolean() }),
      fhir_observations: Type.Boolean(),
    }),
    fhir_observation_mappers: Type.Array(Type.Unknown()),
  },
  { title: 'ContinuousQuery' },
)
export type ContinuousQuery = Type.Static<typeof ContinuousQuery>

export const ContinuousQueryList = Type.Object(
  { data: Type.Array(ContinuousQuery), next_cursor: Nullable(Type.String()) },
  { title: 'ContinuousQueryList' },
)

export const QueryValidation = Type.Object(
  {
    result_table_schema: ResultTableSchema,
    resource_dependencies: ResourceDependencies,
    fhir_observation_previews: Type.Null(),
  },
  { title: 'ContinuousQueryValidation' },
)
export type QueryValidation = Type.Static<typeof QueryValidation>

export const OfUserAndQuery = Type.Object({
  user_id: Uuid,
  query_id_or_slug: Type.String({ minLength: 1, maxLength: 128 }),
})

export const ResultTable = Type.Object(
  { table: Type.Record(Type.String(), Type.Array(Type.Unknown())), source_rule: SourceRule },
  { title: 'ContinuousQueryResultTable' },
)

export const TaskHistory = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          query_id: Uuid,
          user_id: Uuid,
          status: TextEnum(TASK_STATUSES),
          scheduled_at: DateTime,
          started_at: Nullable(DateTime),
          ended_at: Nullable(DateTime),
          error_details: Nullable(Type.String()),
        },
        { title: 'ContinuousQueryTask' },
      ),
    ),
    next_cursor: Nullable(Type.String()),
  },
  { title: 'ContinuousQueryTaskHistory' },
)
export type TaskHistory = Type.Static<typeof TaskHistory>

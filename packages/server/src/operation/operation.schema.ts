import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { JOB_STATES } from '@salus/kernel/jobs/job-outcome'
import { ENVIRONMENTS } from '@salus/kernel/scope'
import { READER_PROTECTIONS } from '@salus/lab/reports'
import Type from 'typebox'
import { ClusterServer, PostgresReplica } from './store-servers.schema.ts'

/**
 * State of the installation, as its operator sees it (docs/contract/01-conventions.md#operation).
 */

const TableSize = Type.Object(
  {
    name: Type.String(),
    bytes: Type.Integer(),
    rows: Type.Integer({
      description: 'Approximate number of rows; in PostgreSQL an estimate from its statistics.',
    }),
  },
  { title: 'TableSize' },
)

const StoreSize = Type.Object(
  { bytes: Type.Integer(), tables: Type.Array(TableSize) },
  { title: 'StoreSize' },
)

const Minute = Type.Object(
  {
    at: DateTime,
    requests: Type.Integer({ description: 'Number of requests that this process answered.' }),
    refused: Type.Integer({ description: 'Number of answers with a status of 4xx.' }),
    failed: Type.Integer({ description: 'Number of answers with a status of 5xx.' }),
    mean_ms: Type.Number({ description: 'Mean time to an answer, in milliseconds.' }),
  },
  { title: 'RequestMinute' },
)

const Files = Type.Object(
  {
    kinds: Type.Array(
      Type.Object({ kind: Type.String(), files: Type.Integer(), bytes: Type.Integer() }),
    ),
    free_bytes: Type.Integer(),
    total_bytes: Type.Integer(),
  },
  {
    title: 'FileUsage',
    description: 'Usage of the file storage; null when files are in a bucket.',
  },
)

export const OperationStatus = Type.Object(
  {
    versions: Type.Object({
      salus: Type.String(),
      node: Type.String(),
      postgres: Type.String(),
      clickhouse: Type.String(),
      schema: Type.String({ description: 'Number and name of the newest migration.' }),
    }),
    process: Type.Object({
      started_at: DateTime,
      roles: Type.Array(Type.String()),
      memory_bytes: Type.Integer(),
      stalls: Type.Integer({
        description:
          'Number of times since the start at which all requests waited 100 ms or longer.',
      }),
      embedded: Type.Array(TextEnum(['postgres', 'clickhouse']), {
        description: 'Databases that run inside this installation.',
      }),
      postgres_pooling: Type.Object(
        {
          mode: TextEnum(['none', 'session', 'transaction']),
          prepares_statements: Type.Boolean({
            description: 'Whether PostgreSQL keeps the plans of frequent statements.',
          }),
        },
        {
          description:
            'Pooler between this process and PostgreSQL: its mode, which is `none` for a direct connection.',
        },
      ),
      lab_report_reader: Type.Object(
        {
          protections: Type.Array(TextEnum(READER_PROTECTIONS)),
          missing: Type.Array(TextEnum(READER_PROTECTIONS), {
            description: 'Protections that the operating system of this process lacks.',
          }),
        },
        {
          description:
            'Restrictions that the operating system puts on the processes that read uploaded reports, even when a file has taken ' +
            'one over: reading other `files`, `writing`, the `network`, `local_sockets`, starting `programs`, ' +
            'and signals to the `server` and looks into it. Each was tried once.',
        },
      ),
    }),
    workers: Type.Array(
      Type.Object({
        started_at: DateTime,
        running: Type.Integer({ description: 'Number of jobs that it is running.' }),
      }),
      {
        description:
          'Workers of all processes; each process has one worker for jobs, one for imports and one for lab reports.',
      },
    ),
    postgres: StoreSize,
    postgres_replicas: Type.Array(PostgresReplica, {
      description: 'Read replicas of PostgreSQL, as the process that answers sees them.',
    }),
    clickhouse: StoreSize,
    clickhouse_servers: Type.Array(ClusterServer, {
      description:
        'Servers of the ClickHouse cluster, shard by shard; empty for a single server and for the embedded engine.',
    }),
    files: Nullable(Files),
    requests: Type.Array(Minute, {
      description: 'Minutes of the last hour with requests, the oldest first.',
    }),
  },
  { title: 'OperationStatus' },
)
export type OperationStatus = Type.Static<typeof OperationStatus>

// Jobs

export const JobKindList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        kind: Type.String(),
        waiting: Type.Integer({ description: 'Number of jobs that can run now.' }),
        scheduled: Type.Integer({ description: 'Number of jobs that are scheduled for later.' }),
        running: Type.Integer(),
        failing: Type.Integer({ description: 'Number that failed and will be retried.' }),
        given_up: Type.Integer({ description: 'Number of jobs that failed for good.' }),
        forgotten: Type.Integer({
          description: 'Total number of jobs that were given up and removed 30 days later.',
        }),
        oldest_waiting_at: Nullable(DateTime),
      }),
    ),
  },
  { title: 'JobKindList' },
)
export type JobKindList = Type.Static<typeof JobKindList>

export const JobQuery = Type.Object({
  state: Type.Optional(
    TextEnum(JOB_STATES, {
      description:
        'State of the job: `waiting` can run now, `scheduled` runs later, `failing` will be retried, and `given_up` will not.',
    }),
  ),
  kind: Type.Optional(Type.String({ maxLength: 100, description: 'Kind of the job.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  next_cursor: Type.Optional(Type.String()),
})
export type JobQuery = Type.Static<typeof JobQuery>

/** Team of a row. */
export const TeamOfRow = Nullable(
  Type.Object(
    { id: Uuid, name: Type.String(), env: TextEnum(ENVIRONMENTS), organization_id: Uuid },
    { title: 'TeamOfRow', description: 'Team of the row; null when it belongs to no team.' },
  ),
)

export const Job = Type.Object(
  {
    id: Type.Integer(),
    kind: Type.String(),
    state: TextEnum(JOB_STATES),
    team: TeamOfRow,
    attempts: Type.Integer(),
    max_attempts: Type.Integer(),
    created_at: DateTime,
    run_at: DateTime,
    updated_at: DateTime,
    failure: Nullable(
      Type.Object(
        {
          name: Type.String({ description: 'Class of the error.' }),
          code: Nullable(Type.String()),
          message: Nullable(
            Type.String({
              description: 'Message of the error; null unless Salus itself raised it.',
            }),
          ),
          at: Nullable(
            Type.String({ description: 'File and line in which the error was raised.' }),
          ),
        },
        { title: 'JobFailure', description: 'Error of the last attempt.' },
      ),
    ),
  },
  { title: 'Job' },
)
export const JobList = Type.Object(
  { data: Type.Array(Job), next_cursor: Nullable(Type.String()) },
  { title: 'JobList' },
)
export type JobList = Type.Static<typeof JobList>

export const JobRetry = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
        minItems: 1,
        maxItems: 500,
        description: 'Ids of failed jobs.',
        examples: [[1]],
      }),
    ),
    kind: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Kind of which all jobs that were given up are retried.',
      }),
    ),
  },
  { title: 'JobRetry' },
)
export type JobRetry = Type.Static<typeof JobRetry>
export const JobRetried = Type.Object({
  retried: Type.Integer({ description: 'Number of jobs that are retried.' }),
})

// Delivery

const Milliseconds = Nullable(Type.Integer({ description: 'Time in milliseconds.' }))

export const DeliveryStatus = Type.Object(
  {
    outbox: Type.Object({
      events: Type.Integer({
        description: 'Number of events that were not dispatched to endpoints yet.',
      }),
      oldest_at: Nullable(DateTime),
    }),
    minutes: Type.Array(
      Type.Object({
        at: DateTime,
        events: Type.Integer(),
        succeeded: Type.Integer(),
        failed: Type.Integer(),
      }),
      { description: 'Events and attempts of each minute of the last hour.' },
    ),
    endpoints: Type.Array(
      Type.Object({
        webhook_id: Uuid,
        team: TeamOfRow,
        host: Type.String({ description: 'Host of the URL.' }),
        disabled_reason: Nullable(TextEnum(['manual', 'gone', 'failing'])),
        failing_since: Nullable(DateTime),
        failures: Type.Integer({ description: 'Number of failures since the last success.' }),
        pending: Type.Integer({ description: 'Number of messages that were not attempted yet.' }),
        oldest_pending_at: Nullable(DateTime),
        retrying: Type.Integer({ description: 'Number that failed and will be retried.' }),
        succeeded: Type.Integer({
          description: 'Number of attempts of the last hour with this outcome.',
        }),
        failed: Type.Integer({
          description: 'Number of attempts of the last hour with this outcome.',
        }),
        duration_p50_ms: Milliseconds,
        duration_p95_ms: Milliseconds,
        lag_p50_ms: Milliseconds,
        lag_p95_ms: Milliseconds,
      }),
      {
        description:
          'Endpoints of all teams; those with problems come first. Durations and lags are those of the newest 500 attempts of the last hour; the lag is the time from the event to its first attempt.',
      },
    ),
  },
  { title: 'DeliveryStatus' },
)
export type DeliveryStatus = Type.Static<typeof DeliveryStatus>

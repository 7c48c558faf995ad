import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { JOB_STATES } from '@salus/kernel/jobs/job-outcome'
import { ENVIRONMENTS } from '@salus/kernel/scope'
import { READER_PROTECTIONS } from '@salus/lab/reports'
import Type from 'typebox'

/** What whoever runs the installation sees of it (docs/contract/01-conventions.md#operation). */

const TableSize = Type.Object(
  {
    name: Type.String(),
    bytes: Type.Integer(),
    rows: Type.Integer({ description: 'About so many, of PostgreSQL by its statistics.' }),
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
    requests: Type.Integer({ description: 'Answered by this process.' }),
    refused: Type.Integer({ description: 'Of them, with a status of 4xx.' }),
    failed: Type.Integer({ description: 'Of them, with a status of 5xx.' }),
    mean_ms: Type.Number({ description: 'Time to answer, on average.' }),
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
  { title: 'FileUsage', description: 'Null of files in a bucket.' },
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
        description: 'How often all requests waited 100 ms or longer, since the start.',
      }),
      embedded: Type.Array(TextEnum(['postgres', 'clickhouse']), {
        description: 'Databases that run inside this installation.',
      }),
      lab_report_reader: Type.Object(
        {
          protections: Type.Array(TextEnum(READER_PROTECTIONS)),
          missing: Type.Array(TextEnum(READER_PROTECTIONS), {
            description: 'Those that the system of this process does not have.',
          }),
        },
        {
          description:
            'What the system keeps the processes from that read uploaded reports, even when a file has taken ' +
            'one over: reading other `files`, `writing`, the `network`, `local_sockets`, starting `programs`, ' +
            'and signals to the `server` and looks into it. Each was tried once.',
        },
      ),
    }),
    workers: Type.Array(
      Type.Object({
        started_at: DateTime,
        running: Type.Integer({ description: 'Jobs that it works on.' }),
      }),
      { description: 'Of all processes; each has one for jobs, imports and lab reports.' },
    ),
    postgres: StoreSize,
    clickhouse: StoreSize,
    files: Nullable(Files),
    requests: Type.Array(Minute, {
      description: 'Of the last hour, oldest first; minutes without any are left out.',
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
        waiting: Type.Integer({ description: 'That could run now.' }),
        scheduled: Type.Integer({ description: 'For later.' }),
        running: Type.Integer(),
        failing: Type.Integer({ description: 'Failed, and to be tried again.' }),
        given_up: Type.Integer({ description: 'Failed for good.' }),
        forgotten: Type.Integer({
          description: 'Given up, and removed 30 days later, ever.',
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
        '`waiting` could run now, `scheduled` later; `failing` will be tried again, `given_up` not.',
    }),
  ),
  kind: Type.Optional(Type.String({ maxLength: 100, description: 'Kind of the job.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  next_cursor: Type.Optional(Type.String()),
})
export type JobQuery = Type.Static<typeof JobQuery>

/** Whose a row is. */
export const TeamOfRow = Nullable(
  Type.Object(
    { id: Uuid, name: Type.String(), env: TextEnum(ENVIRONMENTS), organization_id: Uuid },
    { title: 'TeamOfRow', description: 'Whose it is; null of what belongs to no team.' },
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
          message: Nullable(Type.String({ description: 'Only of errors of Salus.' })),
          at: Nullable(Type.String({ description: 'File and line.' })),
        },
        { title: 'JobFailure', description: 'Why the last attempt failed.' },
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
        description: 'Jobs that failed.',
        examples: [[1]],
      }),
    ),
    kind: Type.Optional(
      Type.String({ maxLength: 100, description: 'All of this kind that were given up.' }),
    ),
  },
  { title: 'JobRetry' },
)
export type JobRetry = Type.Static<typeof JobRetry>
export const JobRetried = Type.Object({ retried: Type.Integer({ description: 'How many.' }) })

// Delivery

const Milliseconds = Nullable(Type.Integer({ description: 'Milliseconds.' }))

export const DeliveryStatus = Type.Object(
  {
    outbox: Type.Object({
      events: Type.Integer({ description: 'For which no endpoints were chosen yet.' }),
      oldest_at: Nullable(DateTime),
    }),
    minutes: Type.Array(
      Type.Object({
        at: DateTime,
        events: Type.Integer(),
        succeeded: Type.Integer(),
        failed: Type.Integer(),
      }),
      { description: 'Of the last hour: events written, and attempts by their outcome.' },
    ),
    endpoints: Type.Array(
      Type.Object({
        webhook_id: Uuid,
        team: TeamOfRow,
        host: Type.String({ description: 'Of the address.' }),
        disabled_reason: Nullable(TextEnum(['manual', 'gone', 'failing'])),
        failing_since: Nullable(DateTime),
        failures: Type.Integer({ description: 'Since the last success.' }),
        pending: Type.Integer({ description: 'Never attempted yet.' }),
        oldest_pending_at: Nullable(DateTime),
        retrying: Type.Integer({ description: 'Failed, and to be tried again.' }),
        succeeded: Type.Integer({ description: 'Attempts of the last hour.' }),
        failed: Type.Integer({ description: 'Attempts of the last hour.' }),
        duration_p50_ms: Milliseconds,
        duration_p95_ms: Milliseconds,
        lag_p50_ms: Milliseconds,
        lag_p95_ms: Milliseconds,
      }),
      {
        description:
          'Of all teams, those in trouble first. Times are of the newest 500 attempts of the last hour; lag is from the event to its first attempt.',
      },
    ),
  },
  { title: 'DeliveryStatus' },
)
export type DeliveryStatus = Type.Static<typeof DeliveryStatus>

// Providers

export const ProviderStatusList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        provider: Type.String(),
        provider_name: Type.String({ description: 'As people write it.', examples: ['Oura'] }),
        env: TextEnum(ENVIRONMENTS),
        connected: Type.Integer(),
        in_error: Type.Integer({ description: 'Connections that no longer work.' }),
        tasks: Type.Integer({ description: 'Collections of connections that are asked for.' }),
        due: Type.Integer(),
        oldest_due_at: Nullable(DateTime),
        failing: Type.Integer({ description: 'Tasks whose last attempt failed.' }),
        failing_reason: Nullable(Type.String({ description: 'The most frequent one.' })),
        last_success_at: Nullable(DateTime),
        budgets: Type.Array(
          Type.Object({
            per: TextEnum(['app', 'connection']),
            requests: Nullable(Type.Integer({ description: 'Allowed in so many seconds.' })),
            seconds: Nullable(Type.Integer()),
            used: Type.Integer({ description: 'Apps or connections that drew on theirs lately.' }),
            available: Nullable(
              Type.Integer({ description: 'Requests that can be sent at once, by who has least.' }),
            ),
            capacity: Nullable(Type.Integer()),
            spent: Type.Integer({ description: 'Of those used, how many have none left.' }),
            blocked_until: Nullable(DateTime),
          }),
        ),
      }),
    ),
  },
  { title: 'ProviderStatusList' },
)
export type ProviderStatusList = Type.Static<typeof ProviderStatusList>

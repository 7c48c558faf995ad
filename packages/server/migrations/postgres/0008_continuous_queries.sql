-- Continuous queries: queries that are kept, and evaluated for every person when their data change

create table continuous_queries (
  environment_id uuid not null references team_environments (id),
  id uuid not null,
  slug text not null,
  title text not null,
  status text not null check (status in ('active', 'archived')),
  -- as it came
  query json not null,
  query_config json,
  -- null: the default
  minimum_gap_seconds integer check (minimum_gap_seconds >= 1800),
  data_events_enabled boolean not null,
  fhir_observations boolean not null,
  result_table_schema jsonb not null,
  -- names of series and summaries whose changes touch the result
  resource_dependencies text[] not null,
  created_at timestamptz not null,
  -- a new query is evaluated for everyone a minute after its creation; until all are marked, the last
  -- person who was
  begun_at timestamptz,
  begun_through uuid,
  primary key (environment_id, id),
  -- also of archived ones, whose results stay readable by it
  unique (environment_id, slug)
);

create index continuous_queries_by_creation
  on continuous_queries (environment_id, created_at, id);
create index continuous_queries_to_begin on continuous_queries (created_at)
  where begun_at is null and status = 'active';

-- Results. Rows, their task and their event are written in one transaction, so they live here. Queries
-- are never removed, only archived; people are, so what is of a person hangs on the person alone.

create table continuous_query_rows (
  environment_id uuid not null,
  user_id uuid not null,
  query_id uuid not null,
  -- JSON array of the values of the group keys, or its digest where that is long
  key text not null,
  -- wall-clock time at which the bucket of the row begins, in milliseconds as if it were UTC
  bucket bigint not null,
  -- array of the values, in the order of the columns of the query
  row jsonb not null,
  primary key (environment_id, user_id, query_id, key),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index continuous_query_rows_by_bucket
  on continuous_query_rows (environment_id, user_id, query_id, bucket);

-- What has to be evaluated. Written before the data are stored, so that no crash can lose it, and
-- removed in the transaction that stores the results. Every upload may touch a mark; those updates
-- change no indexed column and stay on their page.

create table continuous_query_marks (
  environment_id uuid not null,
  user_id uuid not null,
  query_id uuid not null,
  -- the instants that may have changed since the last claim; without bounds: everything
  range tstzrange not null,
  -- what the last claim took, until it is known that it was evaluated after it was stored
  claimed tstzrange not null default 'empty',
  -- of the latest change
  marked_at timestamptz not null,
  -- while an evaluation runs: when it counts as lost
  due_at timestamptz not null,
  -- evaluations that failed since the last one that did not
  failures integer not null default 0,
  primary key (environment_id, user_id, query_id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
) with (fillfactor = 70);

create index continuous_query_marks_due on continuous_query_marks (due_at);
create index continuous_query_marks_by_query on continuous_query_marks (environment_id, query_id);

-- The last evaluation of each query and person that came to an end

create table continuous_query_evaluations (
  environment_id uuid not null,
  user_id uuid not null,
  query_id uuid not null,
  evaluated_at timestamptz not null,
  -- what beside the data decides the result; when it changes, everything is evaluated again
  basis text not null,
  primary key (environment_id, user_id, query_id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

-- What happened, and what will

create table continuous_query_tasks (
  environment_id uuid not null,
  user_id uuid not null,
  query_id uuid not null,
  sequence bigint generated always as identity,
  status text not null check (status in ('scheduled', 'started', 'completed', 'error', 'skipped')),
  scheduled_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  error_details text,
  primary key (environment_id, user_id, query_id, sequence),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

-- One at a time has not ended.
create unique index continuous_query_tasks_open
  on continuous_query_tasks (environment_id, user_id, query_id)
  where status in ('scheduled', 'started');
create index continuous_query_tasks_ended on continuous_query_tasks (ended_at);

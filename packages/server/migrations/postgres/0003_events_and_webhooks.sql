-- Events: what happened, written in the transaction of the change it tells about

create table events (
  environment_id uuid not null references team_environments (id),
  -- msg_ and a ULID; the message id of every delivery
  id text not null,
  -- order of writing
  sequence bigint generated always as identity,
  -- whoever has read up to a transaction before the oldest one that runs has missed nothing
  transaction_id xid8 not null default pg_current_xact_id(),
  event_type text not null,
  user_id uuid,
  -- the message as it is sent: JSON, zstd where it is long
  body bytea not null,
  body_bytes integer not null,
  created_at timestamptz not null,
  -- one endpoint that alone gets it (an example), or that alone does not (a notice about itself)
  only_endpoint_id uuid,
  except_endpoint_id uuid,
  -- why no endpoint got it
  unsent_reason text,
  primary key (environment_id, id)
);

-- Long bodies come compressed.
alter table events alter column body set storage external;
create index events_feed on events (environment_id, transaction_id, sequence);
create index events_by_user on events (environment_id, user_id, id) where user_id is not null;
create index events_by_type on events (environment_id, event_type, id);

-- The outbox: events for which no endpoints were chosen yet. It is written and emptied all the time,
-- so it holds nothing that would be dear to write twice.

create table waiting_events (
  sequence bigint primary key,
  environment_id uuid not null,
  event_id text not null,
  -- while it waits, a later event of the same key takes its place
  coalesce_key text,
  dispatch_after timestamptz
);

create unique index waiting_events_coalescing on waiting_events (environment_id, coalesce_key)
  where coalesce_key is not null;
create index waiting_events_by_event on waiting_events (environment_id, event_id);

-- Samples live in another store, so their events cannot share a transaction with them. A note stands
-- here from before the samples are stored until their events are; one that was left behind tells what
-- may still have to be announced.

create table unannounced_samples (
  environment_id uuid not null references team_environments (id),
  user_id uuid not null,
  series text not null,
  id uuid not null,
  provider text not null,
  range_start timestamptz not null,
  range_end timestamptz not null,
  -- stored versions from here on; null where the source itself says when a sample was written
  least_version bigint,
  base_url text not null,
  created_at timestamptz not null,
  primary key (environment_id, user_id, series, id)
);

create index unannounced_samples_by_creation on unannounced_samples (created_at);

-- Webhooks

create table webhook_endpoints (
  environment_id uuid not null references team_environments (id),
  id uuid not null,
  url text not null,
  description text,
  rate_limit integer check (rate_limit > 0),
  -- null or empty: every event
  filter_types text[],
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('manual', 'gone', 'failing')),
  -- sealed with the secret key of the deployment
  headers bytea,
  secret bytea not null,
  -- [{"secret": base64 of sealed, "until": instant}], newest first
  former_secrets jsonb not null default '[]',
  -- failures since the last success; see delivery/endpoint-health.ts
  first_failure_at timestamptz,
  last_failure_at timestamptz,
  failures integer not null default 0,
  failing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (environment_id, id)
);

create index webhook_endpoints_by_creation on webhook_endpoints (environment_id, created_at, id)
  where deleted_at is null;

-- One row for each event and each endpoint that wants it

create table webhook_deliveries (
  environment_id uuid not null,
  event_id text not null,
  endpoint_id uuid not null,
  -- of the event
  sequence bigint not null,
  user_id uuid,
  status text not null check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  -- attempts made in all; they are numbered from 1
  attempts integer not null default 0,
  -- a resend begins a new run through the schedule
  run integer not null default 0,
  -- failures of this run
  failures integer not null default 0,
  -- null while pending: the first attempt, at once and in order
  next_attempt_at timestamptz,
  updated_at timestamptz not null,
  primary key (environment_id, event_id, endpoint_id)
);

create index webhook_deliveries_first on webhook_deliveries (endpoint_id, sequence)
  where status = 'pending' and next_attempt_at is null;
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at)
  where status = 'pending' and next_attempt_at is not null;

create index webhook_deliveries_failed on webhook_deliveries (environment_id, event_id)
  where status = 'failed';

create table webhook_attempts (
  environment_id uuid not null,
  event_id text not null,
  endpoint_id uuid not null,
  number integer not null,
  attempted_at timestamptz not null,
  -- null when no answer came; then error says why
  response_status integer,
  error text,
  duration_ms integer not null,
  -- the first 4 KiB
  response_body text not null,
  primary key (environment_id, event_id, endpoint_id, number)
);

create index webhook_attempts_by_endpoint
  on webhook_attempts (environment_id, endpoint_id, attempted_at, event_id);

-- What tells a wrong secret key from the right one

create table secret_key_checks (
  singleton boolean primary key default true check (singleton),
  sealed bytea not null
);

-- What is asked of cloud providers, when, and what of it is held.

-- One row for each collection of a connection. Polls change a row many times, so pages keep room for a new version of
-- it beside the old one.
create table pull_tasks (
  environment_id uuid not null,
  user_id uuid not null,
  provider text not null,
  collection text not null,
  -- the vendor's account that the coverage is of
  account_id text,
  -- ranges in order of time: held, pending, refused, unavailable, with reasons, attempts and cursors
  coverage jsonb not null,
  -- what came before is history
  polls_from timestamptz not null,
  planned_at timestamptz not null,
  -- what is next: the newest records, or ranges of the past
  kind text not null check (kind in ('poll', 'backfill')),
  -- null: nothing is to be asked; while a process works on it, when its lease ends
  due_at timestamptz,
  lease uuid,
  poll_at timestamptz not null,
  -- somebody, or the vendor, wants the newest records before that
  wanted_at timestamptz,
  -- polls that failed one after the other
  failures integer not null,
  attempted_at timestamptz,
  succeeded_at timestamptz,
  reason text,
  primary key (environment_id, user_id, provider, collection),
  foreign key (environment_id, user_id, provider)
    references connections (environment_id, user_id, provider) on delete cascade
) with (fillfactor = 70);

create index pull_tasks_due on pull_tasks (kind, due_at) where due_at is not null;
create index pull_tasks_leased on pull_tasks (lease) where lease is not null;

-- How much vendors may still be asked; shared by all processes.
create table pull_budgets (
  bucket text primary key,
  tokens double precision not null,
  filled_at timestamptz not null,
  blocked_until timestamptz
);

-- Days of history that a team wants, by provider, and of some resources others.
create table team_pull_preferences (
  environment_id uuid not null,
  provider text not null,
  days integer,
  resource_overrides jsonb not null,
  updated_at timestamptz not null,
  primary key (environment_id, provider)
);

-- Which environments use which app of a vendor that sends messages, and since when it does.
create table push_subscriptions (
  provider text not null,
  app_key text not null,
  environment_id uuid not null,
  subscribed_at timestamptz,
  primary key (provider, app_key, environment_id)
);

-- Messages of vendors, verified, until they are applied.
create table vendor_messages (
  id uuid primary key,
  provider text not null,
  app_key text not null,
  body bytea not null,
  received_at timestamptz not null
);

-- When the newest data of a person were asked for, in the last hour.
create table user_refreshes (
  environment_id uuid not null,
  user_id uuid not null,
  asked_at timestamptz[] not null,
  primary key (environment_id, user_id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

-- Runs of history that Salus pulls itself are planned before they begin, and may fail.
alter table historical_pulls
  add column scheduled_at timestamptz,
  add column error_details text,
  alter column started_at drop not null,
  drop constraint historical_pulls_status_check,
  add constraint historical_pulls_status_check
    check (status in ('scheduled', 'in_progress', 'retrying', 'success', 'failure'));
update historical_pulls set scheduled_at = started_at;
alter table historical_pulls alter column scheduled_at set not null;

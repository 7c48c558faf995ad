-- Rules on the data of people (docs/decisions/0144-rules-on-the-data-of-a-person.md)

create table rules (
  environment_id uuid not null references team_environments (id),
  id uuid not null,
  name text not null,
  status text not null check (status in ('active', 'paused')),
  -- as it came
  condition json not null,
  -- names of series and summaries whose changes the rule judges; '*' is any
  resources text[] not null,
  -- false: those in rule_people
  applies_to_all boolean not null,
  emits_events boolean not null,
  task_priority text,
  task_escalation_minutes integer,
  cool_down_minutes integer not null,
  maximum_data_age_hours integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- since it was last made active, or its condition was changed
  activated_at timestamptz not null,
  -- rules on silence look once for the newest data of everyone: until then, the last person of whom
  -- they are known
  prepared_at timestamptz,
  prepared_through uuid,
  primary key (environment_id, id)
);

create index rules_by_creation on rules (environment_id, created_at, id);
create index rules_to_prepare on rules (activated_at) where prepared_at is null and status = 'active';

create table rule_people (
  environment_id uuid not null,
  rule_id uuid not null,
  user_id uuid not null,
  primary key (environment_id, rule_id, user_id),
  foreign key (environment_id, rule_id) references rules (environment_id, id) on delete cascade,
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index rule_people_by_user on rule_people (environment_id, user_id);

-- Times in which a condition holds for a person
create table rule_episodes (
  environment_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  user_id uuid not null,
  -- local times in milliseconds as if they were UTC; of silence instants
  starts_at bigint not null,
  -- null while the condition holds
  ends_at bigint,
  value double precision,
  -- the values of the last steps before it was triggered
  steps jsonb not null,
  triggered_at timestamptz not null,
  resolved_at timestamptz,
  resolved_reason text,
  primary key (environment_id, id),
  foreign key (environment_id, rule_id) references rules (environment_id, id) on delete cascade,
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

-- A condition begins once at a time, and holds once at a time.
create unique index rule_episodes_start on rule_episodes (environment_id, user_id, rule_id, starts_at);
create unique index rule_episodes_open on rule_episodes (environment_id, user_id, rule_id)
  where ends_at is null;
create index rule_episodes_by_rule on rule_episodes (environment_id, rule_id, triggered_at, id);
create index rule_episodes_by_time on rule_episodes (environment_id, triggered_at, id);

-- People whose rules have to be judged. Written before the data are stored, so that no crash can lose
-- it. Every upload may touch a row; those updates change no indexed column and stay on their page.
create table rule_checks (
  environment_id uuid not null,
  user_id uuid not null,
  resources text[] not null,
  -- of the latest change
  changed_at timestamptz not null,
  -- counts the changes, so that one during a check is not lost
  version bigint not null,
  due_at timestamptz not null,
  primary key (environment_id, user_id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
) with (fillfactor = 70);

create index rule_checks_due on rule_checks (due_at);

-- The newest data of people, for rules on silence
create table rule_last_data (
  environment_id uuid not null,
  user_id uuid not null,
  resource text not null,
  measured_at timestamptz not null,
  arrived_at timestamptz not null,
  primary key (environment_id, user_id, resource),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index rule_last_data_measured on rule_last_data (environment_id, resource, measured_at);
create index rule_last_data_arrived on rule_last_data (environment_id, resource, arrived_at);

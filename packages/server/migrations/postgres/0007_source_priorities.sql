-- Which source of a person's data counts where several have data for the same time. Only what was set is
-- here; everything else has priority 0.

create table team_source_priorities (
  environment_id uuid not null references team_environments (id),
  data_type text not null
    check (data_type in ('workouts', 'activity', 'sleep', 'body', 'timeseries')),
  provider text not null,
  -- read name of a series, or '' for the whole data type
  resource text not null default '',
  -- '' for every type
  source_type text not null default '',
  priority integer not null check (priority between -10000 and 10000),
  updated_at timestamptz not null,
  primary key (environment_id, data_type, provider, resource, source_type)
);

create table user_source_priorities (
  environment_id uuid not null,
  user_id uuid not null,
  -- place in the list that was put
  position integer not null,
  -- read name of a series, a data type, or '' for everything
  resource text not null,
  provider text not null,
  source_type text not null,
  app_id text not null,
  priority integer not null check (priority between -10000 and 10000),
  updated_at timestamptz not null,
  primary key (environment_id, user_id, resource, provider, source_type, app_id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

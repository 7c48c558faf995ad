-- Filters of lists under a name, shared by whoever looks after the environment; ids, choices and dates only
create table saved_views (
  environment_id uuid not null references team_environments (id),
  id uuid not null,
  name text not null,
  filters jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
create unique index saved_views_by_name on saved_views (environment_id, lower(name));

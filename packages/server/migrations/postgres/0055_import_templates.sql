-- Templates by which a team reads tables of any program.
create table import_templates (
  environment_id uuid not null references team_environments (id) on delete cascade,
  id uuid not null,
  name text not null,
  template jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id),
  unique (environment_id, name)
);

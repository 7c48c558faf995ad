-- The demo team of an organization, and how far the filling of it has come.
create table demo_teams (
  organization_id uuid primary key references organizations (id),
  team_id uuid not null references teams (id),
  run_id uuid not null unique,
  status text not null,
  step text not null,
  first_user_id uuid,
  problem text,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz
);

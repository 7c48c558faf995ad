-- Tenancy. A team has a sandbox and a production environment that share nothing, so an environment
-- is what every other table starts its keys with: one column isolates, distributes and erases.

create table organizations (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null
);

create table teams (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  name text not null,
  region text not null check (region in ('us', 'eu')),
  integration_team_id text,
  created_at timestamptz not null,
  deleted_at timestamptz
);

create unique index teams_integration_team_id
  on teams (organization_id, integration_team_id)
  where deleted_at is null;
create index teams_by_creation on teams (organization_id, created_at, id);

create table team_environments (
  id uuid primary key,
  team_id uuid not null references teams (id),
  environment text not null check (environment in ('sandbox', 'production')),
  settings jsonb not null,
  unique (team_id, environment)
);

create table team_api_keys (
  id uuid primary key,
  environment_id uuid not null references team_environments (id),
  label text not null,
  key_hash bytea not null unique,
  masked_value text not null,
  created_at timestamptz not null,
  deleted_at timestamptz
);

create index team_api_keys_by_environment on team_api_keys (environment_id, created_at, id);

create table management_keys (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  label text not null,
  role text not null check (role in ('org_admin', 'team_admin')),
  -- null is every team; otherwise [{"team_id": …}]
  team_role_bindings jsonb,
  creator jsonb not null,
  key_hash bytea not null unique,
  created_at timestamptz not null,
  deleted_at timestamptz
);

create table team_access_tokens (
  token_hash bytea primary key,
  environment_id uuid not null references team_environments (id),
  management_key_id uuid not null references management_keys (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index team_access_tokens_by_management_key
  on team_access_tokens (management_key_id, created_at);

-- Users

create table users (
  environment_id uuid not null references team_environments (id),
  id uuid not null,
  client_user_id text not null,
  created_at timestamptz not null,
  fallback_time_zone text,
  fallback_time_zone_source text,
  fallback_time_zone_updated_at timestamptz,
  fallback_birth_date date,
  fallback_birth_date_source text,
  fallback_birth_date_updated_at timestamptz,
  ingestion_start date,
  ingestion_end date,
  -- set by a delete; the rows are erased a week later unless it is undone
  deleted_at timestamptz,
  primary key (environment_id, id)
);

-- The duplicate rule rests on this index. A deleted user does not hold its name.
create unique index users_client_user_id
  on users (environment_id, client_user_id)
  where deleted_at is null;
create index users_by_creation on users (environment_id, created_at, id) where deleted_at is null;

create table user_demographics (
  environment_id uuid not null,
  user_id uuid not null,
  info jsonb not null,
  updated_at timestamptz not null,
  primary key (environment_id, user_id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

-- Connections of users to providers, at most one a pair

create table connections (
  environment_id uuid not null,
  user_id uuid not null,
  provider text not null,
  id uuid not null,
  status text not null check (status in ('connected', 'error', 'paused', 'deregistered')),
  external_user_id text,
  granted_permissions jsonb,
  error_details jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, user_id, provider),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index connections_by_creation on connections (environment_id, created_at);

-- Devices that made samples, as far as the data names them

create table devices (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  provider text not null,
  source_type text not null,
  app_id text,
  device_manufacturer text,
  device_model text,
  device_version text,
  device_id text,
  -- what tells one device from another: its own id, or maker, model and kind
  identity text not null,
  created_at timestamptz not null,
  primary key (environment_id, user_id, id),
  unique (environment_id, user_id, provider, identity),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

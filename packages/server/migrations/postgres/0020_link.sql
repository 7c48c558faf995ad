-- How people sign in to providers, and what a team settles about it.

-- One chance to connect one person to one provider, behind a link token (docs/contract/03-link.md#link-token).
create table link_sessions (
  id uuid primary key,
  environment_id uuid not null references team_environments (id),
  user_id uuid not null,
  -- issued, validated, pending_provider_mfa, consumed; that it is expired is told by expires_at
  state text not null,
  -- the only one that may be connected; null: any
  fixed_provider text,
  -- the one that was started last
  started_provider text,
  -- null: the page of this deployment
  redirect_url text,
  filter_on_providers jsonb,
  on_error text,
  on_close text,
  -- what the sign-in goes on with: the verifier of a code, or what a second step needs; gone when it is over
  sealed bytea,
  mfa_tries smallint not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index link_sessions_by_user on link_sessions (environment_id, user_id);
create index link_sessions_by_end on link_sessions (expires_at);

-- Scopes of a provider without which a team wants no connection.
create table scope_requirements (
  team_id uuid not null references teams (id),
  provider text not null,
  user_must_grant jsonb not null,
  user_may_grant jsonb not null,
  updated_at timestamptz not null,
  primary key (team_id, provider)
);

-- What is known of a team's own apps beside their secrets, which lie in credentials.
create table team_custom_credentials (
  id uuid primary key,
  environment_id uuid not null references team_environments (id),
  provider text not null,
  client_id text not null,
  -- SHA-256, by which a team tells one secret from another
  client_secret_hash bytea not null,
  details jsonb,
  redirect_url_override text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (environment_id, provider)
);

-- Work on many connections at once (docs/contract/03-link.md#bulk-operations).
create table bulk_operations (
  id uuid primary key,
  environment_id uuid not null references team_environments (id),
  -- link_bulk_import, link_bulk_historical_trigger
  type text not null,
  -- in_progress, success, failure, aborted
  status text not null,
  provider text not null,
  base_url text not null,
  started_at timestamptz not null,
  ended_at timestamptz
);

create index bulk_operations_by_start on bulk_operations (environment_id, started_at desc, id desc);

-- People of an operation; one that was erased since is gone from it.
create table bulk_operation_items (
  operation_id uuid not null references bulk_operations (id) on delete cascade,
  environment_id uuid not null,
  user_id uuid not null,
  -- pending, done, failed
  status text not null,
  -- tokens to import; gone when it is over
  sealed bytea,
  primary key (operation_id, user_id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index bulk_operation_items_by_user on bulk_operation_items (environment_id, user_id);

-- How far the synthetic data of demo connections have been made.
create table demo_connections (
  environment_id uuid not null,
  user_id uuid not null,
  provider text not null,
  base_url text not null,
  -- there are data until then
  generated_until timestamptz not null,
  created_at timestamptz not null,
  primary key (environment_id, user_id, provider),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index demo_connections_by_progress on demo_connections (generated_until);

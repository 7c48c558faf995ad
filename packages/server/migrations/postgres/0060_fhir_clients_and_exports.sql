-- Bulk exports of the FHIR interface: files of a whole environment, encrypted under keys that are
-- derived from one, of which the sealed form is here.
create table fhir_exports (
  environment_id uuid not null references team_environments (id),
  id uuid not null,
  status text not null,
  types text[] not null,
  since timestamptz,
  -- address of the request, which the manifest repeats
  request_url text not null,
  types_written integer not null default 0,
  -- written files: type, name and number of resources
  files jsonb not null default '[]',
  sealed_file_key bytea,
  created_at timestamptz not null,
  completed_at timestamptz,
  expires_at timestamptz not null,
  primary key (environment_id, id)
);

create unique index fhir_exports_one_at_a_time on fhir_exports (environment_id)
  where status in ('queued', 'running');
create index fhir_exports_by_end on fhir_exports (expires_at);

-- Clients of SMART Backend Services: programs that sign in with a key pair of their own.
create table smart_clients (
  environment_id uuid not null references team_environments (id),
  id uuid not null,
  label text not null,
  -- public keys of the client, or the address at which it publishes them
  jwks jsonb,
  jwks_url text,
  -- scopes that it may ask for
  scopes text[] not null,
  created_at timestamptz not null,
  primary key (environment_id, id)
);

create unique index smart_clients_by_id on smart_clients (id);

-- Access tokens of such clients, until they expire.
create table smart_tokens (
  token_hash bytea primary key,
  environment_id uuid not null,
  client_id uuid not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  foreign key (environment_id, client_id) references smart_clients (environment_id, id) on delete cascade
);

create index smart_tokens_by_client on smart_tokens (environment_id, client_id);
create index smart_tokens_by_end on smart_tokens (expires_at);

-- Ids of the assertions that were used, each of which is good for one token.
create table smart_assertions (
  client_id uuid not null,
  jti_hash bytea not null,
  expires_at timestamptz not null,
  primary key (client_id, jti_hash)
);

create index smart_assertions_by_end on smart_assertions (expires_at);

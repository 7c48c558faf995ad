-- Files that a team uploads to be imported, with visible progress

create table import_jobs (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid primary key,
  source text not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  attempts integer not null default 0,
  file_bytes bigint not null,
  -- bytes, records and counts by record type, as the API shows them
  progress jsonb not null,
  error jsonb,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index import_jobs_by_user on import_jobs (environment_id, user_id, created_at, id);

-- Which process runs which job worker. The process holds an advisory lock on its number for as long
-- as it lives, so the jobs of one that died can be given to another at once.

create table worker_processes (
  worker_id text primary key,
  lock_number bigint not null,
  started_at timestamptz not null
);

-- History that clients send: one row for each resource of a connection, of its latest run

create table historical_pulls (
  environment_id uuid not null,
  user_id uuid not null,
  provider text not null,
  resource text not null,
  status text not null check (status in ('in_progress', 'success')),
  range_start timestamptz,
  range_end timestamptz,
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (environment_id, user_id, provider, resource),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

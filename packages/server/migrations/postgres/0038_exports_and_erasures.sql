-- Everything of a person as one file, encrypted under a key of its own, of which the sealed form is here.
create table person_exports (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  format text not null,
  status text not null,
  attempts integer not null default 0,
  rows_total bigint not null default 0,
  rows_written bigint not null default 0,
  file_bytes bigint,
  file_sha256 text,
  sealed_file_key bytea,
  link_hash bytea unique,
  link_expires_at timestamptz,
  created_at timestamptz not null,
  completed_at timestamptz,
  expires_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);
create index person_exports_by_user on person_exports (environment_id, user_id, created_at desc, id desc);
create unique index person_exports_one_at_a_time on person_exports (environment_id, user_id)
  where status in ('queued', 'running');
create index person_exports_by_end on person_exports (expires_at);

-- The erasure of a person, which outlives them: what was there, and the receipt of what was removed. The id leads to
-- nobody any more.
create table erasures (
  environment_id uuid not null references team_environments (id),
  user_id uuid not null,
  id uuid not null,
  cause text not null,
  status text not null,
  requested_at timestamptz not null,
  due_at timestamptz not null,
  found jsonb,
  started_at timestamptz,
  completed_at timestamptz,
  receipt text,
  primary key (environment_id, id),
  unique (environment_id, user_id)
);
create index erasures_by_request on erasures (environment_id, requested_at desc, id desc);
create index erasures_due on erasures (due_at) where status <> 'completed';

-- Pairs that sign receipts. They are never removed: a receipt is verified years later.
create table receipt_signing_keys (
  id text primary key,
  public_key text not null,
  sealed bytea not null,
  created_at timestamptz not null
);

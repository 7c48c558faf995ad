-- How apps sign in for a person, and what they tell of their synchronization.

-- Pairs that sign tokens. The newest signs; tokens name theirs, so that all processes agree and a restart
-- and a change of the pair end no session.
create table mobile_signing_keys (
  id text primary key,
  -- the private key
  sealed bytea not null,
  created_at timestamptz not null
);

-- One installation of an app that a person signed in to. Its refresh tokens are a family: all begin with the
-- same secret, by which a former one can be told from a guess.
create table mobile_sessions (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid not null unique,
  -- of the sign-in token, which is good for one session
  sign_in_id uuid not null unique,
  family_hash bytea not null unique,
  token_hash bytea not null,
  -- the token before, for as long as its answer may have been lost; the present one follows from it and the salt
  previous_hash bytea,
  previous_until timestamptz,
  salt bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- before its time: a former token came again
  ended_at timestamptz,
  primary key (environment_id, user_id, id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index mobile_sessions_by_end on mobile_sessions (expires_at);

-- Codes by which a companion app signs in. A row is gone when its code was used.
create table link_codes (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  code_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (environment_id, user_id, id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index link_codes_by_end on link_codes (expires_at);

-- Wrong codes of a minute, counted over all processes and addresses.
create table link_code_failures (
  -- of the codes that were guessed at: sk, pk, or neither
  kind text not null,
  minute timestamptz not null,
  failures integer not null,
  primary key (kind, minute)
);

-- What an app told last of its synchronization, for whoever looks why data are late.
create table sdk_sync_reports (
  environment_id uuid not null,
  user_id uuid not null,
  provider text not null,
  report jsonb not null,
  received_at timestamptz not null,
  primary key (environment_id, user_id, provider),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

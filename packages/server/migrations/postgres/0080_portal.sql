-- Read-only links by which people share data of theirs with somebody. The link is the credential.
create table portal_shares (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  secret_hash bytea not null unique,
  label text not null,
  kinds jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index portal_shares_by_user on portal_shares (environment_id, user_id);

-- Sign-ins of people to their page, and of those to whom they gave a link. A row begins as a code
-- that works once, or with the session of a share.
create table portal_sessions (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  share_id uuid,
  code_hash bytea unique,
  token_hash bytea unique,
  language text,
  order_id uuid,
  created_at timestamptz not null,
  started_at timestamptz,
  last_used_at timestamptz,
  expires_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade,
  foreign key (environment_id, share_id) references portal_shares (environment_id, id)
    on delete cascade,
  check ((code_hash is null) <> (token_hash is null))
);

create index portal_sessions_by_user on portal_sessions (environment_id, user_id);
create index portal_sessions_by_end on portal_sessions (expires_at);
create index portal_sessions_by_share on portal_sessions (environment_id, share_id)
  where share_id is not null;

-- People who are signed in to the console, each as a management key
create table console_sessions (
  id uuid primary key,
  -- SHA-256 of what the cookie holds
  token_hash bytea not null unique,
  -- the session ends when the key is revoked
  management_key_id uuid not null references management_keys (id),
  signed_in_with text not null check (signed_in_with in ('management_key', 'code', 'openid_connect')),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- at the latest; a session that is not used ends earlier
  expires_at timestamptz not null
);

create index console_sessions_by_management_key on console_sessions (management_key_id, created_at);

-- Codes that sign in once, such as the one that a start prints
create table console_sign_in_codes (
  code_hash bytea primary key,
  management_key_id uuid not null references management_keys (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);

-- People of the identity provider; the management key that each was given says what they may do
create table console_identities (
  issuer text not null,
  subject text not null,
  management_key_id uuid not null references management_keys (id),
  primary key (issuer, subject)
);

-- Access tokens that a session minted end with it
alter table team_access_tokens
  add column console_session_id uuid references console_sessions (id) on delete cascade;

create index team_access_tokens_by_console_session
  on team_access_tokens (console_session_id) where console_session_id is not null;

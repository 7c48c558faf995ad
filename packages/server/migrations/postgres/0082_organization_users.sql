-- Users of an organization who sign in to the console. Role, teams and environments of each are
-- those of the management key as which they act (docs/decisions/0142-users-who-sign-in.md).
create table organization_users (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  management_key_id uuid not null unique references management_keys (id),
  -- lower case
  email text not null,
  status text not null check (status in ('invited', 'active', 'suspended')),
  -- argon2id in the form of the PHC; null without a password
  password_hash text,
  -- sealed; counts from totp_confirmed_at on
  totp_secret bytea,
  totp_confirmed_at timestamptz,
  -- step of the last code that was used, because a code works once
  totp_last_step bigint,
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  unique (organization_id, email)
);
create index organization_users_by_email on organization_users (email);

-- The link of an invited user, or of one who needs a new password
create table organization_invitations (
  code_hash bytea primary key,
  organization_user_id uuid not null unique references organization_users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create table console_passkeys (
  id uuid primary key,
  -- base64url
  credential_id text not null unique,
  organization_user_id uuid not null references organization_users (id) on delete cascade,
  name text not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index console_passkeys_by_user on console_passkeys (organization_user_id);

-- Codes that replace the authenticator app, each once
create table console_recovery_codes (
  organization_user_id uuid not null references organization_users (id) on delete cascade,
  code_hash bytea not null,
  primary key (organization_user_id, code_hash)
);

-- Challenges that a passkey signs, each once
create table console_challenges (
  challenge_hash bytea primary key,
  -- null for a sign-in, before the user is known
  organization_user_id uuid references organization_users (id) on delete cascade,
  expires_at timestamptz not null
);

alter table organizations add column second_factor_required boolean not null default false;

alter table console_sessions
  add column has_second_factor boolean not null default false,
  drop constraint console_sessions_signed_in_with_check,
  add constraint console_sessions_signed_in_with_check
    check (signed_in_with in ('management_key', 'code', 'openid_connect', 'password', 'passkey'));

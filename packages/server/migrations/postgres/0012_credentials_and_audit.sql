-- Credentials of other services, such as tokens of connections: sealed, because they must be readable again.
-- The key that seals is named by the first bytes of what is sealed.

create table credentials (
  environment_id uuid not null references team_environments (id),
  -- null for those of the environment itself
  user_id uuid,
  name text not null,
  sealed bytea not null,
  expires_at timestamptz,
  -- counts the changes, so that of two refreshes at once one is kept
  version integer not null,
  updated_at timestamptz not null,
  unique nulls not distinct (environment_id, user_id, name),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

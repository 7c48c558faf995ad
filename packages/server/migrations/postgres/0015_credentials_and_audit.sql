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

-- Who did what: every management action and every use of a person's data, by route, actor and person, and
-- never its content. Rows are only ever added, each with the hash of the one before it.

create table audit_log (
  sequence bigint primary key,
  at timestamptz not null,
  -- null for what belongs to no environment, such as keys of an organization
  environment_id uuid,
  actor_kind text not null,
  -- of the key, or of the management key that made the token
  actor_id uuid,
  method text not null,
  route text not null,
  status integer not null,
  -- the person, who may be erased by now: an id leads to nobody then
  user_id uuid,
  -- what else the path named, such as an order
  object_id uuid,
  previous_hash bytea not null,
  hash bytea not null
);

create index audit_log_by_user on audit_log (user_id, sequence) where user_id is not null;

create function refuse_change_of_audit_log() returns trigger language plpgsql as $$
begin
  raise exception 'rows of the audit log are only ever added';
end
$$;

create trigger audit_log_is_append_only
  before update or delete or truncate on audit_log
  for each statement execute function refuse_change_of_audit_log();

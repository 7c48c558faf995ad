-- While a person is held, nothing of them is erased: not by a delete, not by an erasure, not by retention. What is
-- released stays as a row, until the person is erased.
create table legal_holds (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  reason text not null,
  placed_at timestamptz not null,
  placed_by uuid,
  released_at timestamptz,
  released_by uuid,
  primary key (environment_id, id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);
create index legal_holds_by_user on legal_holds (environment_id, user_id);
create unique index legal_holds_one_at_a_time on legal_holds (environment_id, user_id)
  where released_at is null;

-- How many days an environment keeps what a resource holds. What has no row is kept for good.
create table retention_rules (
  environment_id uuid not null references team_environments (id),
  resource text not null,
  days integer not null check (days > 0),
  updated_at timestamptz not null,
  applied_at timestamptz,
  last_removed bigint,
  primary key (environment_id, resource)
);

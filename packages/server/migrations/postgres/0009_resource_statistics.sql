-- What was last tried with a resource of a connection (contract 06, section 12). Uploads change a row
-- many times, so pages keep room for a new version of it beside the old one.
create table resource_statistics (
  environment_id uuid not null,
  user_id uuid not null,
  provider text not null,
  resource text not null,
  last_attempt_at timestamptz not null,
  last_attempt_status text not null check (last_attempt_status in ('success', 'failure')),
  sent_count bigint not null,
  primary key (environment_id, user_id, provider, resource),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
) with (fillfactor = 70);

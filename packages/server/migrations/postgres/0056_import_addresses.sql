-- Addresses to which apps of people post their data. The address itself is the credential.
create table import_addresses (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  secret_hash bytea not null unique,
  label text not null,
  masked_value text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index import_addresses_by_user on import_addresses (environment_id, user_id);

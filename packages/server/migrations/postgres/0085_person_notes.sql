-- Notes about people, each version in a row (docs/decisions/0140-a-person-at-a-glance.md).
create table person_notes (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  version integer not null,
  -- active, or entered_in_error
  status text not null check (status in ('active', 'entered_in_error')),
  text text not null,
  -- name, and the credential of the request
  author jsonb not null,
  -- of the first version
  created_at timestamptz not null,
  written_at timestamptz not null,
  is_current boolean not null,
  primary key (environment_id, id, version),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);
create unique index person_notes_current on person_notes (environment_id, id) where is_current;
create index person_notes_by_user on person_notes (environment_id, user_id, created_at, id)
  where is_current and status = 'active';

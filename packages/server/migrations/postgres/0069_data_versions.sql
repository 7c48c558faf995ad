-- What lets a read answer "unchanged" (docs/decisions/0113).

-- The version of a person's samples and summaries: another one after every change. A person without
-- a row has had no change in this epoch. The row of the empty id is that of a whole environment.
-- Unlogged: a crash of the database empties it together with day_writes and the epoch.
create unlogged table data_versions (
  environment_id uuid not null,
  user_id uuid not null,
  version uuid not null,
  primary key (environment_id, user_id)
);

-- One row, without which no version counts. After a crash of the database there is none, and what
-- was being written then is unknown; the next one counts when that has ended.
create unlogged table data_epochs (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid(),
  usable_from timestamptz not null
);

-- Processes of the former version change no versions, and may be replaced one after the other.
insert into data_epochs (usable_from)
select case when exists (select from users) then now() + interval '1 day' else '-infinity' end;

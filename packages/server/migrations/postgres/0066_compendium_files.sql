-- What a laboratory wants to receive for a test, in its own words
alter table markers add column specimens jsonb;
-- Whether the tests of a laboratory came from its compendium: a catalog without its tests keeps them
alter table labs add column has_compendium boolean not null default false;

-- Compendia that changed the tests of a laboratory, so that it is known since when they are as they are
create table compendium_loads (
  id uuid primary key,
  lab_id integer not null references labs (id) on delete cascade,
  loaded_at timestamptz not null,
  -- of the files and the mapping
  content_hash bytea not null,
  added integer not null,
  changed integer not null,
  retired integer not null
);
create index compendium_loads_by_lab on compendium_loads (lab_id, loaded_at);

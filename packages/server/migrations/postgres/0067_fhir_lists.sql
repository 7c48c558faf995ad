-- Lists of the FHIR interface read all patients and all results of an environment by their last
-- change, one page at a time.

-- When the person, their birth date or their demographics last changed. Only a column of the same
-- table can lead an index.
alter table users add column person_changed_at timestamptz;
update users set person_changed_at = greatest(created_at, fallback_birth_date_updated_at,
  (select updated_at from user_demographics known
    where known.environment_id = users.environment_id and known.user_id = users.id));
alter table users alter column person_changed_at set not null;

create function note_person_change() returns trigger language plpgsql as $$
begin
  new.person_changed_at :=
    greatest(new.created_at, new.fallback_birth_date_updated_at, new.person_changed_at);
  return new;
end
$$;
create trigger users_changed before insert or update of fallback_birth_date_updated_at on users
  for each row execute function note_person_change();

create function note_demographics_change() returns trigger language plpgsql as $$
begin
  update users set person_changed_at = new.updated_at
  where environment_id = new.environment_id and id = new.user_id
    and person_changed_at < new.updated_at;
  return null;
end
$$;
create trigger demographics_changed after insert or update on user_demographics
  for each row execute function note_demographics_change();

create index users_by_change on users (environment_id, person_changed_at, id)
  where deleted_at is null;
create index results_by_time on results (environment_id, created_at, order_id);
create index insurance_policies_by_time on insurance_policies (environment_id, created_at, id);
create index insurance_policies_by_payor on insurance_policies (environment_id, payor_id);
create index devices_by_time on devices (environment_id, created_at, id);
create index appointments_by_change on appointments (environment_id, updated_at, id);

-- The position of a page is a time and an id: many orders may have changed at one time.
drop index orders_by_update;
create index orders_by_update on orders (environment_id, updated_at, id)
  include (created_at, method, last_status, interpretation) where not is_hidden;

-- Physicians, and laboratories, are those that orders name: each is found by one look.
create index orders_by_physician on orders (environment_id, (physician ->> 'npi'), created_at)
  where not is_hidden and physician ->> 'npi' <> '';
create index orders_by_lab on orders (environment_id, lab_id);

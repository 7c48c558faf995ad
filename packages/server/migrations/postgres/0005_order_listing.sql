-- The list of orders: any filter, exact totals, pages at any depth (decision 12)

create extension if not exists btree_gin;

-- The list reads indexes alone, which works on pages that vacuum has seen.
alter table orders set (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.05
);

-- What the list filters by is in the index of each of its sort keys. Texts compare by bytes, so that
-- the order is the same in every database.
create index orders_by_creation on orders (environment_id, created_at, id)
  include (updated_at, method, last_status, interpretation, activate_by, patient_name,
    shipping_recipient_name);
create index orders_by_patient_name
  on orders (environment_id, patient_name collate "C", created_at, id)
  include (updated_at, method, last_status, interpretation, activate_by, shipping_recipient_name);
create index orders_by_state
  on orders (environment_id, last_status, method, interpretation, created_at, id)
  include (activate_by, patient_name);
create index orders_by_update on orders (environment_id, updated_at)
  include (id, created_at, method, last_status, interpretation);
create index orders_by_activation on orders (environment_id, activate_by)
  include (id, created_at, updated_at, method, last_status, interpretation)
  where activate_by is not null;
create index orders_by_birth_date on orders (environment_id, patient_dob);

-- How many orders there are. Every change of an order that is counted adds rows to the log, in its own
-- transaction, so that writers never wait for each other. A job adds the log up into the three tables
-- below; a number is always read as what they say plus what the log says.
create table order_count_changes (
  environment_id uuid not null,
  created_on date not null,
  updated_on date not null,
  method text not null,
  last_status text not null,
  interpretation text,
  patient_name text not null,
  shipping_recipient_name text not null,
  -- 1 for an order that is so now, -1 for one that was
  change integer not null
);
create index order_count_changes_by_environment on order_count_changes (environment_id);

create table order_counts (
  environment_id uuid not null,
  -- which instant of the order is on the day (UTC)
  counted_by text not null check (counted_by in ('created_at', 'updated_at')),
  day date not null,
  method text not null,
  last_status text not null,
  interpretation text,
  orders integer not null,
  unique nulls not distinct (environment_id, counted_by, day, last_status, method, interpretation)
    include (orders)
);

-- Names and how many orders bear them: many orders share few names. Rows here and in the next table are
-- changed in place, for which pages keep room and no index has the number in it.
create table order_name_counts (
  environment_id uuid not null,
  patient_name text collate "C" not null,
  shipping_recipient_name text collate "C" not null,
  orders integer not null,
  primary key (environment_id, patient_name, shipping_recipient_name)
) with (fillfactor = 80);
-- Only the job writes here, so nothing waits for a list of pending entries to be spared.
create index order_name_counts_patient on order_name_counts
  using gin (environment_id, patient_name gin_trgm_ops) with (fastupdate = off);
create index order_name_counts_recipient on order_name_counts
  using gin (environment_id, shipping_recipient_name gin_trgm_ops) with (fastupdate = off);

-- Orders of a day whose names contain one or two letters, which are too few for a trigram
create table order_letter_counts (
  environment_id uuid not null,
  letters text collate "C" not null,
  -- day of creation, UTC
  day date not null,
  in_patient_name integer not null,
  in_shipping_recipient_name integer not null,
  in_either integer not null,
  primary key (environment_id, letters, day)
) with (fillfactor = 80);

create function log_order_count_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (old.environment_id, old.method, old.last_status, old.interpretation, old.patient_name,
        old.shipping_recipient_name, (old.created_at at time zone 'UTC')::date,
        (old.updated_at at time zone 'UTC')::date)
      is not distinct from
      (new.environment_id, new.method, new.last_status, new.interpretation, new.patient_name,
        new.shipping_recipient_name, (new.created_at at time zone 'UTC')::date,
        (new.updated_at at time zone 'UTC')::date)
    then
      return null;
    end if;
  end if;
  if tg_op <> 'INSERT' then
    insert into order_count_changes values (
      old.environment_id, (old.created_at at time zone 'UTC')::date,
      (old.updated_at at time zone 'UTC')::date, old.method, old.last_status, old.interpretation,
      old.patient_name, old.shipping_recipient_name, -1
    );
  end if;
  if tg_op <> 'DELETE' then
    insert into order_count_changes values (
      new.environment_id, (new.created_at at time zone 'UTC')::date,
      (new.updated_at at time zone 'UTC')::date, new.method, new.last_status, new.interpretation,
      new.patient_name, new.shipping_recipient_name, 1
    );
  end if;
  return null;
end
$$;

create trigger orders_counted after insert or delete on orders
  for each row execute function log_order_count_change();
-- The comparison stands in the function: in a WHEN it would be parsed anew for every statement.
create trigger orders_recounted after update of environment_id, method, last_status, interpretation,
    patient_name, shipping_recipient_name, created_at, updated_at on orders
  for each row execute function log_order_count_change();

-- Orders from before this migration
insert into order_count_changes
select environment_id, (created_at at time zone 'UTC')::date, (updated_at at time zone 'UTC')::date,
  method, last_status, interpretation, patient_name, shipping_recipient_name, count(*)
from orders
group by 1, 2, 3, 4, 5, 6, 7, 8
-- so that each run of the job has to do with few days
order by 2;

-- What lists of people are sorted and filtered by, one row for each person, so that a page needs no
-- scan (docs/decisions/0141-lists-one-can-work-in.md). Triggers keep it, because four domains and
-- servers of the version before write what it is made of.
create table listed_users (
  environment_id uuid not null,
  user_id uuid not null,
  -- whether the user is not deleted
  is_shown boolean not null,
  -- the shown name in lower case, or the client_user_id
  sort_name text collate "C" not null,
  -- whole minutes; -infinity for no data
  newest_data_at timestamptz not null default '-infinity',
  newest_data_resource text,
  failed_connections integer not null default 0,
  open_tasks integer not null default 0,
  attention integer not null generated always as (failed_connections + open_tasks) stored,
  open_orders integer not null default 0,
  primary key (environment_id, user_id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
) with (fillfactor = 80);

-- as TERMINAL of packages/contracts/src/order-lifecycle/machine.ts, which a test compares
create function is_order_over(status text) returns boolean language sql immutable parallel safe as $$
  select status in ('completed', 'corrected', 'redraw_available', 'cancelled', 'do_not_process',
    'lost', 'sample_error', 'failure_to_deliver_to_customer', 'failure_to_deliver_to_lab')
$$;

-- as search results show people: by their demographics, or else as the patient of their last order
create function sort_name_of_user(environment uuid, person uuid, own_id text) returns text
language sql stable as $$
  select left(lower(coalesce(
    (select nullif(btrim(coalesce(info ->> 'first_name', '') || ' ' || (info ->> 'last_name')), '')
      from user_demographics where environment_id = environment and user_id = person),
    (select nullif(btrim(coalesce(patient_details ->> 'first_name', '') || ' ' ||
        coalesce(patient_details ->> 'last_name', '')), '')
      from orders
      where environment_id = environment and user_id = person and not is_hidden
        and patient_details is not null
      order by created_at desc, id limit 1),
    own_id)), 200)
$$;

create index listed_users_by_name on listed_users (environment_id, sort_name, user_id)
  where is_shown;
create index listed_users_by_newest_data on listed_users (environment_id, newest_data_at, user_id)
  where is_shown;
create index listed_users_by_attention on listed_users (environment_id, attention, user_id)
  where is_shown;
create index listed_users_with_orders on listed_users (environment_id, user_id)
  where is_shown and open_orders > 0;

create function refresh_listed_user(environment uuid, person uuid) returns void
language plpgsql as $$
begin
  -- Locked first: the next statement then sees what a transaction that held the row has committed.
  perform 1 from listed_users where environment_id = environment and user_id = person for update;
  if not found then return; end if;
  update listed_users set
    is_shown = users.deleted_at is null,
    sort_name = sort_name_of_user(environment, person, users.client_user_id),
    failed_connections = (select count(*) from connections
      where environment_id = environment and user_id = person and status = 'error'),
    open_tasks = (select count(*) from tasks
      where environment_id = environment and user_id = person
        and status in ('requested', 'received', 'accepted'))
  from users
  where listed_users.environment_id = environment and listed_users.user_id = person
    and users.environment_id = environment and users.id = person;
end;
$$;

create function list_new_user() returns trigger language plpgsql as $$
begin
  insert into listed_users (environment_id, user_id, is_shown, sort_name)
  values (new.environment_id, new.id, new.deleted_at is null, left(lower(new.client_user_id), 200));
  return null;
end;
$$;
create trigger users_listed after insert on users
  for each row execute function list_new_user();

create function refresh_listed_user_of_change() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'users' then
    perform refresh_listed_user(new.environment_id, new.id);
    return null;
  end if;
  if tg_op <> 'INSERT' and old.user_id is not null then
    perform refresh_listed_user(old.environment_id, old.user_id);
  end if;
  if tg_op = 'INSERT' or (tg_op = 'UPDATE' and new.user_id is distinct from old.user_id) then
    perform refresh_listed_user(new.environment_id, new.user_id);
  end if;
  return null;
end;
$$;

-- Deferred to the end of the transaction, when its other locks are held: transactions that change
-- several things of one person do not wait for each other's rows in different orders.
create constraint trigger users_listed_again after update of client_user_id, deleted_at on users
  deferrable initially deferred for each row
  when (old.client_user_id is distinct from new.client_user_id
    or old.deleted_at is distinct from new.deleted_at)
  execute function refresh_listed_user_of_change();

create constraint trigger demographics_listed after insert or update or delete on user_demographics
  deferrable initially deferred for each row execute function refresh_listed_user_of_change();

create constraint trigger connections_listed after insert on connections
  deferrable initially deferred for each row when (new.status = 'error')
  execute function refresh_listed_user_of_change();
create constraint trigger connections_listed_again after update of status on connections
  deferrable initially deferred for each row when ((old.status = 'error') <> (new.status = 'error'))
  execute function refresh_listed_user_of_change();
create constraint trigger connections_unlisted after delete on connections
  deferrable initially deferred for each row when (old.status = 'error')
  execute function refresh_listed_user_of_change();

create constraint trigger tasks_listed after insert on tasks
  deferrable initially deferred for each row when (new.user_id is not null)
  execute function refresh_listed_user_of_change();
create constraint trigger tasks_listed_again after update of status, user_id on tasks
  deferrable initially deferred for each row
  when (old.status <> new.status or old.user_id is distinct from new.user_id)
  execute function refresh_listed_user_of_change();
create constraint trigger tasks_unlisted after delete on tasks
  deferrable initially deferred for each row when (old.user_id is not null)
  execute function refresh_listed_user_of_change();

-- Orders are added and taken away, because a person may have thousands of them.
create function change_listed_orders(environment uuid, person uuid, change integer) returns void
language plpgsql as $$
begin
  perform 1 from listed_users where environment_id = environment and user_id = person for update;
  if not found then return; end if;
  update listed_users set
    open_orders = open_orders + change,
    sort_name = sort_name_of_user(environment, person, users.client_user_id)
  from users
  where listed_users.environment_id = environment and listed_users.user_id = person
    and users.environment_id = environment and users.id = person;
end;
$$;

create function list_order_of_user() returns trigger language plpgsql as $$
declare
  former integer := 0;
  present integer := 0;
begin
  if tg_op <> 'INSERT' then
    former := (not old.is_hidden and not is_order_over(old.last_status))::integer;
  end if;
  if tg_op <> 'DELETE' then
    present := (not new.is_hidden and not is_order_over(new.last_status))::integer;
  end if;
  if tg_op = 'UPDATE' and new.user_id = old.user_id then
    perform change_listed_orders(new.environment_id, new.user_id, present - former);
    return null;
  end if;
  if tg_op <> 'INSERT' then
    perform change_listed_orders(old.environment_id, old.user_id, -former);
  end if;
  if tg_op <> 'DELETE' then
    perform change_listed_orders(new.environment_id, new.user_id, present);
  end if;
  return null;
end;
$$;

create constraint trigger orders_listed after insert on orders
  deferrable initially deferred for each row execute function list_order_of_user();
create constraint trigger orders_listed_again
  after update of last_status, is_hidden, user_id, patient_details on orders
  deferrable initially deferred for each row
  when (is_order_over(old.last_status) <> is_order_over(new.last_status)
    or old.is_hidden <> new.is_hidden or old.user_id <> new.user_id
    or old.patient_details is distinct from new.patient_details)
  execute function list_order_of_user();
create constraint trigger orders_unlisted after delete on orders
  deferrable initially deferred for each row execute function list_order_of_user();

-- Behind the triggers, whose locks keep others from writing until the end of this migration.
insert into listed_users (environment_id, user_id, is_shown, sort_name, newest_data_at,
  newest_data_resource, failed_connections, open_tasks, open_orders)
select users.environment_id, users.id, users.deleted_at is null,
  sort_name_of_user(users.environment_id, users.id, users.client_user_id),
  -- the time of arrival, until newer data arrive
  coalesce(date_trunc('minute', newest.last_attempt_at), '-infinity'), newest.resource,
  coalesce(failed.count, 0), coalesce(waiting.count, 0), coalesce(open.count, 0)
from users
left join (
  select distinct on (environment_id, user_id) environment_id, user_id, last_attempt_at, resource
  from resource_statistics where last_attempt_status = 'success' and sent_count > 0
  order by environment_id, user_id, last_attempt_at desc
) newest on newest.environment_id = users.environment_id and newest.user_id = users.id
left join (
  select environment_id, user_id, count(*) from connections where status = 'error' group by 1, 2
) failed on failed.environment_id = users.environment_id and failed.user_id = users.id
left join (
  select environment_id, user_id, count(*) from tasks
  where status in ('requested', 'received', 'accepted') and user_id is not null group by 1, 2
) waiting on waiting.environment_id = users.environment_id and waiting.user_id = users.id
left join (
  select environment_id, user_id, count(*) from orders
  where not is_hidden and not is_order_over(last_status) group by 1, 2
) open on open.environment_id = users.environment_id and open.user_id = users.id;

-- Saved views are of several lists, and some are only shown to the key that made them.
alter table saved_views
  add column list text not null default 'orders'
    check (list in ('orders', 'people', 'tasks', 'events')),
  -- null for a view that all users of the environment share
  add column management_key_id uuid references management_keys (id);
drop index saved_views_by_name;
create unique index saved_views_by_name on saved_views
  (environment_id, list, coalesce(management_key_id, '00000000-0000-0000-0000-000000000000'), lower(name));

create function delete_views_of_key() returns trigger language plpgsql as $$
begin
  delete from saved_views where management_key_id = new.id;
  return null;
end;
$$;
create trigger management_keys_views after update of deleted_at on management_keys
  for each row when (new.deleted_at is not null) execute function delete_views_of_key();
create index saved_views_by_key on saved_views (management_key_id)
  where management_key_id is not null;

-- Laboratories in production, and orders of people who are deleted

-- The catalog that is shipped is for sandboxes. What an operator loads is nobody's sample any more.
alter table labs add column is_sample boolean not null default false;
alter table lab_accounts add column is_sample boolean not null default false;
alter table physicians add column is_sample boolean not null default false;

-- What earlier versions shipped is told by its invented addresses, numbers and names: an operator who
-- loaded a laboratory has written those of their own over them.
update labs set is_sample = true where first_line_address in (
  '210 Sample Kit Avenue', '18 Example Assay Road', '4400 Example Science Drive',
  '1000 Sample Reference Parkway', '350 Example Desert Way', '77 Sample Laboratory Street',
  '520 Example Center Lane', '901 Sample Antibody Avenue', '1 Example Bench Road',
  '66 Sample Heart Boulevard', '12 Example Health Court', '808 Sample Clinic Row',
  '5 Example Culture Way', '2900 Sample Underwriting Drive', '41 Example Microtest Place'
);
update lab_accounts set is_sample = true
where organization_id is null and provider_account_id = '1234567890'
  and account_name like '% sample account';
update physicians set is_sample = true
where team_id is null and (npi, first_name, last_name) in (
  ('2000000010', 'Robin', 'Sample'), ('2000000028', 'Sasha', 'Example'),
  ('2000000036', 'Taylor', 'Placeholder')
);
-- Tests that production teams made of the sample can be ordered no more; orders of them stay.
update lab_tests set status = 'inactive', updated_at = now()
from labs, team_environments environment
where labs.id = lab_tests.lab_id and labs.is_sample
  and environment.id = lab_tests.environment_id and environment.environment = 'production'
  and lab_tests.status <> 'inactive';

alter table orders
  -- its person was deleted: it is shown to nobody, and erased after a week unless that is undone
  add column is_hidden boolean not null default false,
  -- when it was given up to hand the order over, and why (a code)
  add column dispatch_failed_at timestamptz,
  add column dispatch_problem text;

create index orders_not_handed_over on orders (environment_id, dispatch_failed_at)
  where dispatch_failed_at is not null;
create index orders_hidden on orders (environment_id, id) where is_hidden;
create index users_deleted on users (environment_id, id) where deleted_at is not null;
-- Reports that a person put into an order: a correction goes the same way.
create index unmatched_results_accepted
  on unmatched_results (environment_id, lab_id, (report ->> 'sample_id'))
  where status = 'resolved' and resolution_action = 'accept';

-- In production nothing led to a laboratory before; what was ordered there waits for the operator.
update orders set dispatch_failed_at = updated_at, dispatch_problem = 'lab_not_connected'
from team_environments environment
where environment.id = orders.environment_id and environment.environment = 'production'
  and dispatched_at is null and not is_imported
  and last_status in ('ordered', 'awaiting_registration', 'registered')
  and (activate_by is null or activate_by <= current_date);

-- Hidden orders are in no list and in no count.
create or replace function log_order_count_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if (old.environment_id, old.method, old.last_status, old.interpretation, old.patient_name,
        old.shipping_recipient_name, (old.created_at at time zone 'UTC')::date,
        (old.updated_at at time zone 'UTC')::date, old.is_hidden)
      is not distinct from
      (new.environment_id, new.method, new.last_status, new.interpretation, new.patient_name,
        new.shipping_recipient_name, (new.created_at at time zone 'UTC')::date,
        (new.updated_at at time zone 'UTC')::date, new.is_hidden)
    then
      return null;
    end if;
  end if;
  if tg_op <> 'INSERT' then
    if not old.is_hidden then
      insert into order_count_changes values (
        old.environment_id, (old.created_at at time zone 'UTC')::date,
        (old.updated_at at time zone 'UTC')::date, old.method, old.last_status, old.interpretation,
        old.patient_name, old.shipping_recipient_name, -1
      );
    end if;
  end if;
  if tg_op <> 'DELETE' then
    if not new.is_hidden then
      insert into order_count_changes values (
        new.environment_id, (new.created_at at time zone 'UTC')::date,
        (new.updated_at at time zone 'UTC')::date, new.method, new.last_status, new.interpretation,
        new.patient_name, new.shipping_recipient_name, 1
      );
    end if;
  end if;
  return null;
end
$$;

drop trigger orders_recounted on orders;
create trigger orders_recounted after update of environment_id, method, last_status, interpretation,
    patient_name, shipping_recipient_name, created_at, updated_at, is_hidden on orders
  for each row execute function log_order_count_change();

-- Whoever deletes a person, or brings them back, does so to their orders in the same transaction.
create function hide_orders_of_user() returns trigger language plpgsql as $$
begin
  update orders set is_hidden = new.deleted_at is not null
  where environment_id = new.environment_id and user_id = new.id
    and is_hidden <> (new.deleted_at is not null);
  return null;
end
$$;
create trigger users_hidden after update of deleted_at on users
  for each row when (old.deleted_at is distinct from new.deleted_at)
  execute function hide_orders_of_user();

update orders set is_hidden = true
from users
where users.environment_id = orders.environment_id and users.id = orders.user_id
  and users.deleted_at is not null;

-- The indexes of the list leave hidden orders out, so that it still reads nothing but indexes.
drop index orders_by_creation, orders_by_patient_name, orders_by_state,
  orders_by_update, orders_by_activation, orders_by_birth_date;
create index orders_by_creation on orders (environment_id, created_at, id)
  include (updated_at, method, last_status, interpretation, activate_by, patient_name,
    shipping_recipient_name) where not is_hidden;
create index orders_by_patient_name
  on orders (environment_id, patient_name collate "C", created_at, id)
  include (updated_at, method, last_status, interpretation, activate_by, shipping_recipient_name)
  where not is_hidden;
create index orders_by_state
  on orders (environment_id, last_status, method, interpretation, created_at, id)
  include (activate_by, patient_name) where not is_hidden;
create index orders_by_update on orders (environment_id, updated_at)
  include (id, created_at, method, last_status, interpretation) where not is_hidden;
create index orders_by_activation on orders (environment_id, activate_by)
  include (id, created_at, updated_at, method, last_status, interpretation)
  where activate_by is not null and not is_hidden;
create index orders_by_birth_date on orders (environment_id, patient_dob) where not is_hidden;

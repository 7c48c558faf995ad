-- Tasks of all kinds are in one table, which was that of critical results
-- (docs/decisions/0137-one-inbox-of-tasks.md).
alter table critical_result_tasks rename to tasks;

alter table tasks
  alter column order_id drop not null,
  alter column result_version drop not null,
  alter column result_status drop not null,
  drop constraint critical_result_tasks_status_check,
  add constraint tasks_status_check
    check (status in ('requested', 'received', 'accepted', 'completed', 'cancelled')),
  add column kind text not null default 'critical_result',
  -- 0 is the most urgent
  add column priority smallint not null default 0,
  add column focus_type text not null default 'order',
  add column focus_id uuid,
  add column user_id uuid,
  add column due_at timestamptz,
  add column owner jsonb,
  add column ended_at timestamptz,
  -- null when the task ended with its reason
  add column ended_by jsonb,
  add constraint tasks_of_users foreign key (environment_id, user_id)
    references users (environment_id, id) on delete cascade;

-- One reason has one open task.
create unique index tasks_open on tasks (environment_id, focus_id, kind, coalesce(result_version, 0))
  where status in ('requested', 'received', 'accepted');
create index tasks_open_by_priority on tasks (environment_id, priority, opened_at, id)
  where status in ('requested', 'received', 'accepted');
create index tasks_by_user on tasks (environment_id, user_id) where user_id is not null;

-- Servers of the version before read and write the tasks of critical results under the former name.
create view critical_result_tasks as
  select environment_id, id, order_id, result_version, result_status, status, opened_at, updated_at,
    escalate_at, escalated_at, escalations, received_at, received_by, acknowledged_at,
    acknowledged_by, note
  from tasks where kind = 'critical_result';

create function complete_former_task() returns trigger language plpgsql as $$
begin
  new.focus_id := new.order_id;
  new.user_id := (select orders.user_id from orders
    where orders.environment_id = new.environment_id and orders.id = new.order_id);
  return new;
end;
$$;
create trigger tasks_of_the_version_before before insert on tasks
  for each row when (new.focus_id is null) execute function complete_former_task();

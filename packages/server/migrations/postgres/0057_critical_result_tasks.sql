-- Tasks to acknowledge critical results: one for each version in which a result became critical.
create table critical_result_tasks (
  environment_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  result_version integer not null,
  result_status text not null,
  status text not null check (status in ('requested', 'received', 'completed', 'cancelled')),
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  -- time of the next escalation; null when none will follow
  escalate_at timestamptz,
  escalated_at timestamptz,
  escalations integer not null default 0,
  received_at timestamptz,
  received_by jsonb,
  acknowledged_at timestamptz,
  acknowledged_by jsonb,
  note text,
  primary key (environment_id, id),
  foreign key (environment_id, order_id) references orders (environment_id, id) on delete cascade
);

create index critical_result_tasks_by_order on critical_result_tasks (environment_id, order_id);
create index critical_result_tasks_listed on critical_result_tasks (environment_id, opened_at, id);
create index critical_result_tasks_due on critical_result_tasks (escalate_at)
  where escalate_at is not null;

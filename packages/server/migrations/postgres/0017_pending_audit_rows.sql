-- What a change is told by in its own transaction, until the answer is known and the row is part of the chain.
-- A crash between the two leaves it here; it is then added without a status.

create table pending_audit_rows (
  id uuid primary key,
  at timestamptz not null,
  environment_id uuid,
  actor_kind text not null,
  actor_id uuid,
  method text not null,
  route text not null,
  user_id uuid,
  object_id uuid
);

create index pending_audit_rows_by_time on pending_audit_rows (at);

create trigger pending_audit_rows_do_not_change
  before update or truncate on pending_audit_rows
  for each statement execute function refuse_change_of_audit_log();

alter table audit_log alter column status drop not null;

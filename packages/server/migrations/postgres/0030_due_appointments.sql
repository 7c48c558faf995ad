-- A booking that its provider has not answered: when it is asked again, in the environment's own time.
alter table appointments add column ask_at timestamptz;

-- What is due first in an environment, and over all of them. The predicate follows from the comparison.
drop index appointments_due;
create index appointments_due on appointments
  (environment_id, least(ask_at, confirm_by, cancel_at, remind_at))
  where least(ask_at, confirm_by, cancel_at, remind_at) is not null;
create index appointments_due_anywhere on appointments
  (least(ask_at, confirm_by, cancel_at, remind_at))
  where least(ask_at, confirm_by, cancel_at, remind_at) is not null;
-- The few whose own time is not that of everybody.
create index team_environments_ahead on team_environments (id) where clock_offset_seconds > 0;

-- A task may have its own time of escalation, instead of that of its kind.
alter table tasks add column escalation_minutes integer;

-- What laboratories send is stored under the sender's own id of it, so that it counts once; what cannot be
-- applied is tried a bounded number of times and then waits for the operator, who may discard it.
alter table lab_messages
  add column control_id text,
  add column attempts smallint not null default 0,
  add column problem_class text check (problem_class in ('unreadable', 'refused', 'fault')),
  drop constraint lab_messages_state_check,
  add constraint lab_messages_state_check
    check (state in ('waiting', 'processed', 'ignored', 'held', 'failed', 'discarded'));
update lab_messages set problem_class = 'refused' where state = 'failed';
create unique index lab_messages_by_control_id on lab_messages (environment_id, gateway, control_id)
  where control_id is not null;
drop index lab_messages_unprocessed;
create index lab_messages_open on lab_messages (environment_id, state, id) where state in ('waiting', 'failed');

-- What happens to an order of a sandbox is a message under this id.
alter table sandbox_steps add column id uuid not null default gen_random_uuid();

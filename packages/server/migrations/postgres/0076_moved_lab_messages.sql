-- Contents of messages of laboratories that are over are in ClickHouse (docs/decisions/0132). A message whose content moved
-- has its number of bytes here, and an empty content.
alter table lab_messages add column moved_bytes integer;
alter table lab_outgoing_messages add column moved_bytes integer;

-- Messages that were removed, by whichever way, until their contents are.
create table removed_lab_messages (
  environment_id uuid not null,
  id uuid not null,
  primary key (environment_id, id)
);

create function record_removed_lab_messages() returns trigger language plpgsql as $$
begin
  insert into removed_lab_messages (environment_id, id)
  select environment_id, id from removed where environment_id is not null
  on conflict do nothing;
  return null;
end $$;

create trigger lab_messages_removed after delete on lab_messages
  referencing old table as removed for each statement execute function record_removed_lab_messages();
create trigger lab_outgoing_messages_removed after delete on lab_outgoing_messages
  referencing old table as removed for each statement execute function record_removed_lab_messages();

-- Where the next look for contents begins; null until all messages of before were looked at once.
create table lab_message_moves (
  direction text primary key check (direction in ('received', 'sent')),
  looked_until uuid,
  -- the version before reads contents here, so moving begins when its processes have ended
  created_at timestamptz not null default now()
);
insert into lab_message_moves (direction) values ('received'), ('sent');

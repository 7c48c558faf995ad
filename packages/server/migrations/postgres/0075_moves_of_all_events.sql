-- Events of laboratories and of no person move too (docs/decisions/0132), when the processes of the version before have
-- ended, which do not look for them in ClickHouse.
alter table event_history_state add column all_events_since timestamptz not null default now();

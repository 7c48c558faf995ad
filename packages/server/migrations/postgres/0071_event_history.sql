-- Old events of people are in ClickHouse (docs/decisions/0123). Which of its rows count is decided here, in the
-- transaction that removes the same rows from PostgreSQL: those of a move up to this number.
create table event_history_state (
  singleton boolean primary key default true check (singleton),
  moves bigint not null default 0,
  -- every event that was moved has a smaller id
  moved_before text not null default '',
  -- the largest ones that were moved
  moved_transaction_id xid8 not null default '0',
  moved_attempts_until timestamptz,
  -- the version before cannot read what was moved, so moving begins when its processes have ended
  created_at timestamptz not null default now()
);

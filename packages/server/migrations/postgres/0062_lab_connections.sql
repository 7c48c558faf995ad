-- Connections of an environment to laboratories, as operators write them
create table lab_connections (
  environment_id uuid not null references team_environments (id),
  id uuid primary key,
  -- never used again for another connection, because messages name their connection by it
  name text not null,
  lab_slug text not null,
  config jsonb not null,
  -- values of `secret:` references by name, sealed
  secrets bytea,
  is_enabled boolean not null,
  -- orders wait while it is held
  is_held boolean not null default false,
  next_placer bigint not null default 1,
  next_requisition bigint,
  -- where the next poll continues
  poll_position text,
  -- problem of the transport that receives, a code; null while it works
  receiving_problem text,
  last_received_at timestamptz,
  alerted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  unique (environment_id, name)
);
-- One enabled connection of an environment serves a laboratory
create unique index lab_connections_by_lab on lab_connections (environment_id, lab_slug)
  where is_enabled and deleted_at is null;

-- Messages to laboratories. The bytes never change: every repetition sends them again
create table lab_outgoing_messages (
  environment_id uuid not null references team_environments (id),
  id uuid primary key,
  connection_id uuid not null references lab_connections (id),
  order_id uuid not null,
  purpose text not null check (purpose in ('order', 'cancellation')),
  control_id text not null,
  placer text not null,
  requisition text,
  content bytea not null,
  state text not null check (state in ('waiting', 'accepted', 'committed', 'refused')),
  answer_code text,
  answer_location text,
  answer_content bytea,
  attempts integer not null default 0,
  -- code of the last attempt without an answer
  problem text,
  created_at timestamptz not null,
  attempted_at timestamptz,
  answered_at timestamptz,
  unique (connection_id, control_id),
  foreign key (environment_id, order_id) references orders (environment_id, id) on delete cascade
);
create index lab_outgoing_messages_by_order on lab_outgoing_messages (environment_id, order_id);
create index lab_outgoing_messages_by_connection on lab_outgoing_messages (connection_id, id);
create index lab_outgoing_messages_waiting on lab_outgoing_messages (connection_id, created_at)
  where state = 'waiting';

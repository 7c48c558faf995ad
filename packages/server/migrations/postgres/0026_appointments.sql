-- Appointments: visits of phlebotomists, and those of patients at sites of laboratories.
create table appointments (
  environment_id uuid not null references team_environments (id),
  id uuid not null,
  user_id uuid not null,
  order_id uuid not null,
  order_transaction_id uuid not null,
  type text not null check (type in ('phlebotomy', 'patient_service_center')),
  provider text not null,
  status text not null
    check (status in ('pending', 'reserved', 'confirmed', 'in_progress', 'completed', 'cancelled')),
  address jsonb not null,
  lng double precision not null,
  lat double precision not null,
  -- of the laboratory; null for a visit at the patient's
  site_code text,
  -- null until a time is known
  start_at timestamptz,
  end_at timestamptz,
  -- IANA
  time_zone text not null,
  -- the provider's own id of it; empty until it has one
  provider_id text not null default '',
  -- what the patient shows
  external_id text,
  can_reschedule boolean not null,
  notes text,
  -- Instants in the environment's own time at which something is due; null when nothing is.
  -- the provider of an unanswered booking is asked again
  ask_at timestamptz,
  -- an unanswered booking is given up
  confirm_by timestamptz,
  -- one without a requisition is cancelled
  cancel_at timestamptz,
  -- the team is reminded of it
  remind_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade,
  foreign key (environment_id, order_id) references orders (environment_id, id) on delete cascade
);
create unique index appointments_one_active_of_order on appointments (environment_id, order_id)
  where status in ('pending', 'reserved', 'confirmed', 'in_progress');
create unique index appointments_one_active_of_patient on appointments (environment_id, user_id, provider)
  where type = 'phlebotomy' and status in ('pending', 'reserved', 'confirmed', 'in_progress');
create index appointments_of_order on appointments (environment_id, order_id, created_at desc);
create index appointments_of_user on appointments (environment_id, user_id);
-- What is due first in an environment, and over all of them. The predicate follows from the comparison.
create index appointments_due on appointments (environment_id, least(ask_at, confirm_by, cancel_at, remind_at))
  where least(ask_at, confirm_by, cancel_at, remind_at) is not null;
create index appointments_due_anywhere on appointments (least(ask_at, confirm_by, cancel_at, remind_at))
  where least(ask_at, confirm_by, cancel_at, remind_at) is not null;
-- The few whose own time is not that of everybody.
create index team_environments_ahead on team_environments (id) where clock_offset_seconds > 0;

create table appointment_events (
  environment_id uuid not null,
  appointment_id uuid not null,
  id bigint generated always as identity,
  status text not null,
  data jsonb,
  created_at timestamptz not null,
  primary key (environment_id, appointment_id, id),
  foreign key (environment_id, appointment_id) references appointments (environment_id, id) on delete cascade
);

-- What the providers of appointments of sandboxes have booked. Nothing of a patient is here.

-- A slot of which a seat was given at least once.
create table sandbox_slots (
  environment_id uuid not null references team_environments (id),
  -- provider and site, or provider and ZIP code
  calendar text collate "C" not null,
  start_at timestamptz not null,
  capacity smallint not null,
  taken smallint not null,
  primary key (environment_id, calendar, start_at),
  check (taken between 0 and capacity)
);

-- What a provider knows by the id of an appointment.
create table sandbox_bookings (
  environment_id uuid not null references team_environments (id),
  appointment_id uuid not null,
  -- the seat; null of a request, and of what is cancelled
  calendar text collate "C",
  start_at timestamptz,
  is_cancelled boolean not null default false,
  -- In the environment's own time.
  -- since when it has the seat
  seated_at timestamptz,
  -- when the provider says something more, and what
  answer_at timestamptz,
  answer text check (answer in ('appointment_scheduled', 'appointment_cancelled')),
  -- by the real time
  created_at timestamptz not null default now(),
  primary key (environment_id, appointment_id)
);

create index sandbox_bookings_due on sandbox_bookings (environment_id, answer_at) where answer_at is not null;

-- Bookings under way: what a provider of appointments is asked, until an appointment tells of the outcome.
create table booking_attempts (
  environment_id uuid not null references team_environments (id),
  -- of the appointment that it is to become, or that it moves; the provider knows it by this
  appointment_id uuid not null,
  order_id uuid not null,
  provider text not null,
  -- what is asked for; null of a request, whose time the provider sets
  start_at timestamptz,
  end_at timestamptz,
  -- of the laboratory; null for a visit at the patient's
  site_code text,
  -- who works on it, and until when nobody else does
  holder uuid not null,
  held_until timestamptz not null,
  primary key (environment_id, appointment_id),
  foreign key (environment_id, order_id) references orders (environment_id, id) on delete cascade
);
create unique index booking_attempts_one_of_order on booking_attempts (environment_id, order_id);

-- First answers are kept as long as their endpoint says, and no longer than the person they tell of. One
-- without a status is a claim: its request is still at work, until held_until at most.
alter table idempotent_answers
  alter column status drop not null,
  alter column body drop not null,
  add column expires_at timestamptz not null default now() + interval '1 day',
  add column user_id uuid,
  add column holder uuid,
  add column held_until timestamptz,
  add constraint idempotent_answers_claimed_or_answered
    check ((status is null) = (body is null) and (status is not null or held_until is not null)),
  add foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade;
update idempotent_answers set expires_at = created_at + interval '1 day';
drop index idempotent_answers_by_age;
create index idempotent_answers_by_end on idempotent_answers (expires_at);
create index idempotent_answers_of_user on idempotent_answers (environment_id, user_id) where user_id is not null;

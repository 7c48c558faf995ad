-- Failed sign-ins to the console of the present minute, counted over all processes. Counts of a minute are worth
-- nothing after a crash, so they are not logged.
create unlogged table sign_in_attempts (
  minute timestamptz not null,
  -- a hash of the network that tried; empty for all of them together
  network_hash bytea not null,
  failed integer not null,
  primary key (minute, network_hash)
);

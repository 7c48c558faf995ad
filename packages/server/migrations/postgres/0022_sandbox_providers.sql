-- What the emulated vendors of sandboxes keep: what was granted, used up, subscribed, or is to go wrong.

create table sandbox_providers (
  key text collate "C" primary key,
  value jsonb not null,
  -- counts the changes, so that of two at once one is kept
  version integer not null,
  expires_at timestamptz
);

create index sandbox_providers_by_end on sandbox_providers (expires_at) where expires_at is not null;

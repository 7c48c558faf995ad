-- Keys may end by themselves, and tell when they were used last, to the minute.
alter table team_api_keys
  add column expires_at timestamptz,
  add column last_used_at timestamptz;

insert into samples (environment_id, user_id, series, started_at, ended_at, provider, source_type, value, version)
select '00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000007', 'steps',
  toDateTime64('2026-01-02 08:00:00', 3, 'UTC') + number * 60, toDateTime64('2026-01-02 08:01:00', 3, 'UTC') + number * 60,
  'manual', 'unknown', 10 + number, 5
from numbers(3);
insert into put_aside_items (environment_id, user_id, resource, provider, reason, item, received_at)
select '00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000007', 'steps', 'manual',
  'value_out_of_range', '{"value": -1}', toDateTime64('2026-01-02 08:00:00', 3, 'UTC');

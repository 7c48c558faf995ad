insert into sleep_summaries (environment_id, user_id, id, provider, source_type, started_at, ended_at, calendar_date,
  duration_second, raw, content_hash, created_at, updated_at, version)
select '00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000007',
  '00000000-0000-4000-8000-000000000015', 'manual', 'unknown', toDateTime64('2026-01-01 22:00:00', 3, 'UTC'),
  toDateTime64('2026-01-02 06:00:00', 3, 'UTC'), '2026-01-02', 28800, '{}', 1,
  toDateTime64('2026-01-02 06:00:00', 3, 'UTC'), toDateTime64('2026-01-02 06:00:00', 3, 'UTC'), 5;

-- Stored in the other store, and not told of when the process ended
insert into unannounced_samples values ('00000000-0000-4000-8000-000000000003',
  '00000000-0000-4000-8000-000000000007', 'steps', '00000000-0000-4000-8000-000000000009', 'manual',
  '2026-01-02T08:00:00Z', '2026-01-02T08:02:00Z', 1, 'http://127.0.0.1', '2026-01-02T08:10:00Z');

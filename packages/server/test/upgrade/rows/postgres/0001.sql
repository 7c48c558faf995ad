insert into organizations values ('00000000-0000-4000-8000-000000000001', 'First', '2026-01-02T00:00:00Z');
insert into teams values ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001',
  'First team', 'us', null, '2026-01-02T00:00:00Z');
insert into team_environments values
  ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000002', 'sandbox', '{}'),
  ('00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000002', 'production', '{}');
-- sk_us_0123456789abcdefghij, and the same with mg_
insert into team_api_keys values ('00000000-0000-4000-8000-000000000005', '00000000-0000-4000-8000-000000000003',
  'First', sha256('sk_us_0123456789abcdefghij'), 'sk_us_****ghij', '2026-01-02T00:00:00Z');
insert into management_keys values ('00000000-0000-4000-8000-000000000006', '00000000-0000-4000-8000-000000000001',
  'First', 'org_admin', null, '{"type": "bootstrap"}', sha256('mg_0123456789abcdefghij'), '2026-01-02T00:00:00Z');
insert into users (environment_id, id, client_user_id, created_at, fallback_time_zone) values
  ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000007', 'first-user',
  '2026-01-02T00:00:00Z', 'Europe/Paris');
insert into user_demographics values ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000007',
  '{"first_name": "Sample", "last_name": "Person", "email": "sample@example.com", "phone_number": "+15550100199",
    "gender": "female", "dob": "1990-01-01", "address": {"first_line": "1 Main St", "second_line": null,
    "city": "Phoenix", "state": "AZ", "zip": "85004", "country": "US"}}', '2026-01-02T00:00:00Z');
insert into connections (environment_id, user_id, provider, id, status, created_at, updated_at) values
  ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000007', 'manual',
  '00000000-0000-4000-8000-000000000008', 'connected', '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z');

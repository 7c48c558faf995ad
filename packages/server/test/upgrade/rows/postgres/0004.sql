insert into labs (id, slug, name, first_line_address, city, state, zipcode, collection_methods, sample_types)
values (900, 'own-lab', 'Own laboratory', '1 Own Street', 'Phoenix', 'AZ', '85004', '{walk_in_test}', '{serum}');
insert into markers (id, lab_id, provider_id, name, slug, type, sample_type, loinc_set_hash, search_text)
values (9000, 900, 'OWN1', 'Own marker', 'own-marker', 'biomarker', 'serum', 'own', 'own marker');
insert into lab_accounts (id, lab_id, status, delegated_flow, provider_account_id, allowed_billing, created_at)
values ('00000000-0000-4000-8000-000000000010', 900, 'active', 'fully_delegated', 'OWN', '{}', '2026-01-02T00:00:00Z');
insert into lab_tests (environment_id, id, lab_id, slug, name, description, method, sample_type, status, created_at, updated_at)
values ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000011', 900, 'own-test', 'Own test',
  'A test', 'walk_in_test', 'serum', 'active', '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z');
insert into lab_test_markers values
  ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000011', 9000, 0);
insert into order_transactions values ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000012',
  'active', '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z');
insert into orders (environment_id, id, user_id, transaction_id, origin, lab_id, lab_test_id, lab_account_id, method,
  marker_ids, details_id, billing_type, dispatched_at, last_status, last_status_at, patient_name, patient_details,
  created_at, updated_at)
values ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000013',
  '00000000-0000-4000-8000-000000000007', '00000000-0000-4000-8000-000000000012', 'initial', 900,
  '00000000-0000-4000-8000-000000000011', '00000000-0000-4000-8000-000000000010', 'walk_in_test', '{9000}',
  '00000000-0000-4000-8000-000000000014', 'client_bill', '2026-01-02T00:00:00Z', 'requisition_created',
  '2026-01-02T00:00:00Z', 'sample person',
  '{"first_name": "Sample", "last_name": "Person", "dob": "1990-01-01", "gender": "female",
    "phone_number": "+15550100199", "email": "sample@example.com", "medical_proxy": null, "race": null,
    "ethnicity": null, "sexual_orientation": null, "gender_identity": null}',
  '2026-01-02T00:00:00Z', '2026-01-02T00:00:00Z');
insert into order_events (environment_id, order_id, status, created_at) values
  ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000013', 'ordered', '2026-01-02T00:00:00Z'),
  ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000013', 'requisition_created',
  '2026-01-02T00:01:00Z');
insert into idempotent_answers (environment_id, endpoint, key, request_hash, status, body, created_at) values
  ('00000000-0000-4000-8000-000000000003', 'POST /v3/order', 'placed', '\x00', 200,
  '{"order": {"user_id": "00000000-0000-4000-8000-000000000007"}}', '2999-01-02T00:00:00Z'),
  ('00000000-0000-4000-8000-000000000003', 'POST /v3/order', 'of nobody who is here', '\x00', 200,
  '{"order": {"user_id": "00000000-0000-4000-8000-00000000dead"}}', '2999-01-02T00:00:00Z'),
  ('00000000-0000-4000-8000-000000000003', 'POST /v3/order', 'refused', '\x00', 404, '{"detail": "user_not_found"}',
  '2999-01-02T00:00:00Z');

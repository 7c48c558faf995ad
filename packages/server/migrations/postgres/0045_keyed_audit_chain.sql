-- Keys of the chain of the audit log, sealed by the secret key: who may only write to the database cannot make rows
-- that hang together. Rows of before have no key, and a plain hash.
create table audit_log_keys (
  id uuid primary key,
  sealed bytea not null,
  created_at timestamptz not null
);
alter table audit_log add column key_id uuid;

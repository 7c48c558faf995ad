-- Uploads of files for imports that can be resumed. The file itself has the number of received bytes.
-- One request at a time writes: it holds the row until writer_until, and renews that while bytes arrive.
create table import_uploads (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid primary key,
  bytes bigint not null check (bytes > 0),
  metadata text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  writer uuid,
  writer_until timestamptz,
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index import_uploads_by_user on import_uploads (environment_id, user_id);
create index import_uploads_by_expiry on import_uploads (expires_at);

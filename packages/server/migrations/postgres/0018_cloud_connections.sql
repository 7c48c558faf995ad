-- Connections to providers that Salus asks by itself.

alter table connections
  -- in the vendor's words; null where a provider has no scopes
  add column granted_scopes jsonb,
  -- of the vendor's service, where it has several
  add column region text,
  add column is_demo boolean not null default false;

-- Whose account a message of a vendor is about, and whether another person of the team has the same one.
create index connections_by_account on connections (provider, external_user_id)
  where external_user_id is not null and status <> 'deregistered';

-- Some connections of one provider, such as all in a bulk export, and those that are due.
create unique index connections_by_id on connections (id);
create index connections_by_provider on connections (environment_id, provider, user_id);

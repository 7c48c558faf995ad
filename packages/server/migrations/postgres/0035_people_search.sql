-- People are searched by parts of their client_user_id, name and e-mail address, of which an
-- environment may have a hundred thousand.

create index users_by_client_user_id_part on users
  using gin (environment_id, client_user_id gin_trgm_ops) where deleted_at is null;

-- lower case, to be searched by
alter table user_demographics add column search_text text not null generated always as (
  lower(coalesce(info ->> 'first_name', '') || ' ' || coalesce(info ->> 'last_name', '') || ' ' || coalesce(info ->> 'email', ''))
) stored;
create index user_demographics_search on user_demographics
  using gin (environment_id, search_text gin_trgm_ops);

-- Names of patients have such an index; their addresses get one.
create index orders_by_patient_email on orders
  using gin (environment_id, lower(patient_details ->> 'email') gin_trgm_ops) where not is_hidden;

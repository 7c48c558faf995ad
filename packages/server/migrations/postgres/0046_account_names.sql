-- As whom a person signed in at a provider with a password, which the interface shows as external_user_id. The vendor's own id
-- stays beside it, because it tells accounts apart and a username may be spelled in several ways.
alter table connections add column account_name text;

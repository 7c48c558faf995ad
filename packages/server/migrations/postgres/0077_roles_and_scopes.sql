-- What keys and tokens may do; null is everything, which is what keys from before have.
alter table team_api_keys add column scopes text[];
alter table team_access_tokens add column scopes text[];

-- Environments to which a role is limited; null is both.
alter table management_keys add column environments text[];
alter table management_keys drop constraint management_keys_role_check;
alter table management_keys add constraint management_keys_role_check
  check (role in ('org_admin', 'team_admin', 'clinician', 'developer', 'viewer'));

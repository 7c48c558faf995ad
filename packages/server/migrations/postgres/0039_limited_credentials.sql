-- Team keys and team access tokens that reach one person only, or only read. They end with the person's erasure.
alter table team_api_keys
  add column user_id uuid,
  add column access text not null default 'write' check (access in ('read', 'write')),
  add foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade;

alter table team_access_tokens
  add column user_id uuid,
  add column access text not null default 'write' check (access in ('read', 'write')),
  add foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade;

create index team_api_keys_by_user
  on team_api_keys (environment_id, user_id) where user_id is not null;

create index team_access_tokens_by_user
  on team_access_tokens (environment_id, user_id) where user_id is not null;

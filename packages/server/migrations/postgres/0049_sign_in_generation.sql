-- How often all sessions of the person's apps were ended: sign-in tokens of before begin none any more.
alter table users add column sign_in_generation integer not null default 0;

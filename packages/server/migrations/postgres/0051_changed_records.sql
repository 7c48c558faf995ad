-- Records that a provider named in messages, by their ids: they are pulled, or removed, one after the other
-- between the polls of their collection. An element is {"id", "isDeleted", "attempts"?, "nextAt"?}.
alter table pull_tasks add column records jsonb not null default '[]';

-- Alerts of a laboratory connection whose beginning was published, so that each is published once
alter table lab_connections add column alerts text[] not null default '{}';
alter table lab_connections drop column alerted_at;
-- When an operator last sent a message to a laboratory again, beside its own attempts
alter table lab_outgoing_messages add column resent_at timestamptz;
alter table lab_outgoing_messages add column resent_count integer not null default 0;

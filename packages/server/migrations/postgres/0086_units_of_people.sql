-- Units in which pages show values of a person; null for those of the team
-- (docs/decisions/0140-a-person-at-a-glance.md).
alter table users add column units jsonb;

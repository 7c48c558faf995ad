-- Imports of any format: it is recognized by the worker, and a job may wait for options of its file.
alter table import_jobs alter column source drop not null;
alter table import_jobs add column provider text;
alter table import_jobs add column options jsonb not null default '{}';
alter table import_jobs add column questions jsonb not null default '[]';
alter table import_jobs drop constraint import_jobs_status_check;
alter table import_jobs add constraint import_jobs_status_check
  check (status in ('queued', 'running', 'needs_options', 'completed', 'failed'));
create index import_jobs_waiting on import_jobs (started_at) where status = 'needs_options';
update import_jobs set provider = 'apple_health_kit' where source = 'apple_health';

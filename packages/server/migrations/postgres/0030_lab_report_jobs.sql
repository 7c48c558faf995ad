-- Reports of laboratories that people bring as files, and what was read in them
create table lab_report_jobs (
  environment_id uuid not null references team_environments (id),
  id uuid not null,
  user_id uuid not null,
  status text not null
    check (status in ('upload_pending', 'started', 'pending_review', 'completed', 'failed')),
  failure_reason text
    check (failure_reason in ('invalid_input', 'low_quality', 'not_english', 'too_many_pages', 'processing_error')),
  -- a constant word that says more of the reason
  failure_detail text,
  needs_human_review boolean not null,
  is_reviewed boolean not null default false,
  -- how often parsing was begun; the number of an attempt is what may end it
  attempts integer not null default 0,
  pages_read integer,
  pages_total integer,
  -- media type and size of each uploaded file, in order
  files jsonb not null,
  -- seals the files; null when they are gone
  sealed_file_key bytea,
  delete_files_at timestamptz not null,
  -- what was read, as it was read, with where it stands
  report jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);
create index lab_report_jobs_newest on lab_report_jobs (environment_id, created_at, id);
create index lab_report_jobs_of_user on lab_report_jobs (environment_id, user_id, created_at, id);
create index lab_report_jobs_unfinished on lab_report_jobs (environment_id, status)
  where status in ('upload_pending', 'started', 'pending_review');
create index lab_report_jobs_files_due on lab_report_jobs (delete_files_at)
  where sealed_file_key is not null;

-- Results of completed jobs that are known to be of an analyte, so that they can be found by person
create table lab_report_results (
  environment_id uuid not null,
  job_id uuid not null,
  -- in `results` of the job, from 0
  position integer not null,
  user_id uuid not null,
  -- of an auto_match only
  loinc_code text,
  name text not null,
  -- as printed
  value text not null,
  unit text,
  -- the unit in UCUM, and the value as a number in it; null where they are not understood
  ucum_unit text,
  number double precision,
  comparator text check (comparator in ('<', '>', '<=', '>=')),
  low double precision,
  high double precision,
  interpretation text not null,
  -- null where the report does not say it in a way that has one meaning
  collected_on date,
  reported_on date,
  primary key (environment_id, job_id, position),
  foreign key (environment_id, job_id) references lab_report_jobs (environment_id, id) on delete cascade
);
create index lab_report_results_of_user on lab_report_results (environment_id, user_id, loinc_code);

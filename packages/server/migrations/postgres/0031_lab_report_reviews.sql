-- What reviewers decided of reports that were read, and what they corrected
create table lab_report_reviews (
  environment_id uuid not null,
  job_id uuid not null,
  decision text not null check (decision in ('approved', 'rejected')),
  -- the management key
  reviewer_id uuid not null,
  note text,
  decided_at timestamptz not null,
  primary key (environment_id, job_id),
  foreign key (environment_id, job_id) references lab_report_jobs (environment_id, id) on delete cascade
);

create table lab_report_corrections (
  environment_id uuid not null,
  job_id uuid not null,
  id bigint generated always as identity,
  -- in what was read, from 0; those that reviewers added come after; null for a fact of the head
  position integer,
  -- a field of the answer; `result` for one that was added or removed as a whole
  field text not null,
  old_value jsonb,
  new_value jsonb,
  reviewer_id uuid not null,
  corrected_at timestamptz not null,
  primary key (environment_id, job_id, id),
  foreign key (environment_id, job_id) references lab_report_jobs (environment_id, id) on delete cascade
);

-- Whose a lab report is: how its patient fits the person that it was uploaded for, and why a reviewer looks at it
alter table lab_report_jobs
  -- of requested, patient_mismatch, patient_uncertain, several_patients; it stays when it is decided
  add column review_reasons text[] not null default '{}',
  -- outcomes without names and dates; null until it is read, and of what was read before there was this
  add column patient_match jsonb;
update lab_report_jobs set review_reasons = '{requested}' where needs_human_review;

alter table lab_report_reviews
  -- the reviewer said that the report is this person's
  add column is_patient_confirmed boolean not null default false;

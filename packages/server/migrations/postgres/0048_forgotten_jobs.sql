-- Jobs that were given up and removed long after, by kind: the operator sees that there were some.
create table forgotten_jobs (
  kind text primary key,
  jobs bigint not null,
  forgotten_at timestamptz not null
);

-- What a source brings lives in another store than its events, and they cannot share a transaction. A
-- pending publication stands here from before data are stored until their events are: samples of one series
-- by their range, summaries or streams of workouts by their ids. One that a crash left over tells what may
-- still have to be published. After a few failures it is in quarantine, and tried again every hour and at
-- every start, so that it holds up nothing else.

create table pending_publications (
  environment_id uuid not null references team_environments (id),
  user_id uuid not null,
  -- read name of a series, resource of summaries, or workout_stream
  resource text not null,
  provider text not null,
  -- the same for all that one flush stores
  id uuid not null,
  range_start timestamptz,
  range_end timestamptz,
  -- stored versions of samples from here on; null where a source itself says when a sample was written
  least_version bigint,
  -- the summaries, or the workouts of the streams
  summary_ids uuid[],
  base_url text not null,
  -- what was stored under it says that it was updated at this time or later
  created_at timestamptz not null,
  quarantined_at timestamptz,
  failures integer not null default 0,
  -- code or class of the last error
  failure text,
  primary key (environment_id, user_id, resource, provider, id),
  check ((summary_ids is null) = (range_start is not null and range_end is not null))
);

create index pending_publications_by_creation on pending_publications (created_at);

insert into pending_publications (environment_id, user_id, resource, provider, id, range_start, range_end,
  least_version, base_url, created_at, quarantined_at, failures, failure)
select environment_id, user_id, series, provider, id, range_start, range_end,
  least_version, base_url, created_at, quarantined_at, failures, failure
from unannounced_samples;

insert into pending_publications (environment_id, user_id, resource, provider, id, summary_ids, base_url,
  created_at, quarantined_at, failures, failure)
select environment_id, user_id, resource, provider, id, summary_ids, base_url,
  created_at, quarantined_at, failures, failure
from unannounced_summaries;

drop table unannounced_samples;
drop table unannounced_summaries;

-- Summaries, like samples, live in another store than their events. A note stands here from before they
-- are stored until their events are; one that was left behind tells what may still have to be announced.

create table unannounced_summaries (
  environment_id uuid not null references team_environments (id),
  user_id uuid not null,
  -- of summaries, or workout_stream
  resource text not null,
  provider text not null,
  -- the same for all that one insert stores
  id uuid not null,
  -- the summaries, or the workouts of the streams
  summary_ids uuid[] not null,
  base_url text not null,
  -- what was stored under the note says that it was updated at this time or later
  created_at timestamptz not null,
  primary key (environment_id, user_id, resource, provider, id)
);

create index unannounced_summaries_by_creation on unannounced_summaries (created_at);

-- One insert may hold samples of one person and series from two providers: each has its own note.
alter table unannounced_samples drop constraint unannounced_samples_pkey;
alter table unannounced_samples add primary key (environment_id, user_id, series, provider, id);

-- What events of laboratories are about beside the person: orders, appointments, reviews, parsing jobs. Who removes one of
-- these finds its events by them. Events of before have none: they are found by what their bodies say, until they expire.
alter table events add column subject_ids uuid[];
create index events_by_subject on events using gin (subject_ids) where subject_ids is not null;
create index events_without_subjects on events (environment_id, id)
  where subject_ids is null and event_type like 'lab%';

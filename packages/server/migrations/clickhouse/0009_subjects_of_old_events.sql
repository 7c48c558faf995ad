-- Old events of laboratories, and those without a person, whose user_id is zero (docs/decisions/0132). The records that an
-- event is about remove it.
alter table event_history add column if not exists subject_ids Array(UUID) codec(ZSTD(1));

alter table event_history add index if not exists by_subject subject_ids type bloom_filter(0.01) granularity 1;

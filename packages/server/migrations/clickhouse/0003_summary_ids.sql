-- Streams are asked for by the id of their workout or sleep alone, without the person, which the key
-- begins with. The index tells which blocks of an environment can hold an id.

alter table workout_summaries add index if not exists id_index id type bloom_filter(0.001) granularity 1;

alter table sleep_summaries add index if not exists id_index id type bloom_filter(0.001) granularity 1;

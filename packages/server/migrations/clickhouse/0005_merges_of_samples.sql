-- Samples are small on disk: a part of a million rows has 1.5 MB. The engine counts each part as
-- 5 MB more when it decides what to merge, so all parts were of one size to it, and every fifth
-- insert rewrote them all. With ten parts to a merge a sample is rewritten a quarter as often
-- (docs/decisions/0119).
alter table samples modify setting merge_selector_base = 10;

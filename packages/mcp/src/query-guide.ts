/** Summary of the query language; docs/queries.md of the server describes all of it. */
export const QUERY_GUIDE = `A query reads one table: sleep, activity, workout, body, meal, menstrual_cycle, profile, derived_readiness, or merged with any of its series. merged counts each instant once, however many devices measured it; prefer it to timeseries, which has the samples of every source. All times are those of the clock where the person was.

Expressions of select:
- column {"sleep": "efficiency"}; field of a series {"merged": "heartrate", "field": "value"}; {"timeseries": "blood_pressure", "field": "systolic"} for series that merged does not have
- index (the time of a row) {"index": "sleep"}; source {"source": "source_provider"}
- macro of sleep {"value_macro": "sleep_score"}, also chronotype, asleep_at, awake_at, awakenings
- aggregate {"func": "mean", "arg": {"sleep": "efficiency"}}: sum, mean, median, min, max, count, stddev, oldest, newest
- {"group_key": 0} or {"group_key": "*"} shows the keys of group_by
group_by takes {"date_trunc": {"value": 1, "unit": "day"}, "arg": {"index": "sleep"}} (once), {"date_part": "weekday", "arg": {"index": "sleep"}}, sources and columns. With group_by everything selected is an aggregate or a group key.
where is a text: "session_end >= '2024-03-05' AND efficiency > 97", with AND, OR, NOT, parentheses, = != < <= > >=, and no functions.
"source_rule": "merged" beside select, for the tables sleep and workout, counts each night or workout once, however many devices recorded it; use it for counts and sums.
Names of series are those of list_query_tables: weight, not body_weight.
source_rules of an answer says how each query counted: merged; one_source, of each group the rows of one source; all_sources, every source, so that sums count twice what two devices measured.

Steps by day:
{"select": [{"group_key": 0}, {"func": "sum", "arg": {"merged": "steps", "field": "value"}}], "group_by": [{"date_trunc": {"value": 1, "unit": "day"}, "arg": {"index": "merged"}}]}
Sleep by weekday:
{"select": [{"group_key": 0}, {"func": "mean", "arg": {"value_macro": "sleep_score"}}], "group_by": [{"date_part": "weekday", "arg": {"index": "sleep"}}]}`

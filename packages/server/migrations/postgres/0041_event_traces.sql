-- The W3C traceparent of what brought an event about, so that the attempts to deliver it continue that trace.
-- Null unless traces are sent.
alter table events add column trace_parent text;

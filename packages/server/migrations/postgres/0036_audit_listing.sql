-- Operators read the audit log from its end, or around a time
create index audit_log_by_time on audit_log (at, sequence);

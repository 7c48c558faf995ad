-- console_sessions
select 1;

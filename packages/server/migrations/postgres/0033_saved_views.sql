-- saved_views
select 1;

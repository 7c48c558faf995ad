-- The number belongs to another change; its file replaces this one when both are merged.
select 1;

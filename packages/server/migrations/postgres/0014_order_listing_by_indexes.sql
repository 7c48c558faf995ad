-- The list of orders goes by indexes alone: nothing is counted beforehand any more (decision 12)

drop trigger orders_counted on orders;
drop trigger orders_recounted on orders;
drop function log_order_count_change;
drop table order_count_changes, order_counts, order_name_counts, order_letter_counts;
do $$
begin
  if to_regclass('graphile_worker.jobs') is not null then
    perform graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs where task_identifier = 'fold_order_counts'
    ));
  end if;
end
$$;

-- Three letters or more of a name
create index orders_by_name_part on orders
  using gin (environment_id, patient_name gin_trgm_ops, shipping_recipient_name gin_trgm_ops)
  where not is_hidden;

-- In the order of a list that is sorted by status
create index orders_by_status on orders (environment_id, last_status collate "C", created_at, id)
  include (method, interpretation) where not is_hidden;

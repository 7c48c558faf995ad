-- Adds a job as graphile_worker.add_job does with the mode unsafe_dedupe, but notifies nothing:
-- PostgreSQL lets one transaction that notifies commit at a time. The process notifies after the
-- commit.
create function add_job(
  kind text, payload json, queue text, most_attempts integer, job_key text, at timestamptz,
  job_priority integer
) returns void language plpgsql as $$
begin
  insert into graphile_worker._private_tasks (identifier) values (kind) on conflict do nothing;
  if queue is not null then
    insert into graphile_worker._private_job_queues (queue_name) values (queue)
    on conflict do nothing;
  end if;
  insert into graphile_worker._private_jobs as job
    (job_queue_id, task_id, payload, run_at, max_attempts, key, priority)
  select job_queue.id, task.id, add_job.payload, coalesce(at, now()), most_attempts, job_key,
    job_priority
  from graphile_worker._private_tasks as task
  left join graphile_worker._private_job_queues as job_queue on job_queue.queue_name = queue
  where task.identifier = kind
  on conflict (key) do update set revision = job.revision + 1, updated_at = now();
end;
$$;

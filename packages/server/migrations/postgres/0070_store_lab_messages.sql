-- Stores messages of laboratories with their jobs, in one call. A function keeps its plans for as long as a
-- session lives; planning the same as a statement took most of the time of storing one message.
create function store_lab_messages(messages json, contents bytea, job_kind text, job_attempts integer)
returns uuid[] language plpgsql
-- Plans without the values of a call: there is only one way to run each of these, also in the queue's functions.
set plan_cache_mode = force_generic_plan as $$
declare
  inserted uuid[];
begin
  -- The sender's number decides which of two equal messages is stored, and every process takes them in the same
  -- order, so that none waits for another one that waits for it.
  with stored as (
    insert into lab_messages (id, environment_id, gateway, control_id, content_hash, content_type, state,
      problem_class, problem, received_at, processed_at, content)
    select given.id, given.environment_id, gateway, control_id, content_hash, content_type, state,
      problem_class, problem, received_at, processed_at, substring(contents from start for length)
    from json_to_recordset(messages) as given (id uuid, environment_id uuid, gateway text, control_id text,
      content_hash text, content_type text, state text, problem_class text, problem text,
      received_at timestamptz, processed_at timestamptz, place integer, start integer, length integer)
    where given.environment_id in (
      select environment.id from team_environments as environment
      join teams as team on team.id = environment.team_id where team.deleted_at is null
    )
    order by content_hash, control_id, place
    on conflict (environment_id, gateway, coalesce(control_id, ''), content_hash)
      where content_hash is not null do nothing
    returning id
  )
  select array_agg(id) from stored into inserted;
  if exists (
    select from json_to_recordset(messages) as given (id uuid, job text) where id = any (inserted) and job is not null
  ) then
    -- One call of the queue for all of them: it reads its whole table once in each.
    perform graphile_worker.add_jobs(array(
      select (job_kind, job::json, null, null, job_attempts, null, null, null)::graphile_worker.job_spec
      from json_to_recordset(messages) as given (id uuid, job text, place integer)
      where id = any (inserted) and job is not null order by place
    ));
  end if;
  return inserted;
end $$;

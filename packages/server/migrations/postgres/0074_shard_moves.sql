-- People on their way between shards of ClickHouse
-- (docs/decisions/0129-moving-people-between-shards.md). Buckets that move together are one row, from
-- the start of the copy until the former shard no longer has their rows.
create table shard_moves (
  id uuid primary key,
  from_shard integer not null,
  to_shard integer not null,
  -- Buckets as in salus_moved_buckets, and the last bytes of the ids of their people.
  buckets integer[] not null,
  id_bytes integer[] not null,
  -- copying: the former shard answers. held: and no write begins until held_until. switching: no
  -- write begins until all servers know the new shard. moved: the new shard answers, and the former
  -- one has a copy.
  state text not null check (state in ('copying', 'held', 'switching', 'moved')),
  held_until timestamptz,
  people bigint not null default 0,
  rows bigint not null default 0,
  bytes bigint not null default 0,
  created_at timestamptz not null
);

-- Refuses the beginning of a write for people who are being switched to another shard; the process
-- tries again. A trigger of day_writes calls it, which exists only while people are moved.
create function refuse_held_people() returns trigger language plpgsql as $$
begin
  if exists (
    select from shard_moves
    where get_byte(uuid_send(new.user_id), 15) = any (id_bytes)
      and (state = 'switching' or (state = 'held' and held_until > clock_timestamp()))
  ) then
    raise exception 'people are moved to another shard' using errcode = 'SM001';
  end if;
  return new;
end $$;

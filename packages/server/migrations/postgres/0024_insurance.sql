-- Who insures people: payors, and the policies of users.

create table payors (
  id uuid primary key,
  -- null for one of the installation; the others belong to the environment that made them
  environment_id uuid references team_environments (id),
  payor_code text not null unique,
  name text not null,
  aliases text[] not null default '{}',
  -- as docs/contract/15-insurance.md#address answers it
  address jsonb not null,
  -- clearing house to the payor's ids there: {"availity": ["60054"]}
  external_ids jsonb not null default '{}',
  -- MEDFED or MAIDFED, which stand for this plan in these states
  federal_code text,
  plan_states text[] not null default '{}',
  -- of the shipped data: for sandboxes alone
  is_sample boolean not null default false,
  -- false: not in the operator's list any more; policies keep it, nobody finds it
  is_active boolean not null default true,
  -- of an environment's own: what makes two of them the same
  identity text,
  -- name and aliases, lower case: what the search looks into
  search_text text not null,
  created_at timestamptz not null,
  unique (environment_id, identity)
);

create index payors_search on payors using gin (search_text gin_trgm_ops) with (fastupdate = off);
create index payors_by_external_id on payors using gin (external_ids) with (fastupdate = off);
create index payors_by_federal_code on payors (federal_code) where federal_code is not null;

-- What people told of their insurance: rows are added and never changed.
create table insurance_policies (
  environment_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  -- which of two came later
  sequence bigint generated always as identity,
  payor_id uuid not null references payors (id),
  member_id text not null,
  group_id text,
  relationship text not null,
  -- docs/contract/15-insurance.md#insuredperson
  insured jsonb not null,
  -- docs/contract/15-insurance.md#guarantordetails
  guarantor jsonb,
  is_primary boolean not null,
  created_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, user_id) references users (environment_id, id) on delete cascade
);

create index insurance_policies_by_user
  on insurance_policies (environment_id, user_id, is_primary, sequence desc);

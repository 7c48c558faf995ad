-- The directory of service centers: where laboratories collect. It belongs to the installation.

create table service_centers (
  lab_id integer not null references labs (id) on delete cascade,
  -- the laboratory's own code
  site_code text not null,
  name text not null,
  first_line text not null,
  second_line text,
  city text not null,
  state text not null,
  zip_code text not null,
  latitude double precision not null,
  longitude double precision not null,
  -- IANA
  time_zone text not null,
  phone_number text,
  fax_number text,
  website text,
  -- as lists write them: Mo-Fr 07:00-16:00; Sa 08:00-12:00
  hours text,
  capabilities text[] not null,
  -- null is no restriction beside those of the lab account
  bill_types text[],
  -- the unit of the laboratory that runs it; accounts may be for some units only
  business_unit text,
  -- false: closed, but appointments may speak of it
  is_active boolean not null,
  -- of the shipped directory, for sandboxes alone
  is_sample boolean not null,
  primary key (lab_id, site_code)
);

-- Searches ask for a box of degrees of one laboratory.
create index service_centers_by_location on service_centers (lab_id, latitude, longitude)
  where is_active;

-- Content of the shipped directory that was loaded, so that a start need not load it again.
create table service_center_loads (
  source text primary key,
  content_hash bytea not null,
  loaded_at timestamptz not null
);

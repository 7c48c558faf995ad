-- Diagnosis codes (ICD-10-CM), the same for every environment

create table diagnosis_codes (
  -- Upper case, without the dot
  code text collate "C" primary key,
  description text not null,
  -- Valid for claims; the others are headings of codes
  is_billable boolean not null,
  -- May not be the first code
  is_secondary boolean not null,
  -- Of search results that match alike the lower one comes first
  precedence integer not null,
  -- What a search by words finds; null for headings
  words tsvector
);

create index diagnosis_codes_by_words on diagnosis_codes using gin (words);
create index diagnosis_codes_by_precedence on diagnosis_codes (precedence, code) where is_billable;

-- Words of the descriptions, for correcting the spelling of what is searched
create table diagnosis_words (
  word text primary key
);

create index diagnosis_words_by_part on diagnosis_words using gin (word gin_trgm_ops);

-- Notes at a code, a heading or a block: codes of its range exclude those of the other one, or have to come after
-- their underlying disease. A range holds each code that begins like its ends or like something between them:
-- I10 to I16 holds I16.9.
create table diagnosis_notes (
  type text not null check (type in ('excludes1', 'excludes2', 'code_first')),
  first_code text collate "C" not null,
  last_code text collate "C" not null,
  -- Null for code_first
  excluded_first text collate "C",
  excluded_last text collate "C",
  -- What an excluded code goes on with after its first three characters; empty for anything
  excluded_detail text collate "C" not null default '',
  check ((type = 'code_first') = (excluded_first is null)),
  check ((type = 'code_first') = (excluded_last is null))
);

create index diagnosis_notes_by_code on diagnosis_notes (first_code);

-- What was loaded last of each source, so that a start need not load it again
create table diagnosis_loads (
  source text primary key check (source in ('starting', 'operator')),
  content_hash bytea not null,
  loaded_at timestamptz not null
);

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { searchTextOf } from '../../lab/src/catalog/markers/search-text.ts'

const CONCEPTS = new URL('../../lab/data/catalog/concepts.json', import.meta.url)
const LABS = 15
const BATCH = 5000
const LOINC_CODES = 4000

const SPECIMENS = [
  'serum',
  'plasma',
  'whole blood',
  'random urine',
  '24-hour urine',
  'stool',
  'CSF',
]
const METHODS = ['', 'by LC/MS-MS', 'by PCR', 'by ELISA', 'with reflex', 'quantitative', 'panel']
const KINDS = ['antibody IgG', 'antibody IgM', 'DNA', 'antigen', 'IgE', 'gene mutation', 'level']
const SYLLABLES = [
  'ba',
  'cor',
  'dys',
  'ella',
  'fi',
  'gly',
  'hist',
  'iri',
  'ket',
  'lo',
  'myc',
  'neu',
]

/** Numbers that look random and are the same every time. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Names as catalogs have them: the tests of the starting catalog, and thousands of rarer ones. */
function* makeNames(): Generator<string> {
  const next = createNumbers(7)
  const pick = (list: readonly string[]): string => list[next(list.length)] ?? ''
  const concepts: { name: string }[] = Object.values(JSON.parse(readFileSync(CONCEPTS, 'utf8')))
  const names = concepts.map(({ name }) => name)
  for (;;) {
    const isRare = next(3) > 0
    const rare = Array.from({ length: 3 + next(2) }, () => pick(SYLLABLES)).join('')
    const name = isRare ? `${rare[0]?.toUpperCase()}${rare.slice(1)} ${pick(KINDS)}` : pick(names)
    yield `${name}, ${pick(SPECIMENS)} ${pick(METHODS)}`.trim()
  }
}

/** A catalog of so many markers, each with one to eight results, in an empty database. */
export async function storeBigCatalog(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(
    `insert into labs
      (slug, name, first_line_address, city, state, zipcode, collection_methods, sample_types)
    select 'lab-' || n, 'Lab ' || n, '1 Way', 'Phoenix', 'AZ', '85001', '{walk_in_test}', '{serum}'
    from generate_series(1, $1) as n`,
    [LABS],
  )
  await pool.query(
    `insert into loincs (code, name, slug, component)
    select n || '-' || n % 10, 'Code ' || n, 'code-' || n, 'Component ' || n
    from generate_series(10000, $1) as n`,
    [10_000 + LOINC_CODES],
  )
  const { rows: labs } = await pool.query<{ id: number }>(
    "select id from labs where slug like 'lab-%'",
  )
  const next = createNumbers(11)
  const names = makeNames()
  for (let at = 0; at < count; at += BATCH) {
    const size = Math.min(BATCH, count - at)
    const markers = Array.from({ length: size }, (_, index) => {
      const name = names.next().value ?? ''
      const codes = Array.from({ length: 1 + next(8) }, () => {
        const number = 10_000 + next(LOINC_CODES)
        return `${number}-${number % 10}`
      })
      return makeMarker(name, codes, at + index, labs[(at + index) % LABS]?.id ?? 0, next(1000))
    })
    await storeMarkers(pool, markers)
  }
  await pool.query('vacuum analyze')
}

function makeMarker(
  name: string,
  codes: readonly string[],
  index: number,
  labId: number,
  popularity: number,
) {
  const loincCodes = [...new Set(codes)].sort()
  const providerId = String(1_000_000 + index)
  const initials = name.split(/\W+/).map((word) => word[0] ?? '')
  const aliases = [initials.join('')]
  return {
    lab_id: labId,
    provider_id: providerId,
    name,
    aliases,
    loinc_codes: loincCodes,
    loinc_set_hash: createHash('sha256').update(loincCodes.join()).digest('hex'),
    popularity: (popularity / 1000) ** 4,
    search_text: searchTextOf({ name, aliases, provider_id: providerId, loinc_codes: loincCodes }),
  }
}

async function storeMarkers(
  pool: pg.Pool,
  markers: ReturnType<typeof makeMarker>[],
): Promise<void> {
  await pool.query(
    `with given as (
      select * from jsonb_to_recordset($1::jsonb) as item (
        lab_id integer, provider_id text, name text, aliases text[], loinc_codes text[],
        loinc_set_hash text, popularity real, search_text text
      )
    ), stored as (
      insert into markers (lab_id, provider_id, name, slug, type, sample_type, price_cents, aliases,
        loinc_codes, loinc_set_hash, popularity, search_text)
      select lab_id, provider_id, name, 'slug', 'panel', 'serum', 1000, aliases, loinc_codes,
        loinc_set_hash, popularity, search_text
      from given returning id, loinc_codes
    )
    insert into expected_results (marker_id, position, name, slug, loinc_id)
    select s.id, c.position, l.name, l.slug, l.id
    from stored s, unnest(s.loinc_codes) with ordinality as c (code, position)
    join loincs l using (code)`,
    [JSON.stringify(markers)],
  )
}

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createTestDatabase } from './database.ts'
import {
  FOREIGN_KEYS_TO_CHANGE,
  KEYS_TO_CHANGE,
  LOCAL_TABLES,
  REFERENCE_TABLES,
} from './distributed-tables.registry.ts'
import { useFixture } from './use-fixture.ts'

/** Whether PostgreSQL could be cut by environment, as Citus does (docs/growing.md). */

const database = useFixture(createTestDatabase)

interface Key {
  table: string
  name: string
  columns: string[]
  /** Of a foreign key. */
  target: string | null
}

let tables: Map<string, boolean>
let uniques: Key[]
let foreignKeys: Key[]

const COLUMNS = (array: string, relation: string): string =>
  `array(select coalesce(attname, '') from unnest(${array}) with ordinality as key (number, place)
    left join pg_attribute on attrelid = ${relation} and attnum = number order by place)::text[]`

before(async () => {
  const read = async <Row extends object>(text: string): Promise<Row[]> =>
    (await database.pool.query<Row>(text)).rows
  const found = await read<{ name: string; is_cut: boolean }>(`
    select relname as name, exists (select from pg_attribute
      where attrelid = pg_class.oid and attname = 'environment_id') as is_cut
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
  tables = new Map(found.map(({ name, is_cut }) => [name, is_cut]))
  uniques = await read<Key>(`
    select indrelid::regclass::text as table, indexrelid::regclass::text as name,
      ${COLUMNS('indkey', 'indrelid')} as columns, null as target
    from pg_index join pg_class on pg_class.oid = indrelid
    where indisunique and relnamespace = 'public'::regnamespace`)
  foreignKeys = await read<Key>(`
    select conrelid::regclass::text as table, conname as name, ${COLUMNS('conkey', 'conrelid')} as columns,
      confrelid::regclass::text as target
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
})

const isDistributed = (table: string): boolean =>
  !(table in REFERENCE_TABLES || table in LOCAL_TABLES)
const hasEnvironment = ({ columns }: Key): boolean => columns.includes('environment_id')
const namesOf = (keys: readonly Key[]): string[] => keys.map(({ name }) => name).sort()

describe('a PostgreSQL that is cut by environment', () => {
  test('knows of every table whether it is cut, copied to all nodes, or kept on one', () => {
    const named = [...Object.keys(REFERENCE_TABLES), ...Object.keys(LOCAL_TABLES)]
    assert.equal(new Set(named).size, named.length)
    assert.deepEqual(
      named.filter((name) => !tables.has(name)),
      [],
    )
    const uncut = [...tables].filter(([name, isCut]) => isDistributed(name) && !isCut)
    assert.deepEqual(uncut, [])
    assert.ok([...tables.keys()].filter(isDistributed).length > 60)
  })

  test('has the environment in every key of what is cut, except those that are listed', () => {
    const cut = uniques.filter(({ table }) => isDistributed(table))
    assert.deepEqual(
      namesOf(cut.filter((key) => !hasEnvironment(key))),
      Object.keys(KEYS_TO_CHANGE).sort(),
    )
    assert.ok(cut.length > 80)
  })

  test('follows foreign keys within an environment, or to what every node has', () => {
    const leading = foreignKeys.filter(
      ({ table, target }) => isDistributed(table) && !((target ?? '') in REFERENCE_TABLES),
    )
    assert.deepEqual(
      namesOf(leading.filter((key) => !hasEnvironment(key))),
      Object.keys(FOREIGN_KEYS_TO_CHANGE).sort(),
    )
    assert.ok(leading.length > 30)
  })

  test('has no foreign key from what is copied to anything else', () => {
    const wrong = foreignKeys.filter(
      ({ table, target }) => table in REFERENCE_TABLES && !((target ?? '') in REFERENCE_TABLES),
    )
    assert.deepEqual(namesOf(wrong), [])
  })
})

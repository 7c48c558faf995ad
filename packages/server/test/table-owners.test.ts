import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { SUMMARY_TABLES } from '@salus/health/summaries'
import { PERSON_TABLES } from '../../rights/src/person-data/person-tables.registry.ts'
import { DOMAINS } from './architecture.registry.ts'
import { ROOT, readSourceFiles, type SourceFile } from './source-files.ts'
import {
  type Access,
  READ_BY_ALL,
  SHARED_TABLES,
  UNDECLARED_TABLES,
} from './table-owners.registry.ts'

/**
 * Each table belongs to one domain. Who else reads or writes it stands in a list, with the reason.
 */

const sources = readSourceFiles(
  'packages/{kernel,accounts,health,lab,fhir,rights,ops,server}/src/**/*.ts',
).filter(({ path }) => !path.endsWith('.test.ts') && !path.includes('/testing/'))

/** The kernel is one owner; elsewhere it is the domain, or the file beside the domains. */
function domainOf(path: string): string {
  const inside = path.replace(/^packages\/([^/]+)\/src\//, '$1/')
  if (inside.startsWith('kernel/')) return 'kernel'
  const domains = DOMAINS.filter((domain) => inside.startsWith(`${domain}/`))
  return domains.sort((one, other) => other.length - one.length)[0] ?? inside
}

/** The tables that all migrations together leave behind. */
function readMigratedTables(): Set<string> {
  const tables = new Set<string>()
  const statement =
    /\b(create(?: unlogged)?|drop|alter|rename) table (?:if (?:not )?exists )?(\w+)(?: (?:rename )?to (\w+))?/gi
  for (const path of globSync('packages/server/migrations/*/*.sql', { cwd: ROOT }).sort()) {
    const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/--.*/g, '')
    for (const [, verb = '', name = '', newName] of text.matchAll(statement)) {
      if (/^create/i.test(verb)) tables.add(name)
      else if (/^drop/i.test(verb)) tables.delete(name)
      else if (newName !== undefined) {
        tables.delete(name)
        tables.add(newName)
      }
    }
  }
  return tables
}

/** Domains by the tables that they declare to the query builder. */
function readDeclaredTables(): Map<string, string> {
  const owners = new Map<string, string>()
  const declaration =
    /declare module '[^']*\/database(?:\.ts)?' \{\n {2}interface Database \{\n([\s\S]*?)\n {2}\}/g
  for (const { path, text } of sources) {
    for (const [, columns = ''] of text.matchAll(declaration)) {
      for (const [, table = ''] of columns.matchAll(/^\s+(\w+):/gm))
        owners.set(table, domainOf(path))
    }
  }
  return owners
}

const migrated = readMigratedTables()
const declared = readDeclaredTables()
const owners = new Map([...declared, ...Object.entries(UNDECLARED_TABLES)])

interface Touch {
  table: string
  access: Access
  path: string
}

const WRITING_CALLS = ['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'insert']
/** SQL whose table comes from a variable: then each name in quotes may be one that is written. */
const WRITES_NAMED = /\b(?:delete from|insert into|update|alter table) \$\{/i
const RAW_WRITE = /\b(?:insert into|update|delete from|alter table|truncate)\s+(\w+)/gi
const RAW_READ = /\b(?:from|join|using)\s+([\w\s,]+)/gi

/** Lists of tables by which SQL names them. */
const NAMED_BY_LIST = { SUMMARY_TABLES: Object.values(SUMMARY_TABLES).map(({ table }) => table) }

/** Tables that a file names in calls of the query builder and in SQL. */
function findTouches({ path, lines }: SourceFile): Touch[] {
  const text = lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line)).join('\n')
  const found: Touch[] = []
  const add = (table: string, access: Access) => {
    if (owners.has(table)) found.push({ table, access, path })
  }
  // A name after `.as(` is one that the query gives.
  for (const [, call = '', table = ''] of text.matchAll(/(\w*)\(?\[?'(\w+)(?: as \w+)?'/g)) {
    if (call === 'as') continue
    add(table, WRITING_CALLS.includes(call) || WRITES_NAMED.test(text) ? 'writes' : 'reads')
  }
  for (const [list, tables] of Object.entries(NAMED_BY_LIST)) {
    if (!new RegExp(`\\b${list}\\b`).test(text)) continue
    for (const table of tables) add(table, WRITES_NAMED.test(text) ? 'writes' : 'reads')
  }
  for (const [, table = ''] of text.matchAll(RAW_WRITE)) add(table, 'writes')
  for (const [, list = ''] of text.matchAll(RAW_READ)) {
    for (const item of list.split(',')) add(item.trim().split(/\s/)[0] ?? '', 'reads')
  }
  return found
}

const isSql = (path: string): boolean =>
  path.endsWith('.repository.ts') || ['kernel', 'ops/store-copy'].includes(domainOf(path))

/**
 * What domains do with tables of others, as `DOMAIN writes TABLE`, with the files. Who writes may
 * read.
 */
function findForeignTouches(): Map<string, { domain: string; touch: Touch }> {
  const touches = sources
    .filter(({ path }) => isSql(path))
    .flatMap(findTouches)
    .map((touch) => ({ domain: domainOf(touch.path), touch }))
    .filter(({ domain, touch }) => owners.get(touch.table) !== domain)
  const key = (domain: string, access: Access, table: string) => `${domain} ${access} ${table}`
  const all = new Map(
    touches.map((each) => [key(each.domain, each.touch.access, each.touch.table), each]),
  )
  for (const { domain, touch } of touches) {
    if (all.has(key(domain, 'writes', touch.table))) all.delete(key(domain, 'reads', touch.table))
  }
  return all
}

const foreign = findForeignTouches()
const listed = new Set(
  SHARED_TABLES.flatMap(([domain, access, tables]) =>
    tables.map((table) => `${domain} ${access} ${table}`),
  ),
)
const ofPeople = new Set(PERSON_TABLES.map(({ name }) => name))

/** Whether a rule and no list allows it. */
function isOfRule({ domain, touch }: { domain: string; touch: Touch }): boolean {
  // Rights stand above the domains: they count, export and erase what everyone holds of a person.
  if (domain.startsWith('rights/') && ofPeople.has(touch.table)) return true
  return touch.access === 'reads' && touch.table in READ_BY_ALL
}

describe('tables', () => {
  test('belong to a domain each, which declares them', () => {
    assert.deepEqual(
      [...migrated].filter((table) => !owners.has(table)),
      [],
    )
    assert.deepEqual(
      [...owners.keys()].filter((table) => !migrated.has(table)),
      [],
    )
    assert.deepEqual(
      Object.keys(UNDECLARED_TABLES).filter((table) => declared.has(table)),
      [],
    )
    const unknown = Object.values(UNDECLARED_TABLES).filter(
      (owner) => owner !== 'kernel' && !DOMAINS.includes(owner),
    )
    assert.deepEqual(unknown, [])
  })

  test('are read and written by their domain, and by those that the list names', () => {
    const unlisted = [...foreign]
      .filter(([line, each]) => !listed.has(line) && !isOfRule(each))
      .map(([line, { touch }]) => `${line} of ${owners.get(touch.table)}, in ${touch.path}`)
    assert.deepEqual(unlisted.sort(), [])
  })

  test('are on the list only where it is so', () => {
    const superfluous = [...listed].filter((line) => {
      const each = foreign.get(line)
      return each === undefined || isOfRule(each)
    })
    assert.deepEqual(superfluous, [])
    const readByAll = new Set([...foreign.values()].map(({ touch }) => touch.table))
    assert.deepEqual(
      Object.keys(READ_BY_ALL).filter((table) => !readByAll.has(table)),
      [],
    )
  })
})

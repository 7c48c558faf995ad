import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSourceFiles } from './source-files.ts'

const DECLARED = String.raw`(?:\b(?:const|let|function\*?|interface|type|class) |#)`

/** The declaration of something that has one of these names. */
const named = (names: string): RegExp => new RegExp(`${DECLARED}(?:${names})\\b`)

/**
 * The retired words of docs/glossary.md, as they would come back into names. Words that are plain
 * English in a sentence (place, note, mark, clock, fold, tell) are looked for in names only.
 */
const RETIRED: readonly { say: string; not: RegExp }[] = [
  // Clients read a claim of the first name, and Peloton wants a field of the second.
  { say: 'environment', not: /[tT]enant(?!_id\b|: 'peloton-prod')|TENANT/ },
  {
    say: 'environment, position or location',
    not: named(
      String.raw`places?Of|places|place(?:Sql|Columns)|Places?|[a-z]\w*Places?|Placed\w+|(?:\w+_)?PLACES?`,
    ),
  },
  // Orders are placed, so what places one may be called so.
  { say: 'position, location or path', not: /\b(?:const|let) place = (?!\(|async\b)/ },
  // The address of what is quarantined is the contract's.
  { say: 'quarantine', not: /\bputAside/ },
  { say: 'publish', not: /Announce|\bconst announced?\b/ },
  { say: 'record or pending publication', not: named(String.raw`noted|note[A-Z]\w*|isNoted`) },
  { say: 'recover', not: /[lL]eftBehind|sweepLeft/ },
  { say: 'batcher', not: /[jJ]oiner\b/ },
  { say: 'endpoint worker', not: /\blanes?\b|[a-z]Lane\b/ },
  { say: 'order update', not: named(String.raw`news|isNews|News|NEWS\w*`) },
  { say: 'emit', not: named(String.raw`tell(?:ing|[A-Z]\w*)?`) },
  {
    say: 'invalidation, schedule or observation',
    not: named(String.raw`mark(?:s|ed|[A-Z]\w*)?|[A-Za-z]+Marks?|MARKS|paced?|PACE`),
  },
  { say: 'roll up', not: /\bfold[A-Z]\w*\b/ },
  { say: 'idempotent request', not: /[aA]nswerOnce/ },
  { say: 'presenter', not: /^[a-z-]+-objects?\.ts$/ },
  {
    say: 'local time',
    not: named(
      String.raw`(?:to|from|local|without|settle)Clock\w*|clock(?:Of[A-Z]|Time|Rules)\w*|\w+OfClock\w*|\w*CLOCK_MS`,
    ),
  },
  { say: 'fixture', not: /\b\w*(World|Desk)\b|\buseStage\b/ },
]

const files = readSourceFiles('packages/*/{src,test,bench}/**/*.ts', 'scripts/**/*.ts').filter(
  ({ path }) => !path.endsWith('test/glossary.test.ts'),
)

describe('retired words', () => {
  for (const { say, not } of RETIRED) {
    test(`are ${not.source.replace(DECLARED, '').slice(0, 40)}, for which one says ${say}`, () => {
      const found = files.flatMap(({ path, lines }) =>
        [path.split('/').at(-1) ?? '', ...lines]
          .filter((line) => not.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      )
      assert.deepEqual(found, [])
    })
  }
})

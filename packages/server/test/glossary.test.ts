import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSourceFiles } from './source-files.ts'

/**
 * The retired words of docs/glossary.md, as they would come back into names. Words that are plain English
 * in a sentence (place, note, mark, fold, tell) are looked for in names only.
 */
const RETIRED: readonly { say: string; not: RegExp }[] = [
  { say: 'environment', not: /[tT]enant|TENANT/ },
  {
    say: 'environment',
    not: /\b(find|open|make)(New)?Place\b|\b(Webhook|Query|Environment)Place\b/,
  },
  // The address of what is quarantined is the contract's.
  { say: 'quarantine', not: /\bputAside/ },
  { say: 'publish', not: /Announce/ },
  { say: 'recover', not: /[lL]eftBehind|sweepLeft/ },
  { say: 'batcher', not: /[jJ]oiner\b/ },
  { say: 'endpoint worker', not: /\blanes?\b|[a-z]Lane\b/ },
  { say: 'emit', not: /\btell(Order|Review|Critical|If|Endpoint|Deliveries)/ },
  {
    say: 'invalidation, schedule',
    not: /\b(claimDue|lockClaimed|delete|postpone)Marks?\b|\bPACE\b/,
  },
  { say: 'roll up', not: /\bfold[A-Z]\w*\b/ },
  { say: 'idempotent request', not: /[aA]nswerOnce/ },
  { say: 'fixture', not: /\b\w*(World|Desk)\b|\buseStage\b/ },
]

const files = readSourceFiles('packages/*/{src,test,bench}/**/*.ts', 'scripts/**/*.ts').filter(
  ({ path }) => !path.endsWith('test/glossary.test.ts'),
)

describe('retired words', () => {
  for (const { say, not } of RETIRED) {
    test(`are ${not.source.slice(0, 40)}, for which the glossary says ${say}`, () => {
      const found = files.flatMap(({ path, lines }) =>
        [path.split('/').at(-1) ?? '', ...lines]
          .filter((line) => not.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      )
      assert.deepEqual(found, [])
    })
  }
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { makeOpenApi } from '../../../scripts/generate/openapi.ts'
import type { Document } from './contract-check.ts'
import { readSourceFiles } from './source-files.ts'

/** Rules of CONTRIBUTING.md about texts that a program can check. */

/** Words that make a riddle of a sentence about a program. */
const RIDDLES =
  /\b(?:tell|tells|told|telling|nobody|somebody|anybody)\b|\b(?:is|are|was|were|be|been|being) asked\b/i
const MOST_COLUMNS = 100
/** These quote the words, as the rule or as the name of a patient. */
const QUOTING = /test\/(?:language|glossary)\.test\.ts$|web\/test\/console\/review\.cases\.ts$/

const isComment = (line: string): boolean => /^\s*(?:\/\*|\*|\/\/)/.test(line)

describe('sources', () => {
  const files = readSourceFiles(
    'packages/*/{src,test,bench,eval,synthetic}/**/*.{ts,tsx}',
    'scripts/**/*.ts',
  ).filter(({ path }) => !QUOTING.test(path) && !path.includes('.generated.'))

  const findLines = (isWrong: (line: string) => boolean): string[] =>
    files.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        isWrong(line) ? [`${path}:${index + 1} ${line.trim().slice(0, 80)}`] : [],
      ),
    )

  test('use none of the words that make riddles', () => {
    assert.deepEqual(
      findLines((line) => RIDDLES.test(line)),
      [],
    )
  })

  test('have comment lines of at most 100 columns', () => {
    const isLong = (line: string) =>
      // A suppression has to be one line, and generators hold Markdown, whose paragraphs are lines.
      line.length > MOST_COLUMNS &&
      /^\s*(?:\/\*\*?|\*|\/\/) /.test(line) &&
      !/biome-ignore/.test(line)
    assert.deepEqual(findLines(isLong), [])
  })

  test('are read, comments too', () => {
    assert.ok(files.length > 2000)
    assert.ok(files.some(({ lines }) => lines.some(isComment)))
  })
})

describe('texts of the OpenAPI document', () => {
  let document: Document
  before(async () => {
    document = JSON.parse(await makeOpenApi())
  })

  const listOperations = (): Document[] =>
    Object.values<Document>(document.paths).flatMap((methods) => Object.values<Document>(methods))

  test('begin with a verb where they describe an operation', () => {
    const wrong = listOperations()
      .filter(({ description }) => !/^[A-Z][a-z-]+s,? /.test(description))
      .map(({ operationId, description }) => `${operationId}: ${description}`)
    assert.deepEqual(wrong, [])
  })

  test('name the thing where they describe a parameter, a field or a schema', () => {
    const FRAGMENT =
      /^(?:Of|For|By|As|With|Without|From|In|On|To|After|Before|Within|What|Who|Whom|Whose|How|Where|Why|Not|Also|None|Nothing|Here|There|Such|So|And|Or|But|Than|Until|Since|Under|Over|Because|If|Unless|Only|Gone)\b/
    const wrong: string[] = []
    const walk = (part: unknown, path: string): void => {
      if (typeof part !== 'object' || part === null) return
      for (const [key, inner] of Object.entries(part)) {
        if (['example', 'examples', 'enum', 'const', 'default'].includes(key)) continue
        const isText = ['description', 'summary'].includes(key) && typeof inner === 'string'
        if (isText && (FRAGMENT.test(inner) || RIDDLES.test(inner))) wrong.push(`${path}: ${inner}`)
        walk(inner, `${path}/${key}`)
      }
    }
    walk(document, '')
    assert.deepEqual(wrong, [])
  })
})

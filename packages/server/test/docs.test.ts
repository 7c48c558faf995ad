import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ERROR_TYPES, PROBLEM_TYPES } from '@salus/kernel/errors.registry'
import { readSourceFiles } from './source-files.ts'

/** The documents lead somewhere, and the contract says what the code does. */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
/** Answered without a key, and not part of the OpenAPI document. */
const UNLISTED = /^\/(health|metrics)/

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
/** Without code, which may look like headings and links. */
const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```/gms, '')

const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: ROOT }).sort()
const textOf = new Map(pages.map((path) => [path, withoutCode(read(path))]))
const contract = pages.filter((path) => path.startsWith('docs/contract/'))

/** The anchors of a page, made from its headings as the viewers of Markdown do. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.matchAll(/^#+ (.*)$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const name = plain.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')
    let anchor = name
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${name}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

const anchors = new Map([...textOf].map(([path, text]) => [path, anchorsOf(text)]))

/** Readers of the repository have no file that an install makes. */
const GENERATED = /\.generated\.(d\.)?ts$|^docs\/openapi\.json$/

/**
 * What is wrong with a link, as text, or nothing.
 * @param from The folder that the link is read in.
 */
function findBreach(from: string, link: string): string[] {
  const [file = '', anchor] = link.split('#')
  const path = file === '' ? from : posix.normalize(posix.join(posix.dirname(from), file))
  if (GENERATED.test(path)) return [`${from}: ${link} is not in git`]
  if (!existsSync(join(ROOT, path))) return [`${from}: ${link} has no file`]
  const isKnown = anchor === undefined || anchors.get(path)?.has(anchor) === true
  return isKnown ? [] : [`${from}: ${link} has no heading`]
}

test('the index of decisions has each of them once, with its title and state', () => {
  const index = read('docs/decisions/README.md')
  const rows = [...index.matchAll(/^\| (\d+) \| \[(.+)\]\((\d{4}-[\w-]+\.md)\) \| (.+) \|$/gm)]
  const states = /^(in force|in force, extended by \[\d+\]\(.+\)|replaced by \[\d+\]\(.+\))$/
  const listed = rows.map(([, number, title, file, state = '']) => {
    assert.match(state, states, file)
    return [`docs/decisions/${file}`, `# ${number}. ${title}`]
  })
  const written = pages
    .filter((path) => /^docs\/decisions\/\d/.test(path))
    .map((path) => [path, read(path).split('\n')[0]])
  assert.deepEqual(listed.sort(), written)
})

test('links between documents lead to files and headings that exist', () => {
  const breaches = [...textOf].flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .flatMap((link) => findBreach(path, link)),
  )
  assert.deepEqual(breaches, [])
})

test('citations in the code are links to files and headings that exist', () => {
  const sources = readSourceFiles('packages/**/*.{ts,tsx,mjs}', 'scripts/**/*.ts')
  const cited = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/g)].map(([link]) => ({ path, link })),
  )
  assert.ok(cited.length > 250)
  assert.deepEqual(
    cited.flatMap(({ path, link }) => findBreach('', link).map((breach) => `${path}${breach}`)),
    [],
  )
})

/** A page named by its number, which no editor opens. */
const WORDS = /\b[Cc]ontracts? \d\d\b|(?<!\[)\b[Dd]ecision \d|docs\/decisions\/\d{4}(?![\d-])/

test('no citation is in words that lead nowhere', () => {
  const texts = [
    ...readSourceFiles('packages/**/*.{ts,tsx,mjs}', 'scripts/**/*.ts'),
    ...[...textOf].map(([path, text]) => ({ path, lines: text.split('\n') })),
  ]
  const words = texts.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      WORDS.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [],
    ),
  )
  assert.deepEqual(words, [])
})

interface Line {
  text: string
  /** False in a section, or on a line, that says that it is not built yet. */
  isBuilt: boolean
}

/**
 * The lines of a page of the contract; a heading that is not built yet is that with all below it.
 */
function linesOf(path: string): Line[] {
  let unbuiltLevel = Number.POSITIVE_INFINITY
  return (textOf.get(path) ?? '').split(/^(?=#)/m).flatMap((section) => {
    const level = /^#*/.exec(section)?.[0].length ?? 0
    if (level <= unbuiltLevel) unbuiltLevel = Number.POSITIVE_INFINITY
    if (/^.*\n+> Not built yet/.test(section)) unbuiltLevel = Math.min(unbuiltLevel, level)
    const isBuilt = unbuiltLevel === Number.POSITIVE_INFINITY
    const lines = section.split('\n')
    return lines.map((text) => ({ text, isBuilt: isBuilt && !/not built yet/i.test(text) }))
  })
}

/** `404 order_not_found` */
const known = new Set([
  ...Object.entries(ERROR_TYPES).map(([code, [status]]) => `${status} ${code}`),
  ...Object.keys(PROBLEM_TYPES).map((type) => `422 ${type}`),
])
const lines = contract.flatMap(linesOf)

/** `GET, POST /v2/user/{user_id}` as `get /v2/user/{}` and `post /v2/user/{}`. */
function operationsOf(text: string): string[] {
  const mentions = text.matchAll(/((?:(?:GET|POST|PUT|PATCH|DELETE)(?:, )?)+) (\/[\w/{}.$-]+)/g)
  return [...mentions].flatMap(([, methods = '', path = '']) =>
    methods.split(', ').map((method) => `${method.toLowerCase()} ${plainPath(path)}`),
  )
}

const plainPath = (path: string): string =>
  path.replaceAll(/\{(?!resource\})\w+\}/g, '{}').replace(/\/$/, '')

const { paths } = JSON.parse(read('docs/openapi.json')) as {
  paths: Record<string, Record<string, object>>
}
const served = Object.entries(paths).flatMap(([path, item]) =>
  METHODS.filter((method) => method in item).map((method) => `${method} ${plainPath(path)}`),
)

/** Whether two operations are the same; `{resource}` stands for every resource. */
const isSame = (documented: string, operation: string): boolean =>
  documented === operation ||
  (documented.includes('{resource}') &&
    new RegExp(
      `^${documented.replaceAll('{}', '\\{\\}').replace('{resource}', '\\w+(/\\w+)?')}$`,
    ).test(operation))

describe('the contract', () => {
  const documented = [
    ...new Set(lines.filter(({ isBuilt }) => isBuilt).flatMap(({ text }) => operationsOf(text))),
  ]

  test('has every operation that is served', () => {
    const missing = served.filter((operation) => !documented.some((one) => isSame(one, operation)))
    assert.deepEqual(missing, [])
  })

  test('says of every other one that it is not built yet', () => {
    const unknown = documented
      .filter((operation) => !UNLISTED.test(operation.split(' ')[1] ?? ''))
      .filter((one) => !served.some((operation) => isSame(one, operation)))
    assert.deepEqual(unknown, [])
  })

  test('names errors with the status that they have', () => {
    const named = lines
      .filter(({ isBuilt }) => isBuilt)
      .flatMap(({ text }) => [...text.matchAll(/\b([45]\d\d) ((?:`\w+`(?:, | \/ )?)+)/g)])
      .flatMap(([, status, codes = '']) =>
        [...codes.matchAll(/\w+/g)].map(([code]) => `${status} ${code}`),
      )
    assert.ok(named.length > 50)
    assert.deepEqual(
      named.filter((code) => !known.has(code)),
      [],
    )
  })
})

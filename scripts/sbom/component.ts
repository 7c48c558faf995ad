import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// The part of CycloneDX 1.5 that is written here: https://cyclonedx.org/docs/1.5/json/

export type License =
  | { license: { id?: string; name?: string; url?: string } }
  | { expression: string }

export interface Component {
  type: 'application' | 'library' | 'file' | 'data' | 'machine-learning-model'
  'bom-ref': string
  name: string
  version?: string
  /** `excluded`: needed to build or test, and not a part of the running service. */
  scope?: 'required' | 'optional' | 'excluded'
  description?: string
  publisher?: string
  copyright?: string
  purl?: string
  cpe?: string
  licenses?: License[]
  hashes?: { alg: string; content: string }[]
  properties?: { name: string; value: string }[]
  externalReferences?: { type: string; url: string }[]
  components?: Component[]
}

export interface Dependency {
  ref: string
  dependsOn: string[]
}

/**
 * The contribution of a source to the bill: components, and which component needs or contains
 * which.
 */
export interface Part {
  components: Component[]
  dependencies: Dependency[]
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Describes a file of the project or of a package, with its digest, as a part of `ref`. */
export function describeFile(root: string, path: string, ref: string): Component {
  const content = sha256(readFileSync(join(root, path)))
  return {
    type: 'file',
    'bom-ref': `${ref}/${path}`,
    name: path,
    hashes: [{ alg: 'SHA-256', content }],
  }
}

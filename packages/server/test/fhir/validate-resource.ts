import { readFileSync } from 'node:fs'
import { evalFhirPath, evalFhirPathTyped, toTypedValue } from '@medplum/core'
import { Ajv } from 'ajv'

/** A resource as JSON, of any type. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into resources of every type
export type AnyResource = any

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))

/** Codes of required bindings and invariants of FHIR R4, by the path of their element. */
const RULES: {
  bindings: Record<string, string[]>
  invariants: Record<string, [key: string, expression: string][]>
} = read('fhir-r4.rules.json')

const ajv = new Ajv({ strict: false, discriminator: false })
ajv.addSchema(read('fhir-r4.schema.json'), 'fhir')

/**
 * Elements that profiles of US Core 7.0.0 require, and elements with a fixed code. Alternatives are
 * separated by a bar.
 */
const PROFILES: Record<string, { required: string[]; codes?: [path: string, code: string][] }> = {
  'us-core-patient': {
    required: ['identifier.system', 'identifier.value', 'name.family|name.given', 'gender'],
  },
  'us-core-servicerequest': { required: ['status', 'intent', 'code', 'subject'] },
  'us-core-diagnosticreport-lab': {
    required: ['status', 'category', 'code', 'subject', 'issued'],
    codes: [['category.coding.code', 'LAB']],
  },
  'us-core-observation-lab': {
    required: ['status', 'category', 'code', 'subject', 'value|dataAbsentReason|hasMember'],
    codes: [['category.coding.code', 'laboratory']],
  },
  'us-core-specimen': { required: ['type'] },
  'us-core-documentreference': {
    required: ['status', 'type', 'category', 'subject', 'content.attachment.contentType'],
    codes: [['category.coding.code', 'clinical-note']],
  },
  'us-core-practitioner': {
    required: ['identifier.system', 'identifier.value', 'name.family'],
  },
  'us-core-organization': { required: ['active', 'name'] },
}

/** Returns the problems of a resource, as lines of text; none when it is valid. */
export function findProblems(resource: AnyResource): string[] {
  const { resourceType: type } = resource
  const isValid = ajv.validate(`fhir#/definitions/${type}`, resource)
  return [
    ...(isValid ? [] : [`${type}: ${ajv.errorsText()}`]),
    ...findRuleProblems(resource, type, resource),
    ...findProfileProblems(resource),
  ]
}

/** Checks bindings and invariants of an element and of all within it. */
function findRuleProblems(element: AnyResource, path: string, root: AnyResource): string[] {
  const variables = { '%resource': toTypedValue(root) }
  const isBroken = (expression: string) =>
    evalFhirPathTyped(expression, [toTypedValue(element)], variables)[0]?.value === false
  const problems = (RULES.invariants[path] ?? [])
    .filter(([, expression]) => isBroken(expression))
    .map(([key]) => `${path} breaks ${key}`)
  for (const [name, value] of Object.entries(element)) {
    const inner = `${path}.${name}`
    const codes = RULES.bindings[inner]
    for (const one of [value].flat() as AnyResource[]) {
      if (codes && !codes.includes(one)) problems.push(`${inner} has no code of its value set`)
      // Resources of a Bundle are checked on their own.
      if (typeof one === 'object' && one !== null && name !== 'resource') {
        problems.push(...findRuleProblems(one, dataTypeOf(name) ?? inner, root))
      }
    }
  }
  return problems
}

const dataTypeOf = (name: string): string | undefined =>
  /Quantity$|^(low|high)$/.test(name) ? 'Quantity' : /Period$/.test(name) ? 'Period' : undefined

function findProfileProblems(resource: AnyResource): string[] {
  const urls: string[] = resource.meta?.profile ?? []
  return urls.flatMap((url) => {
    const name = url.split('/').at(-1) ?? ''
    const profile = PROFILES[name]
    if (profile === undefined) return [`the profile ${name} is not known`]
    const missing = profile.required.filter((paths) =>
      paths.split('|').every((path) => evalFhirPath(path, resource).length === 0),
    )
    const wrong = (profile.codes ?? []).filter(
      ([path, code]) => !evalFhirPath(path, resource).includes(code),
    )
    return [
      ...missing.map((paths) => `${name} requires ${paths}`),
      ...wrong.map(([path, code]) => `${name} requires ${code} in ${path}`),
    ]
  })
}

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

/** What the test kit of US Core checks of a profile (us-core-checks.ts). */
const CHECKS: Record<string, { profile: string; mandatory: string[] }> = read('us-core-checks.json')
const MANDATORY = new Map(Object.values(CHECKS).map((one) => [one.profile, one.mandatory]))

/**
 * Rules of profiles of US Core 7.0.0 beside mandatory elements: alternatives, separated by a bar,
 * and fixed codes.
 */
const RULES_OF_PROFILES: Record<
  string,
  { required?: string[]; codes?: [path: string, code: string][] }
> = {
  'us-core-patient': { required: ['name.family|name.given'] },
  'us-core-coverage': { required: ['subscriberId|identifier.value'] },
  'us-core-diagnosticreport-lab': {
    required: ['issued'],
    codes: [['category.coding.code', 'LAB']],
  },
  'us-core-observation-lab': {
    required: ['value|dataAbsentReason|hasMember'],
    codes: [['category.coding.code', 'laboratory']],
  },
  'us-core-documentreference': {
    required: ['content.attachment.contentType'],
    codes: [['category.coding.code', 'clinical-note']],
  },
  'us-core-provenance': { codes: [['agent.type.coding.code', 'transmitter']] },
  ...vitalSigns({
    'us-core-blood-pressure': ['85354-9'],
    'us-core-bmi': ['39156-5'],
    'us-core-body-temperature': ['8310-5'],
    'us-core-body-weight': ['29463-7'],
    'us-core-heart-rate': ['8867-4'],
    'us-core-pulse-oximetry': ['59408-5', '2708-6'],
    'us-core-respiratory-rate': ['9279-1'],
  }),
}

function vitalSigns(loinc: Record<string, string[]>) {
  return Object.fromEntries(
    Object.entries(loinc).map(([profile, codes]) => [
      profile,
      {
        codes: [
          ['category.coding.code', 'vital-signs'],
          ...codes.map((code) => ['code.coding.code', code]),
        ] as [string, string][],
      },
    ]),
  )
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
  const isPart = resource.meta?.tag?.some(({ code }: AnyResource) => code === 'SUBSETTED')
  const urls: string[] = isPart ? [] : (resource.meta?.profile ?? [])
  return urls.flatMap((url) => {
    const name = url.split('/').at(-1) ?? ''
    const mandatory = MANDATORY.get(name)
    if (mandatory === undefined) return [`the profile ${name} is not known`]
    const { required = [], codes = [] } = RULES_OF_PROFILES[name] ?? {}
    const missing = required.filter((paths) =>
      paths.split('|').every((path) => evalFhirPath(path, resource).length === 0),
    )
    const wrong = codes.filter(([path, code]) => !evalFhirPath(path, resource).includes(code))
    return [
      ...[...mandatory.filter((path) => isMissing(resource, path)), ...missing].map(
        (path) => `${name} requires ${path}`,
      ),
      ...wrong.map(([path, code]) => `${name} requires ${code} in ${path}`),
    ]
  })
}

/** Whether an element is missing where the one around it is there. */
export function isMissing(resource: AnyResource, path: string): boolean {
  const names = path.replaceAll('[x]', '').split('.')
  const last = names.pop() ?? ''
  const around = names.length === 0 ? '$this' : names.join('.')
  return evalFhirPath(`${around}.where(${last}.exists().not()).exists()`, resource)[0] === true
}

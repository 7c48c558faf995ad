import { type LabConnectionConfig, numberRulesOf } from '@salus/contracts/lab-gateway'
import { compilePattern } from '@salus/kernel/operator-patterns'
import { findConnectionProblems } from './connection-problems.ts'
import { PROFILE_DEFAULTS } from './profiles.registry.ts'
import type { Hl7Profile, ResolvedConnection } from './resolved-connection.ts'

/**
 * Completes a connection with the defaults of its profile. Maps of codes are added to those of the
 * profile; lists replace its lists.
 * @throws Error when `findConnectionProblems` finds any, or for a profile that is not HL7 v2
 */
export function resolveConnection(
  config: LabConnectionConfig,
  environmentKind: 'production' | 'sandbox',
): ResolvedConnection {
  const [problem] = findConnectionProblems(config)
  if (problem !== undefined) throw new Error(`${problem.path}: ${problem.message}`)
  if (config.profile === 'fhir-r4') throw new Error('profile: It is not one of HL7 v2.')
  const profile: Hl7Profile = config.profile
  const defaults = PROFILE_DEFAULTS[profile]
  const { numbers = {}, order = {}, result = {} } = config
  return {
    profile,
    lab: config.lab,
    processing_id: config.processing_id ?? (environmentKind === 'production' ? 'P' : 'T'),
    time_zone: config.time_zone,
    accounts: config.accounts ?? [],
    ack: { ...defaults.ack, ...config.ack },
    envelope: { ...defaults.envelope, ...config.envelope },
    numbers: {
      ...numberRulesOf(config),
      strip_from_results: numbers.strip_from_results?.map((each) => compilePattern(each)) ?? [],
      patient: numbers.patient ?? defaults.numbers.patient,
    },
    codes: resolveCodes(defaults.codes, config.codes ?? {}),
    order: { ...defaults.order, ...order, set: { ...defaults.order.set, ...order.set } },
    result: {
      ...defaults.result,
      ...result,
      range_from_notes:
        result.range_from_notes === undefined ? null : compilePattern(result.range_from_notes),
    },
    traits: defaults.traits,
  }
}

function resolveCodes(
  defaults: ResolvedConnection['codes'],
  given: Exclude<LabConnectionConfig['codes'], undefined>,
): ResolvedConnection['codes'] {
  const names = Object.keys(defaults) as (keyof typeof defaults)[]
  const merged = names.map((name) => {
    const [value, own] = [defaults[name], given[name]]
    if (own === undefined || typeof own !== 'object' || Array.isArray(own))
      return [name, own ?? value]
    return [name, { ...(value as Record<string, string>), ...own }]
  })
  return Object.fromEntries(merged)
}
